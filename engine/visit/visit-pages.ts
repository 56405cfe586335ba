import { clickDeviceUrl, mayBeTablet, mayTellDevice } from '../../shared/attribution/click-device.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { appLinks, type Card } from '../../shared/metadata/card.js';
import type { CardContext } from '../../shared/metadata/card-html.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { appOfDestination } from '../../shared/resolve/app-of-destination.js';
import { CLICK_ID_PARAMETER } from '../../shared/resolve/click-id.js';
import { chooseDestination } from '../../shared/resolve/destination.js';
import { isWebUrl, storeWebUrl } from '../../shared/resolve/destination-safety.js';
import { normaliseHost } from '../../shared/resolve/hosts.js';
import { readPassthrough } from '../../shared/resolve/passthrough.js';
import { withPlayReferrer } from '../../shared/resolve/play-referrer.js';
import { escapePiece, withParameters } from '../../shared/resolve/query.js';
import { type Platform, UNKNOWN_VISITOR, type Visitor } from '../../shared/resolve/recognise-visitor.js';
import { parametersFor, resolveVisit } from '../../shared/resolve/resolve-visit.js';
import type { Facts } from '../http/facts.js';
import type { OpenPage } from '../pages/open-page.js';
import type { Language } from '../pages/texts/language.js';
import type { Decision } from './decide.js';
import type { HostEntry } from './table.js';

/** Returns the destination. A Play Store URL carries the click's id, and so does a web page if the environment has that setting. */
export function redirectUrl(decision: Decision, clickId: string): string {
  if (clickId === '') return decision.destination;
  if (decision.destination_kind === 'play_store') return withPlayReferrer(decision.destination, clickId);
  return tellsWebPage(decision) ? withClickId(decision.destination, clickId, decision.entry) : decision.destination;
}

/** Whether the redirect of the decision passes the click's id to a web page. */
export function tellsWebPage({ outcome, destination_kind, entry }: Decision): boolean {
  return outcome === 'redirect' && destination_kind === 'web' && entry.environment.record.append_click_id;
}

/**
 * If the URL already sets the parameter, its value is kept. A URL of the service itself stays as it is: its link host would take the id for
 * that of its own open page, and would neither count the visit nor show the page.
 */
function withClickId(url: string, clickId: string, { hosts }: HostEntry): string {
  if (hosts.has(normaliseHost(parseUrl(url)?.hostname ?? ''))) return url;
  return withParameters(url, [{ name: CLICK_ID_PARAMETER, text: `${CLICK_ID_PARAMETER}=${clickId}` }]);
}

/** Chrome on Android no longer has the version in its user agent, and sends it to a site that has asked for it once. */
export function asksVersion({ platform, os_version }: Visitor): boolean {
  return platform === 'android' && os_version === '';
}

/**
 * Returns the link as it is shown to people: at the requested address, or on the link host if the open host was requested. An
 * alias is not replaced by the path of its link, because that path may be the alias of another link.
 */
export function shownUrl(decision: Decision): string {
  const { entry, path, visited_path, query } = decision;
  return path === '' ? withVisit(addressOf(decision), query, '') : `${entry.link_origin}/${visited_path}`;
}

/** A long link has an empty path; its query says where it leads. */
function addressOf({ entry, path }: Decision): string {
  return `${entry.link_origin}/${path}`;
}

/** Returns the link with the parameters that it passes on. `clickId` is '' if there is no click to continue. */
export function linkUrl(decision: Decision, clickId: string): string {
  return withVisit(addressOf(decision), decision.query, clickId);
}

/** Returns the same path on the open host, with the click's id. `clickId` is '' for a request that is not a click. */
export function openUrl(decision: Decision, clickId: string): string {
  return withVisit(`${decision.entry.environment.open_origin}/${decision.path}`, decision.query, clickId);
}

