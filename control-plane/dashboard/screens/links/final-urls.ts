import type { Campaign } from '../../../../shared/contract/schemas/campaign.js';
import type { Environment } from '../../../../shared/contract/schemas/environment.js';
import type { FieldValues } from '../../forms/field-values.js';
import { parsedUrl, urlOfField } from '../../forms/url-field.js';
import { type PLATFORM_LABELS, UTM_NAMES } from './link-words.js';

/**
 * Computes where a link leads, from the unsaved values of its form. Link hosts use the rules of `shared/resolve`, no part of which is
 * shipped with this page. A property test checks that both return the same URLs.
 */

type Slot = keyof typeof PLATFORM_LABELS;
/** `other` gets the destination of preview bots, whatever they call themselves. */
export type Visitor = 'ios' | 'android' | 'desktop' | 'other';

/** The destinations to try for visitors of a platform, in order. */
const ORDER: Readonly<Record<Visitor, readonly Slot[]>> = {
  ios: ['ios', 'fallback', 'web'],
  android: ['android', 'fallback', 'web'],
  desktop: ['desktop', 'web', 'fallback'],
  other: ['web', 'fallback'],
};

export interface FinalUrl {
  readonly url: string;
  /** Where the destination is defined. */
  readonly from: 'link' | 'environment' | 'store';
  readonly slot: Slot;
}

type Defaults = Pick<Environment, 'default_destinations' | 'ios_apps' | 'android_apps'>;
type UtmOfCampaign = Pick<Campaign, (typeof UTM_NAMES)[number]>;

/** Returns null if visitors of the platform get a page that names the app. */
export function finalUrl(visitor: Visitor, values: FieldValues, defaults: Defaults, campaign: UtmOfCampaign | null): FinalUrl | null {
  const found = destination(visitor, values, defaults);
  return found === null ? null : { ...found, url: withUtm(found.url, values, campaign) };
}

function destination(visitor: Visitor, values: FieldValues, defaults: Defaults): FinalUrl | null {
  for (const slot of ORDER[visitor]) {
    const own = usable(urlOfField(textOf(values, `/destinations/${slot}`)), slot);
    if (own !== null) return { url: own, from: 'link', slot };
    const pattern = defaults.default_destinations[slot];
    const filled = pattern === null ? null : fill(pattern, textOf(values, '/deep_link_path') || '/');
    if (filled !== null) return { url: filled, from: 'environment', slot };
  }
  if (visitor !== 'ios' && visitor !== 'android') return null;
  const store = visitor === 'ios' ? defaults.ios_apps[0]?.app_store_url : defaults.android_apps[0]?.play_store_url;
  return store === null || store === undefined ? null : { url: store, from: 'store', slot: visitor };
}

function textOf(values: FieldValues, field: string): string {
  return String(values[field] ?? '').trim();
}

/** The URL in its stored form. Null for a text that the API would refuse, usually because it is not complete yet. */
function usable(text: string | null, slot: Slot): string | null {
  const url = text === null || /\s/.test(text) ? null : parsedUrl(text);
  if (url === null) return null;
  const { href, protocol } = url;
  if (protocol === 'https:' || protocol === 'http:') return href;
  const opensApp = (slot === 'ios' || slot === 'android') && !/^(?:javascript|data|vbscript|file|blob|about|filesystem):$/.test(protocol);
  return opensApp ? href : null;
}

const PLACEHOLDER = '{deep_link_path}';

/** Fills a default destination with the route in the app. In the path, the route is inserted as it is; elsewhere, as one encoded value. */
function fill(pattern: string, path: string): string {
  const at = pattern.indexOf(PLACEHOLDER);
  if (at === -1) return pattern;
  const route = path.startsWith('/') ? path : `/${path}`;
  const before = pattern.slice(0, at);
  const inRoute = !/[?#]/.test(before);
  const head = inRoute && /^https?:.*[^/]\/$/i.test(before) ? before.slice(0, -1) : before;
  const after = pattern.slice(at + PLACEHOLDER.length).replaceAll(PLACEHOLDER, encodeValue(route));
  return head + (inRoute ? joinRoute(escapeRoute(route), after) : encodeValue(route) + after);
}

const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

/** Joins the paths and the queries. The fragment is the link's own if it has one. */
function joinRoute(route: string, after: string): string {
  if (after === '' || !/[?#]/.test(route)) return route + after;
  const [, path = '', query = '', fragment] = PARTS.exec(route) ?? [];
  const [, morePath = '', moreQuery = '', otherFragment = ''] = PARTS.exec(after) ?? [];
  const queries = [query, moreQuery].filter(Boolean).join('&');
  return path + morePath + (queries === '' ? '' : `?${queries}`) + (fragment ?? otherFragment);
}

/** Escapes what a URL cannot contain. Existing escapes are kept. */
function escapeRoute(route: string): string {
  return encodeURI(route.replace(/%(?![0-9a-f]{2})/gi, '%25')).replaceAll('%25', '%');
}

/** Encodes a value for a query, where browsers escape `'` too. */
function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** Adds the UTM fields that the URL does not already contain. */
function withUtm(url: string, values: FieldValues, campaign: UtmOfCampaign | null): string {
  if (!/^https?:/i.test(url)) return url;
  const [, before = '', query, fragment = ''] = PARTS.exec(url) ?? [];
  const given = new URLSearchParams(query ?? '');
  const added = UTM_NAMES.flatMap((name) => {
    const value = textOf(values, `/${name}`) || (campaign?.[name] ?? '');
    return value === '' || given.has(name) ? [] : [`${name}=${encodeValue(value)}`];
  });
  if (added.length === 0) return url;
  const joined = query === undefined || query === '' ? '?' : query.endsWith('&') ? `?${query}` : `?${query}&`;
  return before + joined + added.join('&') + fragment;
}
