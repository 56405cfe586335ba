import type { IncomingMessage } from 'node:http';
import { isHostField } from '../../shared/net/host-name.js';

/**
 * Whether a request has exactly one `Host` with a valid value (RFC 9112, section 3.2); HTTP/1.0 also allows none. Node.js would use the
 * first of several, and a proxy in front might use another.
 */
export function hasValidHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  return hosts.length === 0 ? httpVersion === '1.0' : hosts.length === 1 && isHostField(hosts[0] as string);
}
