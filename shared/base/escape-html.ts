/** Escapes text for an element or a quoted attribute: no character is left that could end it or begin a reference. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
