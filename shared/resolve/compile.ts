import type { IdMatcher } from './id-matcher.js';
import type { PathPattern } from './pattern.js';

/** Whether paths of the pattern are resolved, and if not, why not. A pattern that is not resolved is still taken. */
export type RouteState = 'active' | 'disabled' | 'resource_type_archived';

/** One template as the matcher needs it. A match returns `template` to the caller. */
export interface TemplateRoute<Template> {
  readonly pattern: PathPattern;
  readonly id_matcher: IdMatcher;
  readonly state: RouteState;
  readonly template: Template;
}

/**
 * A position in the literals before the id. Members that most nodes lack are null rather than empty maps, so that
 * 100,000 templates stay small.
 */
export interface Node<Template> {
  readonly literals: ReadonlyMap<string, Node<Template>> | null;
  /** Prefixes of an id in the next segment, each with its suffixes. */
  readonly ids: Affixes<Affixes<Tail<Template>>> | null;
}

/**
 * Literals at one end of the id's segment. A lookup tries each length that occurs here. The lengths are bounded by that
 * of a pattern, whatever the number of templates, and nearly every node has no length other than 0.
 */
export interface Affixes<Next> {
  /** The continuation without a literal at this end. */
  readonly bare: Next | null;
  /** Lengths of the literals, without 0. */
  readonly lengths: readonly number[];
  readonly by_text: ReadonlyMap<string, Next> | null;
}

/** What follows the segment with the id: only literals. `route` is set if a pattern ends here. */
export interface Tail<Template> {
  readonly literals: ReadonlyMap<string, Tail<Template>> | null;
  readonly route: TemplateRoute<Template> | null;
}

/** An immutable set of templates, no two of which overlap. */
export interface TemplateMatcher<Template> {
  readonly root: Node<Template>;
  readonly template_count: number;
}

interface MutableTail<Template> {
  literals: Map<string, MutableTail<Template>> | null;
  route: TemplateRoute<Template> | null;
}

interface MutableAffixes<Next> {
  bare: Next | null;
  lengths: number[];
  by_text: Map<string, Next> | null;
}

interface MutableNode<Template> {
  literals: Map<string, MutableNode<Template>> | null;
  ids: MutableAffixes<MutableAffixes<MutableTail<Template>>> | null;
}

function newAffixes<Next>(): MutableAffixes<Next> {
  return { bare: null, lengths: [], by_text: null };
}

function newNode<Template>(): MutableNode<Template> {
  return { literals: null, ids: null };
}

function newTail<Template>(): MutableTail<Template> {
  return { literals: null, route: null };
}

function getOrAddLiteral<Next extends { literals: Map<string, Next> | null }>(node: Next, text: string, create: () => Next): Next {
  node.literals ??= new Map();
  const found = node.literals.get(text);
  if (found !== undefined) return found;
  const created = create();
  node.literals.set(text, created);
  return created;
}

function getOrAddAffix<Next>(affixes: MutableAffixes<Next>, text: string, create: () => Next): Next {
  if (text === '') {
    affixes.bare ??= create();
    return affixes.bare;
  }
  affixes.by_text ??= new Map();
  const found = affixes.by_text.get(text);
  if (found !== undefined) return found;
  if (!affixes.lengths.includes(text.length)) affixes.lengths.push(text.length);
  const created = create();
  affixes.by_text.set(text, created);
  return created;
}

function insert<Template>(root: MutableNode<Template>, route: TemplateRoute<Template>): void {
  const { segments, id_index, prefix, suffix } = route.pattern;
  let node = root;
  for (let index = 0; index < id_index; index++) node = getOrAddLiteral(node, segments[index] as string, newNode<Template>);
  node.ids ??= newAffixes();
  const suffixes = getOrAddAffix(node.ids, prefix, newAffixes<MutableTail<Template>>);
  let tail = getOrAddAffix(suffixes, suffix, newTail<Template>);
  for (let index = id_index + 1; index < segments.length; index++)
    tail = getOrAddLiteral(tail, segments[index] as string, newTail<Template>);
  // The control plane refuses overlaps. If two templates with one pattern arrive anyway, the first one stays.
  tail.route ??= route;
}

/**
 * Compiles templates whose patterns do not overlap into a matcher that shares nothing with a later one: a caller builds
 * a new matcher, swaps it in and drops the old one. Linear in the number of templates. A match walks the literals
 * before the id once, and from each node on that way tries the affixes and the literals after the id: at most 8 nodes,
 * however many templates there are.
 */
export function compileTemplates<Template>(routes: Iterable<TemplateRoute<Template>>): TemplateMatcher<Template> {
  const root = newNode<Template>();
  let template_count = 0;
  for (const route of routes) {
    insert(root, route);
    template_count++;
  }
  return { root, template_count };
}
