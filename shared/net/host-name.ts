import { domainToASCII, domainToUnicode } from 'node:url';
import { HOST_TEXT_CHARACTERS_MAX } from '../base/limits.js';

/** The host parser stops at these characters, or does not read them as part of a name. */
const NO_NAME = /[\s/?#@\\:[\]%]/;

const NOT_ASCII = /[^\0-\x7f]/;

const ASCII_LABEL = /(^|\.)xn--/;

/**
 * Returns the host name as it is compared and stored: lower case, international names in ASCII; '' if the text is not a
 * host name, if it would be read as a different one than is written, or if it is longer than any.
 */
export function asciiHostName(text: string): string {
  const host = text.length > HOST_TEXT_CHARACTERS_MAX || NO_NAME.test(text) ? '' : domainToASCII(text);
  if (NOT_ASCII.test(text) && !isHostAsWritten(text, host)) return '';
  // Node.js 24 keeps labels that stand for nothing in Unicode as they are; 20 and 22 refuse the name.
  return ASCII_LABEL.test(host) && ASCII_LABEL.test(domainToUnicode(host)) ? '' : host;
}

const NAME = /[\p{L}\p{M}\p{N}-]+/gu;

/** Returns the text with international names in ASCII, as stored URLs have them: `https://müller.de/x` as `https://xn--mller-kva.de/x`. */
export function withAsciiNames(text: string): string {
  return text.replace(NAME, (name) => (NOT_ASCII.test(name) && domainToASCII(name)) || name);
}

const USER_OR_PORT = /^.*@|:\d*$/g;

/**
 * Whether the host of an http(s) URL, as `URL.hostname` has it, is the one that is written in its authority: in upper
 * case, in Unicode, or as it is. The parser also undoes percent-encoding, drops invisible characters, and turns numbers
 * into addresses.
 */
export function isHostAsWritten(authority: string, hostname: string): boolean {
  const written = authority.replace(USER_OR_PORT, '');
  if (written.toLowerCase() === hostname || hostname.startsWith('[')) return true;
  const labels = written.normalize('NFKC').split(/[.\u3002]/);
  const read = hostname.split('.');
  return labels.length === read.length && labels.every((label, at) => isLabelAsWritten(label, read[at] as string));
}

function isLabelAsWritten(written: string, read: string): boolean {
  if (!NOT_ASCII.test(written)) return written.toLowerCase() === read;
  return lowerCase(written) === lowerCase(domainToUnicode(read));
}

/** Letter by letter: the lower case of a Greek sigma depends on its position in a word, and host names have no such rule. */
function lowerCase(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFKC');
}

/** Whether the text consists of lower-case labels of letters, digits and hyphens, with international names in their ASCII form. */
export function isHostName(host: string): boolean {
  const labels = host.split('.');
  return host.length <= 253 && asciiHostName(host) === host && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
}

const HOST_FIELD = /^(\[[\dA-Za-z:.]+\]|[\w\-.~!$&'()*+,;=%]+)(:\d*)?$/;

/**
 * Whether the text may be in a `Host` header: a name or an address, perhaps with a port (RFC 9110, section 7.2; RFC
 * 3986, section 3.2.2).
 */
export function isHostField(text: string): boolean {
  return HOST_FIELD.test(text);
}
