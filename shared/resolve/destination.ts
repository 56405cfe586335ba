import type { DestinationSlot, Destinations, EnvironmentRecord } from '../records/records.js';
import { type DestinationKind, type DestinationRefusal, isDestinationKind, isWebUrl, judgeDestination } from './destination-safety.js';
import { encodeValue, escapeRoute } from './query.js';
import type { Platform } from './recognise-visitor.js';

/** The slots that a platform's visitors are sent to, in order of precedence. */
export const SLOT_ORDER: { readonly [Key in Platform]: readonly DestinationSlot[] } = {
  ios: ['ios', 'fallback', 'web'],
  android: ['android', 'fallback', 'web'],
  desktop: ['desktop', 'web', 'fallback'],
  other: ['web', 'fallback'],
};

/** `app` is the store page of the environment's first app for the platform, used if nothing else is set. */
export type DestinationSource = 'link' | 'environment' | 'app';

export type AppSettings = Pick<EnvironmentRecord, 'ios_apps' | 'android_apps'>;

export interface DestinationChoice {
  readonly slot: DestinationSlot;
  readonly source: DestinationSource;
  readonly url: string;
  readonly kind: DestinationKind;
}

/** The choice if the operator has put the destination on the block list. */
export interface BlockedChoice {
  readonly slot: DestinationSlot;
  readonly source: DestinationSource;
  readonly url: '';
  readonly kind: 'blocked';
}

/**
 * Replaces a destination that is on the block list in an engine's records, because engines do not receive the URL
 * itself. An engine that does not know this value refuses its scheme.
 */
export const BLOCKED_DESTINATION = 'blob:blocked';

/** One attempt at one slot, for the explanation of a choice. */
export interface SlotTrial {
  readonly slot: DestinationSlot;
  readonly source: DestinationSource;
  /** With the deep link path filled in; null if nothing is set. */
  readonly url: string | null;
  readonly refusal: DestinationRefusal | 'blocked' | null;
}

/** The fields of a link that decide where it leads. */
export interface DestinationSubject {
  readonly destinations: Destinations;
  readonly deep_link_path: string;
}

/**
 * Chooses where a visitor of the platform is sent: for each slot in its order the link's own destination, else the
 * environment's default. A destination that may not be emitted counts as absent. A blocked one is not skipped, because
 * nobody may be led elsewhere than the owner said. Null if no slot has a destination.
 * `trials` receives every attempt in turn; the last one of a choice is the slot taken.
 */
export function chooseDestination(
  platform: Platform,
  subject: DestinationSubject,
  defaults: Destinations,
  trials?: SlotTrial[],
): DestinationChoice | BlockedChoice | null {
  for (const slot of SLOT_ORDER[platform]) {
    const own = subject.destinations[slot];
    const ownChoice = tryUrl(slot, 'link', own, trials);
    if (ownChoice !== null) return ownChoice;
    const pattern = defaults[slot];
    const url = pattern === null ? null : fillDeepLinkPath(pattern, subject.deep_link_path);
    const choice = tryUrl(slot, 'environment', url, trials);
    if (choice !== null) return choice;
  }
  return null;
}

/** Where a phone is sent if neither the link nor the environment sets a destination: the store page of the first app. */
export function chooseStorePage(platform: Platform, apps: AppSettings, trials?: SlotTrial[]): DestinationChoice | BlockedChoice | null {
  if (platform === 'ios') return tryUrl('ios', 'app', apps.ios_apps[0]?.app_store_url ?? null, trials);
  if (platform === 'android') return tryUrl('android', 'app', apps.android_apps[0]?.play_store_url ?? null, trials);
  return null;
}

/** Whether the system can open the first app: by the app's own scheme, or by links of this host. */
export function canOpenFirstApp(platform: Platform, { ios_apps, android_apps }: AppSettings): boolean {
  // An iOS app is in the host's app-link file by its team and bundle alone.
  if (platform === 'ios') return ios_apps.length > 0;
  const app = platform === 'android' ? android_apps[0] : undefined;
  return app !== undefined && (app.uri_scheme !== null || app.sha256_cert_fingerprints.length > 0);
}

/** The choice of this URL; null if there is no URL or it may not be emitted. */
function tryUrl(
  slot: DestinationSlot,
  source: DestinationSource,
  url: string | null,
  trials: SlotTrial[] | undefined,
): DestinationChoice | BlockedChoice | null {
  if (url === null) {
    trials?.push({ slot, source, url, refusal: null });
    return null;
  }
  if (url === BLOCKED_DESTINATION) {
    trials?.push({ slot, source, url: null, refusal: 'blocked' });
    return { slot, source, url: '', kind: 'blocked' };
  }
  const judged = judgeDestination(url, slot);
  const kind = isDestinationKind(judged) ? judged : null;
  trials?.push({ slot, source, url, refusal: isDestinationKind(judged) ? null : judged });
  return kind === null ? null : { slot, source, url, kind };
}

export const DEEP_LINK_PATH_PLACEHOLDER = '{deep_link_path}';

/**
 * Returns a default destination with the link's deep link path filled in. In a query or fragment the path is one
 * encoded value; before them it is a route, which may have a query and a fragment of its own. A publishable key can
 * choose the path of a link that it creates, so the path must not reach the host: if the host of an http(s) pattern is
 * not complete before the placeholder, the path is left out, and what remains is not a URL.
 */
export function fillDeepLinkPath(pattern: string, deepLinkPath: string): string {
  const at = pattern.indexOf(DEEP_LINK_PATH_PLACEHOLDER);
  if (at === -1) return pattern;
  const before = pattern.slice(0, at);
  if (/^https?:/i.test(pattern) && !isWebUrl(before)) return before;
  const route = deepLinkPath.startsWith('/') ? deepLinkPath : `/${deepLinkPath}`;
  const inRoute = !before.includes('?') && !before.includes('#');
  // A route after a slash would begin with two slashes, which servers distinguish from one.
  const head = inRoute && before.endsWith('/') && !before.endsWith('//') && isWebUrl(before) ? before.slice(0, -1) : before;
  const after = pattern.slice(at + DEEP_LINK_PATH_PLACEHOLDER.length).replaceAll(DEEP_LINK_PATH_PLACEHOLDER, encodeValue(route));
  return head + (inRoute ? joinRoute(escapeRoute(route), after) : encodeValue(route) + after);
}

const ROUTE_PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

/**
 * Joins a route with what follows it in the pattern, part by part: path with path, query with query. There is only one
 * fragment, and the route's takes precedence over the pattern's because the route is the link's own.
 */
function joinRoute(route: string, after: string): string {
  if (after === '' || (!route.includes('?') && !route.includes('#'))) return route + after;
  const [, path = '', query = '', fragment] = ROUTE_PARTS.exec(route) ?? [];
  const [, morePath = '', moreQuery = '', otherFragment = ''] = ROUTE_PARTS.exec(after) ?? [];
  const queries = [query, moreQuery].filter(Boolean).join('&');
  return path + morePath + (queries === '' ? '' : `?${queries}`) + (fragment ?? otherFragment);
}
