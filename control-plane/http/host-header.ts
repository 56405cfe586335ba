import type { IncomingMessage } from 'node:http';

/** A host and a port, as RFC 9112, section 3.2, and RFC 3986, section 3.2.2, describe them. Both may be empty. */
const HOST = /^(?:\[[\w:.~!$&'()*+,;=-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/**
 * Whether a request has exactly one `Host` with a valid value; HTTP/1.0 also allows none. Node.js would use the first of several, and a
 * proxy in front might use another.
 */
export function hasValidHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  return hosts.length === 0 ? httpVersion === '1.0' : hosts.length === 1 && HOST.test(hosts[0] as string);
}
