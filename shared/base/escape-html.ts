/** Text as it stands in an element or in a quoted attribute: none of the characters that could end it or begin a reference is left. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
