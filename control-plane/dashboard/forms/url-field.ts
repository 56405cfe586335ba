/** A text that begins with a host of two or more labels, the last of which has letters only. The API proposes a URL for the same texts. */
const HOST_FIRST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]|$)/u;

/** Returns what a field of a URL sends: null if it is empty, and with `https://` in front if only the scheme was left out. */
export function urlOfField(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return HOST_FIRST.test(trimmed) ? `https://${trimmed}` : trimmed;
}

/** Parses a URL. Returns null if the text is not one. */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
