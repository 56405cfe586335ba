import type { LinkRecord } from '../../shared/feed/records.js';
import type { DestinationKind } from '../../shared/resolve/destination-safety.js';
import { LEAD_OUTCOMES, leadOn } from '../../shared/resolve/lead-on.js';
import { linkState } from '../../shared/resolve/link-state.js';
import { utmParameters } from '../../shared/resolve/utm.js';
import { UNKNOWN_VISITOR, type Visitor, withPlatformHint } from '../../shared/resolve/visitor.js';
import type { Facts } from '../http/facts.js';
import type { Target } from './locate.js';
import type { HostEntry } from './table.js';

export const OUTCOMES = [...LEAD_OUTCOMES, 'not_found', 'disabled', 'expired', 'deleted', 'blocked'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a link answers to a visitor. All values have one shape. */
export interface Decision {
  readonly outcome: Outcome;
  readonly entry: HostEntry;
  readonly link: LinkRecord | null;
  readonly path: string;
  readonly visitor: Visitor;
  /** Where the visitor is sent or shown the way to, parameters included; '' where there is nowhere. The click's id is not in it yet. */
  readonly destination: string;
  readonly destination_kind: DestinationKind | '';
  /** Somebody followed the link: a click is to be stored. */
  readonly click: boolean;
  readonly bot_reason: 'isbot' | 'prefetch' | '';
  /** The effective UTM fields as a query. */
  readonly utm: string;
  /** The visitor's query where the link passes it on and it was within bounds, else ''. */
  readonly query: string;
  readonly params_dropped: boolean;
}

/**
 * What the link at the target answers. `link` is null where there is none. Pure: the same arguments give the same
 * answer. The order is state, preview bot, platform.
 */
export function decide(facts: Facts, target: Target, link: LinkRecord | null, nowMs: number): Decision {
  const entry = target.entry as HostEntry;
  if (link === null) return status('not_found', entry, link, target.path);
  const state = linkState(link, nowMs);
  if (state !== 'active') return status(state, entry, link, target.path);
  const visitor = withPlatformHint(facts.visitor, facts.platform_hint);
  // No campaign is known to the table yet, so a link's own UTM fields stand alone.
  const approach = { visitor, query: facts.query, host_role: entry.role, utm: utmParameters(link.utm, null) };
  const lead = leadOn(approach, link, entry.environment.record);
  return {
    outcome: lead.outcome,
    entry,
    link,
    path: target.path,
    visitor,
    destination: lead.destination,
    destination_kind: lead.destination_kind,
    click: facts.method === 'GET' && entry.role === 'link' && lead.outcome !== 'card',
    bot_reason: visitor.bot_reason !== '' ? visitor.bot_reason : facts.prefetch ? 'prefetch' : '',
    utm: lead.utm,
    query: lead.query,
    params_dropped: lead.params_dropped,
  };
}

function status(outcome: Outcome, entry: HostEntry, link: LinkRecord | null, path: string): Decision {
  return {
    outcome,
    entry,
    link,
    path,
    visitor: UNKNOWN_VISITOR,
    destination: '',
    destination_kind: '',
    click: false,
    bot_reason: '',
    utm: '',
    query: '',
    params_dropped: false,
  };
}