function withVisit(url: string, query: string, clickId: string): string {
  const escaped = query === '' ? '' : query.split('&').map(escapePiece).join('&');
  if (clickId === '') return escaped === '' ? url : `${url}?${escaped}`;
  return `${url}?${CLICK_ID_PARAMETER}=${clickId}${escaped === '' ? '' : `&${escaped}`}`;
}

/** Returns the page on the open host, or the page on the link host for a destination that a browser cannot be redirected to. */
export function openPageOf(facts: Facts, decision: Decision, clickId: string, language: Language): OpenPage {
  const { record, brand } = decision.entry.environment;
  const store_url = storeUrl(decision, record, clickId);
  const in_app = decision.visitor.in_app_browser !== '';
  const app = appUrls(facts, decision, { store_url, clickId });
  // On Android, browsers go to the store by themselves if the app is missing. On iOS nothing happens without a tap, so the visitor
  // may choose.
  const web_url = store_url === '' || decision.visitor.platform === 'ios' ? webUrl(decision, clickId) : '';
  // Google Play passes the click on by itself. The URL needs no query, because the click has it.
  const copied = decision.visitor.platform === 'ios' && store_url !== '' && clickId !== '';
  const copied_url = copied ? withVisit(addressOf(decision), '', clickId) : '';
  const { open_url, attempt_url } = app;
  const device_url = mayTellDevice(decision.visitor) ? deviceUrl(facts, clickId) : '';
  return { brand, language, store_url, web_url, copied_url, in_app, open_url, device_url, attempt_url: in_app ? '' : attempt_url };
}

/** Returns '' for a visitor who has opted out. */
function deviceUrl({ opted_out }: Facts, clickId: string): string {
  return opted_out ? '' : clickDeviceUrl(clickId);
}

/** The visitor that the request would come from if the Mac of its user agent were an iPad. */
const TABLET: Visitor = { ...UNKNOWN_VISITOR, platform: 'ios' };

/**
 * Returns the page that opens the app for a visitor whose user agent says Mac, if the link has nothing for a desktop and would
 * lead an iPad to an app; null for everybody else.
 */
export function tabletPageOf(facts: Facts, decision: Decision, clickId: string, language: Language): OpenPage | null {
  const { subject, entry } = decision;
  if (subject === null || decision.bot_reason !== '' || !mayBeTablet(decision.visitor, facts.user_agent)) return null;
  const context = { visitor: TABLET, query: '', now_ms: 0, host_role: 'link' as const, utm: [] };
  const { outcome, destination, destination_kind } = resolveVisit(context, subject, entry.environment.record);
  const leadsToApp = outcome !== 'blocked' && (destination_kind === 'app_store' || destination_kind === 'custom_scheme');
  if (!leadsToApp) return null;
  // As on every page of the link host itself, the link cannot open the app, so only the store remains.
  const page = openPageOf(facts, { ...decision, visitor: TABLET, outcome: 'app_page', destination, destination_kind }, clickId, language);
  return page.open_url === '' && page.store_url === '' ? null : { ...page, device_url: deviceUrl(facts, clickId) };
}

/**
 * Returns what opens the app: the destination if it has the app's own scheme, otherwise the link, which the system hands to the
 * app because it is on another host than the page. Android browsers get an intent, which says where to go without the app. Firefox
 * does not: it asks before it follows an intent, and meanwhile the page stays visible and the timer would run out.
 */
function appUrls(facts: Facts, decision: Decision, { store_url, clickId }: { store_url: string; clickId: string }) {
  const custom = decision.destination_kind === 'custom_scheme';
  // On a page of the link host itself, the link cannot open the app, so only the store remains.
  if (!custom && decision.outcome === 'app_page') return { open_url: '', attempt_url: '' };
  const plain = custom ? decision.destination : linkUrl(decision, clickId);
  if (decision.visitor.platform !== 'android' || FIREFOX.test(facts.user_agent)) return { open_url: plain, attempt_url: '' };
  const fallback = storeWebUrl(store_url) || webUrl(decision, clickId);
  // Without a page to fall back to, Chrome would look the package up in the Play Store, which may not have it.
  const intent = intentUrl(plain, fallback === '' ? '' : packageOf(decision, store_url), fallback);
  return { open_url: intent, attempt_url: intent };
}

