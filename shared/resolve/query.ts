/** One query parameter, ready to be added to a URL. */
export interface Parameter {
  /** The name as the receiver will read it, decoded. */
  readonly name: string;
  /** `name=value`, percent-encoded, with only characters that a query may contain. */
  readonly text: string;
}

/**
 * Adds the parameters that the URL's query does not set itself, in their order. Only the text between `?` and `#`
 * grows. Scheme, host, path and fragment are copied as they are, because the URL is cut and never parsed and written
 * again. `added` receives what was added.
 */
export function withParameters(url: string, parameters: readonly Parameter[], added?: Parameter[]): string {
  if (parameters.length === 0) return url;
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?');
  const start = mark === -1 || mark > end ? -1 : mark + 1;
  const names = start === -1 ? NO_NAMES : namesOf(url.slice(start, end));
  let query = '';
  for (const parameter of parameters) {
    if (names.has(parameter.name)) continue;
    query += `&${parameter.text}`;
    added?.push(parameter);
  }
  if (query === '') return url;
  const joined = start === -1 ? `?${query.slice(1)}` : start === end || url.charCodeAt(end - 1) === AMPERSAND ? query.slice(1) : query;
  return url.slice(0, end) + joined + url.slice(end);
}

const AMPERSAND = 0x26;
const NO_NAMES: ReadonlySet<string> = new Set();

/** The decoded names that a query without `?` sets. */
export function namesOf(query: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    if (piece !== '') names.add(decodeName(equals === -1 ? piece : piece.slice(0, equals)));
  }
  return names;
}

/** The query's parameters by name. If a name repeats, the first value stays, so that an appended one never replaces it. */
export function firstValues(query: string): Record<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) if (!entries.has(name)) entries.set(name, value);
  // fromEntries defines own members, so that a parameter called __proto__ is data like any other.
  return Object.fromEntries(entries);
}

/** Decodes a name as form decoding does. A malformed escape leaves the text as it is, as in browsers. */
export function decodeName(text: string): string {
  return percentDecoded(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** Decodes text that was percent-encoded in UTF-8. Returns it as it is if an escape is malformed. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/**
 * Encodes a value for a query. A lone surrogate, which is not text, becomes U+FFFD instead of causing an exception. `'` is escaped as
 * in every query that a browser sends (https://url.spec.whatwg.org/#special-query-percent-encode-set).
 */
export function encodeValue(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll("'", '%27');
}

/** Matches the characters that must be escaped in a query. `;`, which old servers read as `&`, and quotes are among them. */
const QUERY_CHARACTERS = /[^A-Za-z0-9\-._~!$*+,:@/()%=]/gu;
const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

/** Escapes a piece of a visitor's query: its escapes are kept, and whatever else a query may not contain is escaped. */
export function escapePiece(piece: string): string {
  return piece.replace(LONE_PERCENT, '%25').replace(QUERY_CHARACTERS, encodeValue);
}

/** Matches the characters that must be escaped in a route: a path that may have a query and a fragment of its own. */
const ROUTE_CHARACTERS = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?#%]/gu;

export function escapeRoute(route: string): string {
  return route.replace(LONE_PERCENT, '%25').replace(ROUTE_CHARACTERS, encodeValue);
}
