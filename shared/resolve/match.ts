import type { Affixes, Node, Tail, TemplateMatcher, TemplateRoute } from './compile.js';
import { type IdFault, idFault } from './id-matcher.js';
import { isReservedFirstSegment } from './pattern.js';
import { decodeSegment, type EscapeFault, splitPath } from './segments.js';

/** Why the id of a path is not one. */
type MatchFault = Exclude<IdFault, ''> | Exclude<EscapeFault, ''>;

/** The path has an id of the template. */
interface ItemMatch<Template> {
  readonly result: 'match';
  readonly template: Template;
  /** Decoded. */
  readonly id: string;
  readonly reason: '';
}

/** The path fits the pattern of a template, but its id is none; `id` is null if it could not be decoded. */
interface InvalidIdMatch<Template> {
  readonly result: 'invalid_id';
  readonly template: Template;
  readonly id: string | null;
  readonly reason: MatchFault;
}

/** The path fits the pattern of a template that does not resolve. */
interface UnresolvedMatch<Template> {
  readonly result: 'no_template';
  readonly template: Template;
  readonly id: null;
  readonly reason: 'template_disabled' | 'resource_type_archived';
}

/** No pattern fits the path. */
export interface NoMatch {
  readonly result: 'no_template';
  readonly template: null;
  readonly id: null;
  readonly reason: 'no_pattern';
}

/** The template whose pattern the path fits, and whether the path leads to an item. */
export type PatternMatch<Template> = ItemMatch<Template> | InvalidIdMatch<Template> | UnresolvedMatch<Template>;

/** What a path leads to. All values have the same shape. */
export type TemplateMatch<Template> = PatternMatch<Template> | NoMatch;

/** Why a path resolved as it did; '' for a match. */
export type MatchReason = TemplateMatch<unknown>['reason'];

interface Found<Template> {
  readonly route: TemplateRoute<Template>;
  readonly id: string;
  readonly fault: EscapeFault;
}

export const NO_MATCH: NoMatch = { result: 'no_template', template: null, id: null, reason: 'no_pattern' };

/** Replaces each segment by its decoded text. Most paths contain no escape and never get here. */
function decodeAll(raw: string[]): readonly EscapeFault[] {
  const faults: EscapeFault[] = [];
  for (let index = 0; index < raw.length; index++) {
    const { text, fault } = decodeSegment(raw[index] as string);
    raw[index] = text;
    faults.push(fault);
  }
  return faults;
}

function tailRoute<Template>(tail: Tail<Template>, segments: readonly string[], from: number): TemplateRoute<Template> | null {
  let at: Tail<Template> = tail;
  for (let index = from; index < segments.length; index++) {
    const next = at.literals?.get(segments[index] as string);
    if (next === undefined) return null;
    at = next;
  }
  return at.route;
}

/** A pattern that fits, with the place of its id. */
interface Fit<Template> {
  readonly route: TemplateRoute<Template>;
  readonly index: number;
  readonly start: number;
  readonly stop: number;
}

function fitSuffix<Template>(
  suffixes: Affixes<Tail<Template>>,
  segments: readonly string[],
  index: number,
  start: number,
): Fit<Template> | null {
  const segment = segments[index] as string;
  for (const length of suffixes.lengths) {
    const stop = segment.length - length;
    if (stop <= start) continue;
    const tail = suffixes.by_text?.get(segment.slice(stop));
    const route = tail === undefined ? null : tailRoute(tail, segments, index + 1);
    if (route !== null) return { route, index, start, stop };
  }
  if (suffixes.bare === null || segment.length === start) return null;
  const route = tailRoute(suffixes.bare, segments, index + 1);
  return route === null ? null : { route, index, start, stop: segment.length };
}

/** Returns the pattern whose id is in segment `index`, below the node that the literals before it lead to. */
function fitId<Template>(ids: Affixes<Affixes<Tail<Template>>>, segments: readonly string[], index: number): Fit<Template> | null {
  const segment = segments[index] as string;
  for (const length of ids.lengths) {
    const suffixes = length < segment.length ? ids.by_text?.get(segment.slice(0, length)) : undefined;
    const fit = suffixes === undefined ? null : fitSuffix(suffixes, segments, index, length);
    if (fit !== null) return fit;
  }
  return ids.bare === null ? null : fitSuffix(ids.bare, segments, index, 0);
}

function fitPattern<Template>(root: Node<Template>, segments: readonly string[]): Fit<Template> | null {
  let node = root;
  for (let index = 0; index < segments.length; index++) {
    const fit = node.ids === null ? null : fitId(node.ids, segments, index);
    if (fit !== null) return fit;
    const next = node.literals?.get(segments[index] as string);
    if (next === undefined) return null;
    node = next;
  }
  return null;
}

function find<Template>(matcher: TemplateMatcher<Template>, path: string): Found<Template> | null {
  const segments = splitPath(path);
  if (segments === null) return null;
  const faults = path.includes('%') ? decodeAll(segments) : null;
  if (segments.length === 0 || isReservedFirstSegment(segments[0] as string)) return null;
  const fit = fitPattern(matcher.root, segments);
  if (fit === null) return null;
  const id = (segments[fit.index] as string).slice(fit.start, fit.stop);
  return { route: fit.route, id, fault: faults === null ? '' : (faults[fit.index] as EscapeFault) };
}

/**
 * Returns what the path leads to. `path` is the path alone, as it was in the request: without a query, with its escapes
 * in place. Matching is case-sensitive and ignores one trailing slash. Each segment is decoded once on its own, so that
 * `%2F` in an id is part of the id. Whether a template resolves is decided before its id is checked.
 */
export function matchTemplate<Template>(matcher: TemplateMatcher<Template>, path: string): TemplateMatch<Template> {
  const found = find(matcher, path);
  if (found === null) return NO_MATCH;
  const { template, state, id_matcher } = found.route;
  if (state !== 'active')
    return { result: 'no_template', template, id: null, reason: state === 'disabled' ? 'template_disabled' : 'resource_type_archived' };
  if (found.fault !== '') return { result: 'invalid_id', template, id: null, reason: found.fault };
  const fault = idFault(id_matcher, found.id);
  if (fault !== '') return { result: 'invalid_id', template, id: found.id, reason: fault };
  return { result: 'match', template, id: found.id, reason: '' };
}
