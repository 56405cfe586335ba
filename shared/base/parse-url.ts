/**
 * Parses the URL by the WHATWG standard; null if the text is not a URL, nor a reference relative to `base`. Use this
 * instead of `URL.canParse`, whose optimised form in Node.js reads a string of one byte per character as if it were
 * UTF-8: it refuses `https://müller.de/` after a process has called it some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
