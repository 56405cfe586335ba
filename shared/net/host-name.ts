import { domainToASCII, domainToUnicode } from 'node:url';

/** The host parser stops at these, or reads them as something else than part of a name. */
const NO_NAME = /[\s/?#@\\:[\]%]/;

const ASCII_LABEL = /(^|\.)xn--/;

/** The host name as it is compared and stored: lower case, international names in ASCII; '' if it is none. */
export function asciiHostName(text: string): string {
  const host = NO_NAME.test(text) ? '' : domainToASCII(text);
  // Node.js 24 leaves labels as they are that stand for nothing in Unicode; 20 and 22 refuse the name.
  return ASCII_LABEL.test(host) && ASCII_LABEL.test(domainToUnicode(host)) ? '' : host;
}

/** Lower-case labels of letters, digits and hyphens; international names in their ASCII form. */
export function isHostName(host: string): boolean {
  const labels = host.split('.');
  return host.length <= 253 && asciiHostName(host) === host && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
}

const HOST_FIELD = /^(\[[\dA-Za-z:.]+\]|[\w\-.~!$&'()*+,;=%]+)(:\d*)?$/;

/** What may stand in a `Host` header: a name or an address, and perhaps a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
export function isHostField(text: string): boolean {
  return HOST_FIELD.test(text);
}
