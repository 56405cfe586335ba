import { parseUrl } from '../../shared/base/parse-url.js';

/**
 * Returns the host (name and port) of the URL in a normal form. If the URL cannot be parsed, so that nothing is sent to it,
 * returns its text.
 */
export function receivingHost(url: string): string {
  return parseUrl(url)?.host ?? url;
}
