import { accepted, type Checked, characterCount, type Issue, refused } from '../base/issue.js';
import { PATTERN_CHARACTERS_MAX, PATTERN_SEGMENTS_MAX, PATTERN_SEGMENTS_MIN } from '../base/limits.js';

/**
 * A path pattern: literal segments and one segment with `{id}`, as in `/p/{id}`, `/p/item-{id}`, `/docs/{id}.html`.
 * Every path that it matches has as many segments; `{id}` stands for one or more characters of the percent-decoded
 * segment.
 */
export interface PathPattern {
  readonly text: string;
  /** The literals in order; '' at `id_index`. */
  readonly segments: readonly string[];
  readonly id_index: number;
  /** Literals around `{id}` inside its segment, '' if there is none. */
  readonly prefix: string;
  readonly suffix: string;
}

const PLACEHOLDER = '{id}';

/**
 * First segments of paths that the service answers itself, before any template: RFC 8615 reserves `/.well-known/` for
 * protocols, and the app-link files are there; `/health/` answers load balancers. The other paths of the service itself
 * have one segment, which no pattern can have.
 */
const RESERVED_FIRST_SEGMENTS: ReadonlySet<string> = new Set(['.well-known', 'health']);

/** Whether paths with this decoded first segment belong to the service and match no template, whatever the patterns are. */
export function isReservedFirstSegment(segment: string): boolean {
  return RESERVED_FIRST_SEGMENTS.has(segment);
}

/** Whether the character never needs an escape (RFC 3986, section 2.3). With such characters alone, a literal has one spelling. */
function isUnreserved(code: number): boolean {
  const letter = (code | 32) >= 97 && (code | 32) <= 122;
  const digit = code >= 48 && code <= 57;
  return letter || digit || code === 45 || code === 46 || code === 95 || code === 126;
}

function hasOnlyUnreserved(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (!isUnreserved(text.charCodeAt(index))) return false;
  return true;
}

/** How often `{id}` occurs in the text. */
function countPlaceholders(text: string): number {
  return text.split(PLACEHOLDER).length - 1;
}

function literalIssue(segment: string): Omit<Issue, 'pointer'> | null {
  const literal = segment.replaceAll(PLACEHOLDER, '');
  if (segment === '') return { code: 'empty_segment', detail: 'A segment is empty: a pattern must not contain "//" or end with "/".' };
  if (segment === '.' || segment === '..')
    return { code: 'dot_segment', detail: `The segment "${segment}" is removed by clients before a request is sent.` };
  if (literal.includes('{') || literal.includes('}'))
    return { code: 'unknown_placeholder', detail: `"${segment}" may contain only one placeholder, {id}.` };
  if (!hasOnlyUnreserved(literal))
    return { code: 'invalid_character', detail: `"${segment}" may contain only letters, digits, "-", ".", "_" and "~".` };
  return null;
}

function shapeIssues(text: string, segments: readonly string[]): Omit<Issue, 'pointer'>[] {
  const issues: Omit<Issue, 'pointer'>[] = [];
  if (characterCount(text) > PATTERN_CHARACTERS_MAX)
    issues.push({ code: 'too_long', detail: `A pattern must have at most ${PATTERN_CHARACTERS_MAX} characters.` });
  if (segments.length < PATTERN_SEGMENTS_MIN || segments.length > PATTERN_SEGMENTS_MAX)
    issues.push({
      code: 'segment_count',
      detail: `A pattern must have ${PATTERN_SEGMENTS_MIN} to ${PATTERN_SEGMENTS_MAX} segments; this one has ${segments.length}.`,
    });
  const placeholders = countPlaceholders(text);
  if (placeholders !== 1)
    issues.push({ code: 'id_count', detail: `A pattern must contain {id} exactly once; this one contains it ${placeholders} times.` });
  if (isReservedFirstSegment(segments[0] as string))
    issues.push({ code: 'reserved', detail: `Paths under /${segments[0]}/ are reserved for the service.` });
  return issues;
}

/** Returns the pattern that the text describes, or every kind of fault it has, each once, at `pointer`. */
export function parsePattern(text: string, pointer = '/path_pattern'): Checked<PathPattern> {
  if (!text.startsWith('/')) return refused([{ pointer, code: 'invalid_format', detail: 'A pattern must start with "/".' }]);
  const segments = text.slice(1).split('/');
  const found = new Map<string, Omit<Issue, 'pointer'>>();
  for (const issue of shapeIssues(text, segments)) found.set(issue.code, issue);
  for (const segment of segments) {
    const issue = literalIssue(segment);
    if (issue !== null && !found.has(issue.code)) found.set(issue.code, issue);
  }
  if (found.size > 0) return refused([...found.values()].map((issue) => ({ pointer, ...issue })));
  const id_index = segments.findIndex((segment) => segment.includes(PLACEHOLDER));
  const [prefix, suffix] = (segments[id_index] as string).split(PLACEHOLDER) as [string, string];
  return accepted({ text, segments: segments.map((segment, index) => (index === id_index ? '' : segment)), id_index, prefix, suffix });
}
