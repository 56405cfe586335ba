import { isStorable } from '../base/issue.js';
import {
  CARD_DESCRIPTION_CHARACTERS_MAX,
  CARD_TITLE_CHARACTERS_MAX,
  DEEP_LINK_PATH_CHARACTERS_MAX,
  UTM_CHARACTERS_MAX,
} from '../base/limits.js';
import { LONG_LINK_CHARACTERS_MAX } from '../base/long-link-limits.js';
import { parseUrl } from '../base/parse-url.js';
import { rulesOf, rulesText } from '../records/link-rules.js';
import {
  type Destinations,
  type EnvironmentRecord,
  type LinkRecord,
  UTM_FIELDS,
  type Utm,
  type UtmField,
  utmOrNull,
} from '../records/records.js';
import { splitClickId } from './click-id.js';
import { schemeOf, storeOfScheme, storeWebUrl } from './destination-safety.js';
import { decodeName } from './query.js';
import { appSchemes, type OwnSchemes, storedDestination, storedImage } from './stored-destination.js';

/**
 * Long links, as Firebase Dynamic Links called them: an address `/` whose query alone says where it leads
 * (https://firebase.google.com/docs/dynamic-links/create-manually). Such a visit is a visit of a stored link, the
 * environment's `long_link_path`, with the destinations of the query instead of its own.
 */

/** The settings of an environment with which long links are read. */
export type LongLinkSettings = Pick<EnvironmentRecord, 'long_link_hosts' | 'long_link_path' | 'ios_apps' | 'android_apps'>;

/** What a long link replaces in the stored link of the visit. */
export interface LongLink {
  readonly destinations: Destinations;
  readonly deep_link_path: string;
  readonly utm: Utm | null;
  /** A `LinkCard` as JSON text. */
  readonly card: string | null;
  /** `efr=1`: phones skip the page that opens the app. */
  readonly without_page: boolean;
  /** Every URL of the long link, for the block list. */
  readonly urls: readonly string[];
  /** The query as received, without the id of a click. */
  readonly query: string;
  /** The id of a click if the query began with one, and the parameters that are not part of a long link, which the link may pass on. */
  readonly visit_query: string;
}

export type ReadLongLink =
  | { readonly kind: 'long_link'; readonly path: string; readonly content: LongLink }
  /** The address is not a long link here: long links are off, or the query has no `link`. */
  | { readonly kind: 'none' }
  /** `detail` says which parameter is wrong, and how. */
  | { readonly kind: 'refused'; readonly detail: string };

/** The path on which long links are answered. */
export const LONG_LINK_ADDRESS = '/';

const NONE: ReadLongLink = { kind: 'none' };

/** Every parameter of a long link. Those without a counterpart here are read, have no effect, and are not passed on. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...'link,apn,afl,amv,ibi,ifl,ius,ipfl,ipbi,isi,imv,efr,ofl,st,sd,si,at,ct,mt,pt,d'.split(','),
  ...UTM_FIELDS,
]);

/** Reads the query of a visit to `/`. The query is untrusted: only the environment says which hosts it may lead to. */
export function readLongLink(visitQuery: string, settings: LongLinkSettings): ReadLongLink {
  const { long_link_path: path } = settings;
  if (path === null || settings.long_link_hosts.length === 0) return NONE;
  const { clickId, query } = splitClickId(visitQuery);
  if (query.length > LONG_LINK_CHARACTERS_MAX) return refused(`The query has more than ${LONG_LINK_CHARACTERS_MAX} characters.`);
  const given = new URLSearchParams(query);
  if (!given.has('link')) return NONE;
  const read = readUrls(given, settings);
  if (typeof read === 'string') return refused(read);
  const { image, destinations } = read;
  const route = routeOfDeepLink(destinations.web as string) ?? '/';
  const rest = query.split('&').filter((piece) => !PARAMETERS.has(decodeName(piece.split('=', 1)[0] as string)));
  return {
    kind: 'long_link',
    path,
    content: {
      destinations,
      deep_link_path: route.length > DEEP_LINK_PATH_CHARACTERS_MAX ? '/' : route,
      utm: utmOf((field) => textOf(given, field, UTM_CHARACTERS_MAX)),
      card: cardOf(given, image),
      without_page: given.get('efr') === '1',
      urls: [...new Set([...Object.values(destinations), image])].filter((url) => url !== null),
      query,
      visit_query: [...(clickId === '' ? [] : [`click_id=${clickId}`]), ...rest].filter(Boolean).join('&'),
    },
  };
}

function refused(detail: string): ReadLongLink {
  return { kind: 'refused', detail };
}

interface ReadUrls {
  readonly destinations: Destinations;
  readonly image: string | null;
}

/** Returns the URLs of the query as they would be stored, or a sentence if one may not be followed. */
function readUrls(given: URLSearchParams, settings: LongLinkSettings): ReadUrls | string {
  const schemes = appSchemes(settings);
  const web = readUrl(given, 'link', 'web', { settings, schemes });
  const ios = readUrl(given, 'ifl', 'ios', { settings, schemes });
  const android = readUrl(given, 'afl', 'android', { settings, schemes });
  const desktop = readUrl(given, 'ofl', 'desktop', { settings, schemes });
  const image = readImage(given);
  const wrong = [web, ios, android, desktop, image].find((read) => read.problem !== '');
  if (wrong !== undefined) return wrong.problem;
  if (web.url === null) return 'link: must name a URL.';
  return {
    // Where the query names nothing else, `link` is followed, as in Firebase, and not a default of the environment.
    destinations: {
      ios: ios.url ?? ownAppStorePage(given.get('isi'), settings) ?? web.url,
      android: android.url ?? ownPlayStorePage(given.get('apn'), settings) ?? web.url,
      web: web.url,
      desktop: desktop.url ?? web.url,
      fallback: web.url,
    },
    image: image.url,
  };
}

