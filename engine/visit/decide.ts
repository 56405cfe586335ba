import { invariant } from '../../shared/base/invariant.js';
import { PASSTHROUGH_BYTES_MAX } from '../../shared/base/limits.js';
import type { LinkRules } from '../../shared/records/link-rules.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { DestinationKind } from '../../shared/resolve/destination-safety.js';
import { entryRules, followLink, type Outcome, type StopOutcome } from '../../shared/resolve/follow-link.js';
import type { Parameter } from '../../shared/resolve/query.js';
import { UNKNOWN_VISITOR, type Visitor, type VisitorBotReason, withClientHints } from '../../shared/resolve/recognise-visitor.js';
import { type Resolution, type ResolutionSubject, resolveVisit } from '../../shared/resolve/resolve-visit.js';
import { itemOf, type TemplateItem } from '../../shared/resolve/template-route.js';
import type { Facts } from '../http/facts.js';
import type { Target } from './locate.js';
import { activeMetadataApi, type HostEntry } from './table.js';

/** What a link, or a URL of a template, answers to a visitor. All values have one shape. */
export interface Decision {
  readonly outcome: Outcome;
  readonly entry: HostEntry;
  /** The link or the item that is followed; null if there is none. */
  readonly subject: ResolutionSubject | null;
  readonly link: LinkRecord | null;
  readonly item: TemplateItem | null;
  /** Of the short URL, without the first slash; '' for a long link. */
  readonly path: string;
  /** The path that was visited: an alias of the link, or the link's own. */
  readonly visited_path: string;
  readonly visitor: Visitor;
  /** Where the visitor is sent or shown the way to, parameters included; '' if there is nowhere. The click's id is not in it yet. */
  readonly destination: string;
  readonly destination_kind: DestinationKind | '';
  /** Somebody followed it: a click is to be stored. */
  readonly click: boolean;
  /** Id of the click that led here, where this is not a visit of its own; else ''. */
  readonly continues: string;
  readonly bot_reason: VisitorBotReason | 'prefetch' | '';
  /** The effective UTM fields as a query. */
  readonly utm: string;
  /** The visitor's query where the link passes it on and it was within bounds, else ''. Of a long link all of it. */
  readonly query: string;
  /** The same without what a long link is made of: what a destination is given. */
  readonly passed_query: string;
  readonly params_dropped: boolean;
  /** The rules by which the visitor has to be let in first; null if everybody is answered. */
  readonly guard: LinkRules | null;
}

/**
 * What the link at the target answers. `link` is null if there is none, `country` '' if it is not known. Pure: the same arguments give the same
 * answer. The order is state, preview bot, platform.
 */
export function decide(facts: Facts, target: Target, link: LinkRecord | null, nowMs: number, country = ''): Decision {
  const entry = target.entry as HostEntry;
  const { record, campaigns } = entry.environment;
  const visitor = withClientHints(facts.visitor, facts.platform_hint, facts.platform_version);
  const visit = { visitor, query: facts.query, host_role: entry.role, country };
  const answer = followLink(link, visit, { settings: record, campaigns }, { nowMs });
  if (answer.kind === 'stop') return status(answer.outcome, entry, link, target.path);
  const { path, alias } = target;
  const { lead, subject, guard } = answer;
  return led(facts, entry, { subject, link, item: null, path, visited_path: alias || path, visitor, lead, guard });
}

/**
 * The decision of a visit to a long link: it is known by its whole query, which the open page and the way back from it need,
 * and which the click keeps if it is within the bounds of what clicks keep.
 */
export function ofLongLink(decision: Decision, query: string): Decision {
  const params_dropped = Buffer.byteLength(query) > PASSTHROUGH_BYTES_MAX;
  return { ...decision, path: '', query, params_dropped };
}

/**
 * What a URL of a template answers. Pure. A disabled template has its own page; an id that does not fit its format, and a
 * template whose type is archived, have the page of what does not exist.
 */
export function decideItem(facts: Facts, target: Target, nowMs: number): Decision {
  const { match } = target;
  invariant(match !== null && match.template !== null, 'a template target has a match');
  const entry = target.entry as HostEntry;
  if (match.reason === 'template_disabled') return status('disabled', entry, null, '');
  if (match.result !== 'match') return status('not_found', entry, null, '');
  const item = itemOf(match.template, match.id as string);
  const visitor = withClientHints(facts.visitor, facts.platform_hint, facts.platform_version);
  const context = { visitor, query: facts.query, now_ms: nowMs, host_role: entry.role, utm: NO_UTM };
  const lead = resolveVisit(context, item, entry.environment.record);
  if (lead.outcome === 'blocked') return status('blocked', entry, null, '');
  // The type's metadata API describes the item, and is asked for its card.
  const described = visitor.preview_bot && activeMetadataApi(entry.environment, item.template.resource_type_id) !== null;
  return led(facts, entry, {
    ...{ subject: item, link: null, item, path: item.path, visited_path: item.path, visitor },
    lead: described ? { ...lead, outcome: 'card' } : lead,
    guard: null,
  });
}

interface Found {
  readonly subject: ResolutionSubject | null;
  readonly link: LinkRecord | null;
  readonly item: TemplateItem | null;
  readonly path: string;
  readonly visited_path: string;
  readonly visitor: Visitor;
  readonly lead: Resolution;
  readonly guard: LinkRules | null;
}

/** A preview shows the link to its readers, and who is sent on to the link follows it there. */
const NO_CLICK: readonly Outcome[] = ['card', 'preview_redirect', 'to_link'];

/** A template sets no UTM fields. */
const NO_UTM: readonly Parameter[] = [];

function led(facts: Facts, entry: HostEntry, { subject, link, item, path, visited_path, visitor, lead, guard }: Found): Decision {
  return {
    outcome: lead.outcome,
    entry,
    // What a card says of a link's route is for those who are let in.
    subject: guard !== null && lead.outcome === 'card' ? null : subject,
    link,
    item,
    path,
    visited_path,
    visitor,
    destination: lead.destination,
    destination_kind: lead.destination_kind,
    click: facts.method !== 'HEAD' && facts.method !== 'other' && lead.continues === '' && !NO_CLICK.includes(lead.outcome),
    continues: lead.continues,
    bot_reason: botReason(visitor, facts),
    utm: lead.utm,
    query: lead.query,
    passed_query: lead.query,
    params_dropped: lead.params_dropped,
    guard: entryRules(lead, guard),
  };
}

/** Why the click is a program's; '' for a person. */
export function botReason(visitor: Visitor, { prefetch }: Facts): VisitorBotReason | 'prefetch' | '' {
  if (visitor.bot_reason !== '') return visitor.bot_reason;
  return prefetch ? 'prefetch' : '';
}

function status(outcome: StopOutcome, entry: HostEntry, link: LinkRecord | null, path: string): Decision {
  return {
    outcome,
    entry,
    subject: link,
    link,
    item: null,
    path,
    visited_path: path,
    visitor: UNKNOWN_VISITOR,
    destination: '',
    destination_kind: '',
    click: false,
    continues: '',
    bot_reason: '',
    utm: '',
    query: '',
    passed_query: '',
    params_dropped: false,
    guard: null,
  };
}
