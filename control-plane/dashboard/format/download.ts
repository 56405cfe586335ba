/** Downloads a file to the user's computer. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read the content by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
