import type { EnvironmentRecord } from '../records/records.js';
import { CLICK_ID_PARAMETER, isOfThisVisit, splitClickId } from './click-id.js';
import {
  type AppSettings,
  canOpenFirstApp,
  chooseDestination,
  chooseStorePage,
  type DestinationChoice,
  type DestinationSubject,
  type SlotTrial,
} from './destination.js';
import { type DestinationKind, isWebUrl, storeWebUrl } from './destination-safety.js';
import type { HostRole } from './hosts.js';
import { readPassthrough } from './passthrough.js';
import { isReferrerParameter } from './play-referrer.js';
import { type Parameter, withParameters } from './query.js';
import type { Platform, Visitor } from './recognise-visitor.js';
import { queryOf } from './utm.js';

/** What a link or an item answers to a visitor who follows it. */
export const RESOLUTION_OUTCOMES = [
  /** 302 to the destination. */
  'redirect',
  /** 302 to the same path on the open host. */
  'to_open_page',
  /** 302 to the store: the visitor comes from the open page, whose button did not open the app. */
  'to_store',
  /** 302 from the open host to the link itself: this visitor needs no page. */
  'to_link',
  /** 200, the page that opens the app. */
  'open_page',
  /** 200, a page with a link, for a destination that is not allowed in `Location`. */
  'app_page',
  /** 200, a page that names the app: no destination is set for this platform. */
  'no_destination',
  /** 200, a card for a preview bot. */
  'card',
  /** 302 for a preview bot to the web destination, so that the card of that page is shown. */
  'preview_redirect',
] as const;
export type ResolutionOutcome = (typeof RESOLUTION_OUTCOMES)[number];

/** What is followed: an active link, or a template with an item filled in. */
export interface ResolutionSubject extends DestinationSubject {
  /** The subject's own preview card, as JSON text; null if it has none. */
  readonly card: string | null;
  readonly allow_param_passthrough: boolean;
}

/** `link_only`: a link host, and the open page may not be shown, because it would lead back to another link (`wayBack`). */
export type VisitedHost = HostRole | 'link_only';

/** Who visits, and how. */
export interface VisitContext {
  readonly visitor: Visitor;
  /** The short URL's query as received, without `?`. It may begin with the id of the click that led to the open page. */
  readonly query: string;
  readonly now_ms: number;
  readonly host_role: VisitedHost;
  /** The effective UTM fields. */
  readonly utm: readonly Parameter[];
}

/** The settings of an environment that decide where a visitor is sent. */
export type ResolutionSettings = AppSettings & Pick<EnvironmentRecord, 'default_destinations' | 'interstitial' | 'append_click_id'>;

/** The answer. All values have one shape. */
export interface Resolution {
  /** `blocked`: the destination that the visitor would be sent to is on the block list. */
  readonly outcome: ResolutionOutcome | 'blocked';
  /** The URL that the visitor is sent to or shown, parameters included; '' if there is none. It does not contain a click's id yet. */
  readonly destination: string;
  readonly destination_kind: DestinationKind | '';
  /** The effective UTM fields as a query. */
  readonly utm: string;
  /** The visitor's query if it is passed on and was within bounds, else ''. */
  readonly query: string;
  readonly params_dropped: boolean;
  /** Id of the click that this request belongs to; '' if it is a visit of its own. */
  readonly continues: string;
}

/** Filled during the resolution if an explanation is wanted. */
export interface ResolutionTrace {
  readonly trials: SlotTrial[];
  choice: DestinationChoice | null;
  readonly utm_added: Parameter[];
  readonly passed_on: Parameter[];
}

export function newResolutionTrace(): ResolutionTrace {
  return { trials: [], choice: null, utm_added: [], passed_on: [] };
}

/**
 * Decides where a visitor of a link, or of a URL of a template, goes. This function answers every visit and every
 * question of a tester, which calls it with a `trace`. Pure: the same arguments give the same answer.
 */
