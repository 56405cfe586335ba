import { parseUrl } from '../base/parse-url.js';
import type { ClickIdKeys } from '../secrets/click-id-keys.js';
import { withoutForgedClickId } from './click-id.js';
import type { TemplateMatcher } from './compile.js';
import type { MatchReason } from './match.js';
import { matchTemplate, type TemplateMatch } from './match.js';
import { withoutQrMark } from './qr-mark.js';

/** A URL or path to be tried, as a visitor's browser would send it. */
export interface TriedPath {
  /** The path alone, with its escapes in place. */
  readonly path: string;
  /** Host with port if a whole URL was given; null for a path. */
  readonly host: string | null;
  /** The query without `?` and without the mark of a QR code. */
  readonly query: string;
}

/**
 * Reads what a person typed or pasted. Like a browser, it drops the fragment, resolves `.` and `..`, and escapes what a
 * request cannot contain. Null if the text neither is an http(s) URL nor begins with a slash.
 */
export function readTriedPath(text: string): TriedPath | null {
  const isPath = text.startsWith('/');
  // The path gets a host of its own, so that `//` at its start does not name one.
  const url = parseUrl(isPath ? `https://path.invalid${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return { path: url.pathname, host: isPath ? null : url.host, query: withoutQrMark(url.search.slice(1)) };
}

/** Reads the path as a link host does: a click's id that is not signed is ignored. */
export function withoutForgedClick(tried: TriedPath, clickIds: ClickIdKeys): TriedPath {
  return { ...tried, query: withoutForgedClickId(tried.query, clickIds) };
}

/** Why a path resolved as it did, in a sentence. */
const DETAILS: Readonly<Record<MatchReason, string>> = {
  '': 'The path matches the pattern, and the id matches its format.',
  too_short: 'The path matches the pattern, but the id is shorter than its format allows.',
  too_long: 'The path matches the pattern, but the id is longer than its format allows.',
  invalid_character:
    'The path matches the pattern, but the id contains a character that its format does not allow at all or not at that position.',
  dot_segment: 'The path matches the pattern, but "." and ".." are not ids in any format.',
  malformed_escape: 'The path matches the pattern, but a "%" in the id is not followed by two hexadecimal digits.',
  invalid_utf8: 'The path matches the pattern, but the escapes in the id are not UTF-8.',
  no_pattern: 'No template has a pattern that matches the path.',
  template_disabled: 'The pattern belongs to a disabled template: visitors get a status page.',
  resource_type_archived: 'The pattern belongs to a template of an archived resource type, which no longer resolves.',
};

const ARCHIVED = 'No template has a pattern that matches the path; an archived template had one.';

/** A match with the sentence that explains it. */
export type ExplainedMatch<Template> = TemplateMatch<Template> & { readonly detail: string };

/**
 * Returns what visitors of the path get, from the same matcher that serves them, and why. `archived` contains the
 * templates whose patterns were freed: they resolve nothing and only explain why a path that once led somewhere no
 * longer does.
 */
export function explainPath<Template>(
  matcher: TemplateMatcher<Template>,
  archived: TemplateMatcher<Template>,
  path: string,
): ExplainedMatch<Template> {
  const match = matchTemplate(matcher, path);
  const wasArchived = match.reason === 'no_pattern' && matchTemplate(archived, path).template !== null;
  return { ...match, detail: wasArchived ? ARCHIVED : DETAILS[match.reason] };
}
