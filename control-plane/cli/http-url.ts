import { parseUrl } from '../../shared/base/parse-url.js';

/** Parses the URL of a server that is to be called. Null if its scheme is another than HTTP, or if it has a password, which `fetch` refuses. */
export function httpUrl(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  return url?.username === '' && url.password === '' ? url : null;
}
