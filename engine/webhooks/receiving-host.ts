import { parseUrl } from '../../shared/base/parse-url.js';

/**
 * The host (name and port) that deliveries to the URL go to, whatever its spelling. A URL that cannot be parsed is sent
 * nothing; its text stands for its host.
 */
export function receivingHost(url: string): string {
  return parseUrl(url)?.host ?? url;
}