const FIREFOX = /firefox\/|fxios\//i;

/**
 * Returns the destination for visitors without a platform, with the parameters and the click's id of the visit; '' if it is not a
 * web page.
 */
function webUrl({ subject, entry, utm, passed_query }: Decision, clickId: string): string {
  if (subject === null) return '';
  const { record } = entry.environment;
  const choice = chooseDestination('other', subject, record.default_destinations);
  if (choice?.kind !== 'web') return '';
  const passed = parametersFor('web', readPassthrough(passed_query).parameters, record);
  const url = withParameters(withParameters(choice.url, readPassthrough(utm).parameters), passed);
  return record.append_click_id && clickId !== '' ? withClickId(url, clickId, entry) : url;
}

/** Returns the destination if it is a store, otherwise the store page of the app that it opens. */
function storeUrl(decision: Decision, record: EnvironmentRecord, clickId: string): string {
  const kind = decision.destination_kind;
  const own = kind === 'app_store' || kind === 'play_store' ? decision.destination : appStoreUrl(decision, record);
  const play = kind === 'play_store' || (kind === 'custom_scheme' && decision.visitor.platform === 'android');
  return own !== '' && play && clickId !== '' ? withPlayReferrer(own, clickId) : own;
}

function appStoreUrl({ visitor, destination }: Decision, { ios_apps, android_apps }: EnvironmentRecord): string {
  const url =
    visitor.platform === 'android'
      ? appOfDestination(android_apps, destination)?.play_store_url
      : appOfDestination(ios_apps, destination)?.app_store_url;
  return url !== null && url !== undefined && isWebUrl(url) ? url : '';
}

/**
 * Returns the package of the app whose own scheme the destination has; otherwise the package of the store page, or that of the
 * first app.
 */
function packageOf({ destination, destination_kind, entry }: Decision, storeUrl: string): string {
  const app = appOfDestination(entry.environment.record.android_apps, destination)?.package_name ?? '';
  return destination_kind === 'custom_scheme' ? app : (/[?&]id=([A-Za-z0-9._]+)/.exec(storeUrl)?.[1] ?? app);
}

/**
 * Returns a URL with which Chrome opens an app from a page, with a fallback for visitors without the app
 * (https://developer.chrome.com/docs/android/intents). The intent's own fields follow `#`, so the URL's fragment is dropped.
 */
function intentUrl(url: string, packageName: string, fallbackUrl: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):([^#]*)/i.exec(url);
  if (parts === null) return '';
  const target = packageName === '' ? '' : `package=${packageName};`;
  const fallback = fallbackUrl !== '' ? `S.browser_fallback_url=${encodeURIComponent(fallbackUrl)};` : '';
  return `intent:${parts[2]}#Intent;scheme=${parts[1]};${target}${fallback}end`;
}

/** Returns what surrounds the card of the link or item. */
export function cardContext(decision: Decision, card: Card): CardContext {
  const { subject, entry } = decision;
  const { record } = entry.environment;
  const ios = appOfDestination(record.ios_apps, destinationOn('ios', decision));
  const android = appOfDestination(record.android_apps, destinationOn('android', decision));
  return {
    site_name: record.project_name,
    shared_url: shownUrl(decision),
    onward_url: decision.destination,
    apps: appLinks(ios, android, card.deep_link_path ?? subject?.deep_link_path ?? '/'),
  };
}

/** Returns where visitors of the platform are sent; '' if that is nowhere or must not be revealed. */
function destinationOn(platform: Platform, { subject, entry }: Decision): string {
  if (subject === null) return '';
  return chooseDestination(platform, subject, entry.environment.record.default_destinations)?.url ?? '';
}
