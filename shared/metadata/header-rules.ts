import { type Issue, isObject, issueAt, pointerTo } from '../base/issue.js';
import { METADATA_HEADER_NAME_CHARACTERS_MAX, METADATA_HEADER_VALUE_CHARACTERS_MAX, METADATA_HEADERS_MAX } from '../base/limits.js';

/** A token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Visible ASCII, with spaces and tabs inside (RFC 9110, section 5.5, without its obsolete part). */
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that control how the request is framed and routed, or that the service sets itself. */
const SERVICE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Headers that carry credentials. These belong in `auth`, where they are sealed and never shown. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie']);

export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text);
}

/** Returns what is wrong with a header's name, in whatever field it is. */
export function headerNameIssues(name: string, pointer: string): Issue[] {
  if (name.length > METADATA_HEADER_NAME_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `A header name must have at most ${METADATA_HEADER_NAME_CHARACTERS_MAX} characters.`)];
  if (!HEADER_NAME.test(name))
    return [issueAt(pointer, 'invalid_format', 'A header name must consist of letters, digits and characters such as "-".')];
  if (SERVICE_HEADERS.has(name.toLowerCase())) return [issueAt(pointer, 'reserved', `The service sets "${name}" itself.`)];
  return [];
}

function headerIssues(name: string, value: unknown, pointer: string): Issue[] {
  const issues = headerNameIssues(name, pointer);
  if (SECRET_HEADERS.has(name.toLowerCase()))
    issues.push(issueAt(pointer, 'reserved', `"${name}" carries a credential: put it into auth.`));
  if (typeof value !== 'string') issues.push(issueAt(pointer, 'wrong_type', 'A header value must be a string.'));
  else if (value.length > METADATA_HEADER_VALUE_CHARACTERS_MAX)
    issues.push(issueAt(pointer, 'too_long', `A header value must have at most ${METADATA_HEADER_VALUE_CHARACTERS_MAX} characters.`));
  else if (!isHeaderValue(value))
    issues.push(issueAt(pointer, 'invalid_format', 'A header value must be visible ASCII, without white space at either end.'));
  return issues;
}

/** Returns what is wrong with the extra headers. Names are compared without case, as receivers do. */
export function headersIssues(value: unknown, pointer: string): Issue[] {
  if (!isObject(value)) return [issueAt(pointer, 'wrong_type', 'headers must be an object.')];
  const names = Object.keys(value);
  const tooMany =
    names.length > METADATA_HEADERS_MAX ? [issueAt(pointer, 'too_many', `There must be at most ${METADATA_HEADERS_MAX} headers.`)] : [];
  const seen = new Set<string>();
  // Headers after the most that there may be are not looked at, because there may be a hundred thousand.
  const issues = names.slice(0, METADATA_HEADERS_MAX).flatMap((name) => {
    const at = pointerTo(pointer, name);
    const issues = headerIssues(name, value[name], at);
    if (name === '__proto__') issues.push(issueAt(at, 'reserved', 'This name is not allowed: it could change the prototype of an object.'));
    if (seen.has(name.toLowerCase())) issues.push(issueAt(at, 'duplicate', `"${name}" appears twice.`));
    seen.add(name.toLowerCase());
    return issues;
  });
  return [...tooMany, ...issues];
}
