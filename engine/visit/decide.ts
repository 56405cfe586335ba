import { PASSTHROUGH_BYTES_MAX } from '../../shared/base/limits.js';
import type { LinkRules } from '../../shared/records/link-rules.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { DestinationKind } from '../../shared/resolve/destination-safety.js';
import { entryRules, followLink, type Outcome, type StopOutcome } from '../../shared/resolve/follow-link.js';
import type { Parameter } from '../../shared/resolve/query.js';
import { UNKNOWN_VISITOR, type Visitor, type VisitorBotReason, withClientHints } from '../../shared/resolve/recognise-visitor.js';
import { type Resolution, type ResolutionSubject, resolveVisit, type VisitedHost } from '../../shared/resolve/resolve-visit.js';
import { itemOf, type TemplateItem } from '../../shared/resolve/template-route.js';
import type { Facts } from '../http/facts.js';
import type { ItemTarget, LinkTarget, LongLinkTarget } from './locate.js';
import { activeMetadataApi, type HostEntry } from './table.js';

/** What a visitor of a link or of a template's URL gets. All values have the same shape. */
export interface Decision {
  readonly outcome: Outcome;
  readonly entry: HostEntry;
  /** The link or the item that the visit follows; null if there is none. */
  readonly subject: ResolutionSubject | null;
  readonly link: LinkRecord | null;
  readonly item: TemplateItem | null;
  /** The path of the short URL, without the leading slash; '' for a long link. */
  readonly path: string;
  /** The path that was visited: an alias of the link, or the link's own. */
  readonly visited_path: string;
  readonly visitor: Visitor;
  /** Where the visitor is sent, directly or through a page, with parameters; '' if nowhere. It does not contain the click's id yet. */
  readonly destination: string;
  readonly destination_kind: DestinationKind | '';
  /** Whether to store a click. */
  readonly click: boolean;
  /** The id of the click that this request continues; '' if it is a visit of its own. */
  readonly continues: string;
  readonly bot_reason: VisitorBotReason | 'prefetch' | '';
  /** The effective UTM fields as a query. */
  readonly utm: string;
  /** The visitor's query if the link passes it on and it is not too large, otherwise ''. For a long link, the whole query. */
  readonly query: string;
  /** The same without the parameters that make up a long link. This part is passed on to the destination. */
  readonly passed_query: string;
  readonly params_dropped: boolean;
  /** The rules that a visitor has to pass first (password, click limit); null if there are none. */
  readonly protection: LinkRules | null;
}

/**
 * Decides what a visitor of the target's link gets. `link` is null if there is none, `country` is '' if it is unknown. Pure: the
 * same arguments give the same decision. Rules apply in this order: state, preview bot, platform.
 */
export function decide(
  facts: Facts,
  { entry, path, alias }: LinkTarget | LongLinkTarget,
  link: LinkRecord | null,
  nowMs: number,
  country = '',
  host_role: VisitedHost = entry.role,
): Decision {
  const { record, campaigns } = entry.environment;
  const visitor = withClientHints(facts.visitor, facts.platform_hint, facts.platform_version);
  const visit = { visitor, query: facts.query, host_role, country };
  const answer = followLink(link, visit, { settings: record, campaigns }, { nowMs });
  if (answer.kind === 'stop') return stopped(answer.outcome, entry, link, path);
  const { resolution, subject, protection } = answer;
  return decisionOf(facts, entry, { subject, link, item: null, path, visited_path: alias || path, visitor, resolution, protection });
}

/**
 * Returns the decision for a visit to a long link. A long link is identified by its whole query: the open page and the way back
 * from it need all of it. The click keeps the query unless it is too large.
 */
export function ofLongLink(decision: Decision, query: string): Decision {
  const params_dropped = Buffer.byteLength(query) > PASSTHROUGH_BYTES_MAX;
  return { ...decision, path: '', query, params_dropped };
}

/**
 * Decides what a visitor of a template's URL gets. Pure. A disabled template has its own page. If the id does not match its
 * format, or the type of the template is archived, the visitor gets the page for "not found".
 */
export function decideItem(facts: Facts, { entry, match }: ItemTarget, nowMs: number, host_role: VisitedHost = entry.role): Decision {
  if (match.reason === 'template_disabled') return stopped('disabled', entry, null, '');
  if (match.result !== 'match') return stopped('not_found', entry, null, '');
  const item = itemOf(match.template, match.id);
  const visitor = withClientHints(facts.visitor, facts.platform_hint, facts.platform_version);
  const context = { visitor, query: facts.query, now_ms: nowMs, host_role, utm: NO_UTM };
  const resolution = resolveVisit(context, item, entry.environment.record);
  if (resolution.outcome === 'blocked') return stopped('blocked', entry, null, '');
  // The type's metadata API describes the item, so it is asked for the card.
  const described = visitor.preview_bot && activeMetadataApi(entry.environment, item.template.resource_type_id) !== null;
  return decisionOf(facts, entry, {
    ...{ subject: item, link: null, item, path: item.path, visited_path: item.path, visitor },
    resolution: described ? { ...resolution, outcome: 'card' } : resolution,
    protection: null,
  });
}

interface Found {
  readonly subject: ResolutionSubject | null;
  readonly link: LinkRecord | null;
  readonly item: TemplateItem | null;
  readonly path: string;
  readonly visited_path: string;
  readonly visitor: Visitor;
  readonly resolution: Resolution;
  readonly protection: LinkRules | null;
}

/** Outcomes that are not clicks: a preview, and a redirect to the link, which counts the visit itself. */
const NO_CLICK: readonly Outcome[] = ['card', 'preview_redirect', 'to_link'];

/** A template sets no UTM fields. */
const NO_UTM: readonly Parameter[] = [];

function decisionOf(
  facts: Facts,
  entry: HostEntry,
  { subject, link, item, path, visited_path, visitor, resolution, protection }: Found,
): Decision {
  return {
    outcome: resolution.outcome,
    entry,
    // The card must not reveal where a protected link leads.
    subject: protection !== null && resolution.outcome === 'card' ? null : subject,
    link,
    item,
    path,
    visited_path,
    visitor,
    destination: resolution.destination,
    destination_kind: resolution.destination_kind,
    click: facts.method !== 'HEAD' && facts.method !== 'other' && resolution.continues === '' && !NO_CLICK.includes(resolution.outcome),
    continues: resolution.continues,
    bot_reason: botReason(visitor, facts),
    utm: resolution.utm,
    query: resolution.query,
    passed_query: resolution.query,
    params_dropped: resolution.params_dropped,
    protection: entryRules(resolution, protection),
  };
}

/** Why the click counts as a bot's; '' for a person. */
export function botReason(visitor: Visitor, { prefetch }: Facts): VisitorBotReason | 'prefetch' | '' {
  if (visitor.bot_reason !== '') return visitor.bot_reason;
  return prefetch ? 'prefetch' : '';
}

function stopped(outcome: StopOutcome, entry: HostEntry, link: LinkRecord | null, path: string): Decision {
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
    protection: null,
  };
}