/** `problem` is '' if nothing is wrong. */
interface ReadUrl {
  readonly url: string | null;
  readonly problem: string;
}

const NO_URL: ReadUrl = { url: null, problem: '' };

function readUrl(
  given: URLSearchParams,
  name: string,
  slot: 'web' | 'ios' | 'android' | 'desktop',
  { settings, schemes }: { readonly settings: LongLinkSettings; readonly schemes: OwnSchemes },
): ReadUrl {
  const text = given.get(name);
  if (text === null || text === '') return NO_URL;
  const outcome = storedDestination(text, slot, schemes);
  if (outcome.kind === 'refused') return { url: null, problem: `${name}: ${outcome.detail}` };
  if (mayLeadTo(outcome.url, settings)) return { url: outcome.url, problem: '' };
  return {
    url: null,
    problem: `${name}: The host is not in long_link_hosts of the environment, and the URL is not the store page of one of its apps.`,
  };
}

/**
 * Whether a long link may lead to the URL. A scheme other than http(s) has already been found to be that of an app of
 * the environment, unless it opens a store.
 */
function mayLeadTo(url: string, settings: LongLinkSettings): boolean {
  const web = parseUrl(storeWebUrl(url));
  if (web === null) return storeOfScheme(schemeOf(url) ?? '') === undefined;
  const { hostname, pathname, searchParams } = web;
  if (settings.long_link_hosts.includes(hostname)) return true;
  if (APPLE_HOSTS.has(hostname)) return ownAppStorePage(APPLE_ID.exec(pathname)?.[1] ?? null, settings) !== null;
  return hostname === PLAY_HOST && settings.android_apps.some(({ package_name }) => package_name === searchParams.get('id'));
}

const APPLE_HOSTS: ReadonlySet<string> = new Set(['apps.apple.com', 'itunes.apple.com']);
const APPLE_ID = /\/id(\d{1,20})(?=\/|$)/;
const PLAY_HOST = 'play.google.com';

/**
 * The page of the app that `isi` names, if it is one of the environment's. Otherwise a link could lead to any app in
 * the environment's name.
 */
function ownAppStorePage(isi: string | null, { ios_apps }: Pick<LongLinkSettings, 'ios_apps'>): string | null {
  if (isi === null) return null;
  const own = ios_apps.find(({ app_store_url }) => APPLE_ID.exec(parseUrl(app_store_url ?? '')?.pathname ?? '')?.[1] === isi);
  return own?.app_store_url ?? null;
}

function ownPlayStorePage(apn: string | null, { android_apps }: Pick<LongLinkSettings, 'android_apps'>): string | null {
  const own = android_apps.find(({ package_name }) => package_name === apn);
  return own === undefined ? null : (own.play_store_url ?? playStorePage(own.package_name));
}

/** The App Store page of the app with this number, which `isi` names. */
export function appStorePage(isi: string): string {
  return `https://apps.apple.com/app/id${isi}`;
}

export function playStorePage(apn: string): string {
  return `https://play.google.com/store/apps/details?id=${encodeURIComponent(apn)}`;
}

/** What an app receives of the deep link: its path, its query, and its fragment, which is the route of many web apps (`/#/p/1`). */
export function routeOfDeepLink(link: string): string | undefined {
  const url = parseUrl(link);
  return url === null ? undefined : `${url.pathname}${url.search}${url.hash}`;
}

/** The card's image. Preview bots load images over https only. */
function readImage(given: URLSearchParams): ReadUrl {
  const text = given.get('si');
  if (text === null || text === '') return NO_URL;
  const outcome = storedImage(text);
  return outcome.kind === 'ok' ? { url: outcome.url, problem: '' } : { url: null, problem: `si: ${outcome.detail}` };
}

function cardOf(given: URLSearchParams, image_url: string | null): string | null {
  const title = textOf(given, 'st', CARD_TITLE_CHARACTERS_MAX);
  const description = textOf(given, 'sd', CARD_DESCRIPTION_CHARACTERS_MAX);
  return title === null && description === null && image_url === null ? null : JSON.stringify({ title, description, image_url });
}

function utmOf(read: (field: UtmField) => string | null): Utm | null {
  return utmOrNull(Object.fromEntries(UTM_FIELDS.map((field) => [field, read(field)])) as Utm);
}

/** Leaves out a text that no link could have. */
function textOf(given: URLSearchParams, name: string, charactersMax: number): string | null {
  const text = given.get(name);
  return text === null || text === '' || text.length > charactersMax || !isStorable(text) ? null : text;
}

/**
 * Returns the link as this visit follows it. Its state, its campaign and the rules that admit visitors are those of the
 * stored link: disabling that link switches long links off. `listed` says that a URL of the long link is on the block
 * list.
 */
export function longLinkRecord(link: LinkRecord, content: LongLink, listed: boolean): LinkRecord {
  const { destinations, deep_link_path, utm, card, without_page } = content;
  const own = rulesOf(link);
  const none = { active_from_ms: 0, max_clicks: null, used_up: false, password: null, geo: null, interstitial: null };
  const rules = rulesText({ ...(own ?? none), geo: null, interstitial: without_page ? false : (own?.interstitial ?? null) });
  const state = listed && link.state === 'active' ? 'blocked' : link.state;
  const merged = utm === null ? link.utm : utmOf((field) => utm[field] ?? link.utm?.[field] ?? null);
  return { ...link, state, destinations, deep_link_path, utm: merged, card, rules };
}
