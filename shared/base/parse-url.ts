import { HOST_TEXT_CHARACTERS_MAX } from './limits.js';

/** The part before the path that names the host, as the parser finds it in a text without tabs and line breaks. */
const AUTHORITY = /^[^!-\uffff]*(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/i;

function isHostTooLong(text: string): boolean {
  if (text.length <= HOST_TEXT_CHARACTERS_MAX) return false;
  const authority = AUTHORITY.exec(text.replace(/[\t\n\r]/g, ''))?.[1] ?? '';
  return authority.length - (authority.lastIndexOf('@') + 1) > HOST_TEXT_CHARACTERS_MAX;
}

/**
 * Parses the URL by the WHATWG standard; null if the text is not a URL, nor a reference relative to `base`, or if its
 * host name is longer than any. Use this instead of `URL.canParse`, whose optimised form in Node.js reads a string of
 * one byte per character as if it were UTF-8: it refuses `https://müller.de/` after a process has called it some
 * thousand times.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (isHostTooLong(text)) return null;
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
