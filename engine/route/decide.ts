import type { LinkRecord } from '../../shared/feed/records.js';
import { chooseDestination, type DestinationChoice } from '../../shared/resolve/destination.js';
import { type DestinationKind, isWebUrl } from '../../shared/resolve/destination-safety.js';
import { linkState } from '../../shared/resolve/link-state.js';
import { readPassthrough } from '../../shared/resolve/passthrough.js';
import { isReferrerParameter } from '../../shared/resolve/play-referrer.js';
import { type Parameter, withParameters } from '../../shared/resolve/query.js';
import { queryOf, utmParameters } from '../../shared/resolve/utm.js';
import { type Visitor, withPlatformHint } from '../../shared/resolve/visitor.js';
import type { Facts } from '../http/facts.js';
import type { Target } from './locate.js';
import type { HostEntry } from './table.js';

export const OUTCOMES = [
  /** 302 to the destination. */
  'redirect',
  /** 302 to the same path on the open host. */
  'to_open_page',
  /** 302 from the open host to the link itself: this visitor needs no page. */
  'to_link',
  /** 200, the page that opens the app. */
  'open_page',
  /** 200, a page with a link, for a destination that may not stand in `Location`. */
  'app_page',
  /** 200, a page that names the app: no destination is set for this platform. */
  'no_destination',
  /** 200, a card for a preview bot. */
  'card',
  'not_found',
  'disabled',
  'expired',
  'deleted',
  'blocked',
] as const;
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
 * answer, and the link tester asks it the same way. The order is state, preview bot, platform.
 */
export function decide(facts: Facts, target: Target, link: LinkRecord | null, nowMs: number): Decision {
  const entry = target.entry as HostEntry;
  if (link === null) return status('not_found', entry, link, target.path);
  const state = linkState(link, nowMs);
  if (state !== 'active') return status(state, entry, link, target.path);
  const visitor = withPlatformHint(facts.visitor, facts.platform_hint);
  const choice = chooseDestination(visitor.platform, link, entry.environment.record.default_destinations);
  return leadOn(facts, { entry, link, path: target.path, visitor, choice });
}

interface Found {
  readonly entry: HostEntry;
  readonly link: LinkRecord;
  readonly path: string;
  readonly visitor: Visitor;
  readonly choice: DestinationChoice | null;
}

/** An active link, by who asks and for where. */
function leadOn(facts: Facts, found: Found): Decision {
  const { entry, link, visitor, choice } = found;
  // No campaign is known to the table yet, so a link's own UTM fields stand alone.
  const utm = utmParameters(link.utm, null);
  const passed = link.allow_param_passthrough && facts.query !== '';
  const passthrough = readPassthrough(passed ? facts.query : '');
  const onLinkHost = entry.role === 'link';
  const outcome = outcomeOf(found);
  return {
    outcome,
    entry,
    link,
    path: found.path,
    visitor,
    destination: choice === null ? '' : compose(choice, utm, passthrough.parameters),
    destination_kind: choice === null ? '' : choice.kind,
    click: facts.method === 'GET' && onLinkHost && outcome !== 'card',
    bot_reason: visitor.bot_reason !== '' ? visitor.bot_reason : facts.prefetch ? 'prefetch' : '',
    utm: queryOf(utm),
    query: passed && !passthrough.dropped ? facts.query : '',
    params_dropped: passthrough.dropped,
  };
}

function outcomeOf({ entry, visitor, choice }: Found): Outcome {
  if (visitor.preview_bot) return 'card';
  if (needsOpenPage(entry, visitor, choice)) return entry.role === 'open' ? 'open_page' : 'to_open_page';
  if (entry.role === 'open') return 'to_link';
  if (choice === null) return 'no_destination';
  return isWebUrl(choice.url) ? 'redirect' : 'app_page';
}

/** The same test on both hosts: what the link host sends to the open host is never sent back. */
function needsOpenPage(entry: HostEntry, visitor: Visitor, choice: DestinationChoice | null): boolean {
  if (choice === null || choice.kind === 'web' || !entry.environment.record.interstitial) return false;
  return visitor.platform === 'ios' || visitor.platform === 'android';
}

/** Only an http(s) URL takes parameters: what an app's own scheme means by a query is the app's. */
function compose(choice: DestinationChoice, utm: readonly Parameter[], passthrough: readonly Parameter[]): string {
  if ((utm.length === 0 && passthrough.length === 0) || !isWebUrl(choice.url)) return choice.url;
  const kept = choice.kind === 'play_store' ? passthrough.filter((parameter) => !isReferrerParameter(parameter.name)) : passthrough;
  return withParameters(withParameters(choice.url, utm), kept);
}

function status(outcome: Outcome, entry: HostEntry, link: LinkRecord | null, path: string): Decision {
  return {
    outcome,
    entry,
    link,
    path,
    visitor: NOBODY,
    destination: '',
    destination_kind: '',
    click: false,
    bot_reason: '',
    utm: '',
    query: '',
    params_dropped: false,
  };
}

const NOBODY: Visitor = { platform: 'other', os_version: '', in_app_browser: '', preview_bot: false, bot_reason: '' };
