import { parseUrl } from '../../shared/base/parse-url.js';

/**
 * The host (name and port) of the URL in a normal form. For a URL that cannot be parsed, to which nothing is sent, its text is
 * returned.
 */
export function receivingHost(url: string): string {
  return parseUrl(url)?.host ?? url;
}