export function resolveVisit(
  context: VisitContext,
  subject: ResolutionSubject,
  settings: ResolutionSettings,
  trace?: ResolutionTrace,
): Resolution {
  const platform = destinationPlatform(context.visitor);
  const choice =
    chooseDestination(platform, subject, settings.default_destinations, trace?.trials) ??
    chooseStorePage(platform, settings, trace?.trials);
  if (choice?.kind === 'blocked') return BLOCKED;
  if (trace !== undefined) trace.choice = choice;
  const { clickId, query } = context.query === '' ? NO_QUERY : splitClickId(context.query);
  const passed = subject.allow_param_passthrough && query !== '';
  const passthrough = readPassthrough(passed ? query : '');
  const returning = isOfThisVisit(clickId, context.now_ms);
  const outcome = context.visitor.preview_bot ? previewOf(subject, choice) : outcomeOf(context, choice, settings, returning);
  const url = choice === null ? '' : outcome === 'to_store' ? storeWebUrl(choice.url) : choice.url;
  const kept = choice === null ? [] : parametersFor(choice.kind, passthrough.parameters, settings);
  return {
    outcome,
    destination: withQuery(url, context.utm, kept, trace),
    destination_kind: choice === null ? '' : choice.kind,
    utm: queryOf(context.utm),
    query: passed && !passthrough.dropped ? query : '',
    params_dropped: passthrough.dropped,
    continues: returning && (outcome === 'to_store' || outcome === 'open_page') ? clickId : '',
  };
}

const BLOCKED: Resolution = {
  outcome: 'blocked',
  destination: '',
  destination_kind: '',
  utm: '',
  query: '',
  params_dropped: false,
  continues: '',
};

const NO_QUERY = { clickId: '', query: '' };

/** A preview bot may name any platform, and is led where web visitors go: what it shows is for readers on every platform. */
export function destinationPlatform({ preview_bot, platform }: Visitor): Platform {
  return preview_bot ? 'other' : platform;
}

/** The page behind a link describes itself better than we can, unless the link has a card. */
function previewOf({ card }: ResolutionSubject, choice: DestinationChoice | null): ResolutionOutcome {
  return card === null && choice !== null && isWebUrl(choice.url) ? 'preview_redirect' : 'card';
}

/** `returning`: the request has the id of a click of this visit, so the visitor has come by way of the open page. */
function outcomeOf(
  { visitor, host_role }: VisitContext,
  choice: DestinationChoice | null,
  settings: ResolutionSettings,
  returning: boolean,
): ResolutionOutcome {
  if (settings.interstitial && host_role !== 'link_only' && needsOpenPage(visitor, choice, settings)) {
    if (host_role === 'open') return 'open_page';
    // The button leads to the link, for the system to open the app. A visitor who arrives here does not have the app,
    // and showing the page again would be a loop.
    return returning && hasStorePage(choice) ? 'to_store' : 'to_open_page';
  }
  if (host_role === 'open') return 'to_link';
  if (choice === null) return 'no_destination';
  return choice.kind === 'web' || isWebUrl(choice.url) ? 'redirect' : 'app_page';
}

/** Both hosts use this test, so that a visitor whom the link host sends to the open host is never sent back. */
function needsOpenPage({ platform }: Visitor, choice: DestinationChoice | null, settings: ResolutionSettings): boolean {
  if (choice === null) return false;
  if (choice.source === 'app') return canOpenFirstApp(platform, settings);
  return choice.kind !== 'web' && (platform === 'ios' || platform === 'android');
}

function hasStorePage(choice: DestinationChoice | null): boolean {
  return choice !== null && choice.kind !== 'custom_scheme' && storeWebUrl(choice.url) !== '';
}

/**
 * The parameters of a visitor's query that a destination of the kind receives. They may not name a click if the
 * destination receives the click's id.
 */
export function parametersFor(
  kind: DestinationKind,
  parameters: readonly Parameter[],
  { append_click_id }: Pick<ResolutionSettings, 'append_click_id'>,
): readonly Parameter[] {
  if (kind === 'play_store') return parameters.filter(isNoReferrer);
  return kind === 'web' && append_click_id ? parameters.filter(isNoClickId) : parameters;
}

function isNoReferrer({ name }: Parameter): boolean {
  return !isReferrerParameter(name);
}

function isNoClickId({ name }: Parameter): boolean {
  return name !== CLICK_ID_PARAMETER;
}

/** Only an http(s) URL gets parameters: an app decides what a query means in its own scheme. */
function withQuery(url: string, utm: readonly Parameter[], passthrough: readonly Parameter[], trace?: ResolutionTrace): string {
  if ((utm.length === 0 && passthrough.length === 0) || !isWebUrl(url)) return url;
  return withParameters(withParameters(url, utm, trace?.utm_added), passthrough, trace?.passed_on);
}
