/** A host of two labels or more, of which the last is of letters, and whatever may follow a host: as the API proposes a scheme. */
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
