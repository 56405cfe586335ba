import { isObject } from '../../shared/base/issue.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import type { EnvironmentPatch } from '../../shared/contract/schemas/environment.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName, isHostName } from '../../shared/net/host-name.js';
import { DESTINATION_SLOTS } from '../../shared/records/records.js';
import { type OwnSchemes, storedDestination } from '../../shared/resolve/stored-destination.js';
import { patchedDestinations } from '../destinations/destination.js';
import { fieldError } from '../http/problems.js';
import { brandErrors, patchedBrand } from './brand.js';
import { storedDefaultDestination } from './default-destination.js';
import type { EnvironmentRow, EnvironmentSettings } from './environment-row.js';

type Unchecked = Readonly<Record<string, unknown>>;

/**
 * Checks the rules for the settings that the schema cannot express. Looks only at values of the right type. `ownSchemes` are those after
 * the change.
 */
export function environmentFieldErrors(body: Unchecked, ownSchemes: OwnSchemes): readonly FieldError[] {
  return [
    ...openHostErrors(body.open_host),
    ...defaultDestinationErrors(body.default_destinations, ownSchemes),
    ...appErrors(body.ios_apps, { list: '/ios_apps', identity: 'bundle_id', storeUrl: 'app_store_url', slot: 'ios' }),
    ...appErrors(body.android_apps, { list: '/android_apps', identity: 'package_name', storeUrl: 'play_store_url', slot: 'android' }),
    ...originErrors(body.web_origins),
    ...brandErrors(body.brand),
    ...longLinkHostErrors(body.long_link_hosts),
  ];
}

function openHostErrors(value: unknown): readonly FieldError[] {
  if (typeof value !== 'string' || isHostName(asciiHostName(value))) return [];
  return [fieldError('body', '/open_host', 'invalid_format', 'must be a host name without scheme or port')];
}

function defaultDestinationErrors(value: unknown, ownSchemes: OwnSchemes): readonly FieldError[] {
  if (!isObject(value)) return [];
  return DESTINATION_SLOTS.flatMap((slot) => {
    const text = value[slot];
    const outcome = typeof text === 'string' ? storedDefaultDestination(text, slot, ownSchemes) : null;
    if (outcome?.kind !== 'refused') return [];
    return [fieldError('body', `/default_destinations/${slot}`, outcome.code, outcome.detail)];
  });
}

interface AppFields {
  readonly list: string;
  /** The field that distinguishes the apps of one list. */
  readonly identity: 'bundle_id' | 'package_name';
  readonly storeUrl: 'app_store_url' | 'play_store_url';
  readonly slot: 'ios' | 'android';
}

function appErrors(value: unknown, { list, identity, storeUrl, slot }: AppFields): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  const errors: FieldError[] = [];
  const seen = new Set<unknown>();
  for (const [index, app] of value.entries()) {
    if (!isObject(app)) continue;
    const name = app[identity];
    if (typeof name === 'string' && seen.has(name))
      errors.push(fieldError('body', `${list}/${index}/${identity}`, 'duplicate', 'is the same as that of an earlier app in the list'));
    seen.add(name);
    const url = app[storeUrl];
    if (typeof url === 'string' && storeUrlOf(url) === null)
      errors.push(fieldError('body', `${list}/${index}/${storeUrl}`, 'invalid_url', 'must be an https URL'));
    const scheme = app.uri_scheme;
    if (typeof scheme === 'string' && !isOwnScheme(scheme, slot))
      errors.push(
        fieldError(
          'body',
          `${list}/${index}/uri_scheme`,
          'scheme_not_allowed',
          'must be a scheme that only the app has, such as com.example.shop',
        ),
      );
  }
  return errors;
}

function isOwnScheme(scheme: string, slot: 'ios' | 'android'): boolean {
  return scheme !== 'http' && scheme !== 'https' && storedDestination(`${scheme}:/`, slot, null).kind === 'ok';
}

/** The URL of an app's page in its store as it is stored; null if it is not an https URL. */
export function storeUrlOf(text: string): string | null {
  const outcome = storedDestination(text, 'web', null);
  return outcome.kind === 'ok' && outcome.url.startsWith('https:') ? outcome.url : null;
}

/** The origins that the web views of Capacitor and Ionic send on iOS. By the URL standard, such schemes have no origin. */
const APP_ORIGINS: readonly unknown[] = ['capacitor://localhost', 'ionic://localhost'];

/** An origin without anything after it. */
const ORIGIN = /^https?:\/\/[^/?#\\@]+$/;
/** What only an international name has. */
const NOT_ASCII = /[^\x21-\x7e]/;

/** An origin as browsers send it and as it is stored: IDN in ASCII. Any other text stays as it is. */
function asciiOrigin(origin: string): string {
  return (ORIGIN.test(origin) && NOT_ASCII.test(origin) ? parseUrl(origin)?.origin : undefined) ?? origin;
}

/** Origins are compared with what a browser sends, character by character, so only the serialised form is accepted, and no wildcard. */
function originErrors(value: unknown): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  const seen = new Set<string>();
  return value.flatMap((given: unknown, index) => {
    if (typeof given !== 'string') return [];
    const origin = asciiOrigin(given);
    const pointer = `/web_origins/${index}`;
    const url = parseUrl(origin);
    const isRepeated = seen.size === seen.add(origin).size;
    if (isRepeated) return [fieldError('body', pointer, 'duplicate', 'appears in the list twice')];
    if (APP_ORIGINS.includes(origin)) return [];
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return [fieldError('body', pointer, 'invalid_url', 'must be an origin such as https://www.example.com')];
    if (url.hostname.includes('*')) return [fieldError('body', pointer, 'invalid_format', 'must not be a wildcard: list each origin')];
    if (url.origin !== origin) return [fieldError('body', pointer, 'invalid_format', `must be only the origin, such as ${url.origin}`)];
    return [];
  });
}

/**
 * What is wrong with the settings of long links, as they would be after the change. `hasLink` says whether the path in the body has a link.
 */
export function longLinkErrors(
  body: Unchecked,
  stored: Pick<EnvironmentSettings, 'long_link_hosts' | 'long_link_path'>,
  hasLink: boolean,
): readonly FieldError[] {
  if (!hasLink) return [fieldError('body', '/long_link_path', 'unknown_link', 'is not the path of a link: create the link first')];
  const { long_link_hosts: hosts = stored.long_link_hosts, long_link_path: path = stored.long_link_path } = body;
  if (path !== null || !Array.isArray(hosts) || hosts.length === 0) return [];
  return [
    fieldError(
      'body',
      '/long_link_path',
      'required',
      'is required with long_link_hosts: name the link for which visits of long links count',
    ),
  ];
}

function longLinkHostErrors(value: unknown): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  const seen = new Set<string>();
  return value.flatMap((host: unknown, index) => {
    if (typeof host !== 'string') return [];
    const name = asciiHostName(host);
    const pointer = `/long_link_hosts/${index}`;
    if (!isHostName(name)) return [fieldError('body', pointer, 'invalid_format', 'must be a host name without scheme, port or wildcard')];
    const isRepeated = seen.size === seen.add(name).size;
    return isRepeated ? [fieldError('body', pointer, 'duplicate', 'appears in the list twice')] : [];
  });
}

/** The settings after a change, from a body that passed its schema and `environmentFieldErrors`. */
export function patchedSettings(row: EnvironmentRow, patch: EnvironmentPatch): EnvironmentSettings {
  const { ios_apps, android_apps } = patch;
  return {
    open_host: patch.open_host === undefined ? row.open_host : asciiHostName(patch.open_host),
    interstitial: patch.interstitial ?? row.interstitial,
    default_destinations: patchedDestinations(row.default_destinations, patch.default_destinations, storedDefaultDestination),
    ios_apps:
      ios_apps === undefined
        ? row.ios_apps
        : ios_apps.map(({ team_id, bundle_id, app_store_url, uri_scheme }) => ({
            team_id,
            bundle_id,
            app_store_url: storeUrlOf(app_store_url ?? ''),
            uri_scheme: uri_scheme ?? null,
          })),
    android_apps:
      android_apps === undefined
        ? row.android_apps
        : android_apps.map(({ package_name, sha256_cert_fingerprints, play_store_url, uri_scheme }) => ({
            package_name,
            sha256_cert_fingerprints: sha256_cert_fingerprints.map((fingerprint) => fingerprint.toUpperCase()),
            play_store_url: storeUrlOf(play_store_url ?? ''),
            uri_scheme: uri_scheme ?? null,
          })),
    web_origins: patch.web_origins?.map(asciiOrigin) ?? row.web_origins,
    attribution_window_minutes: patch.attribution_window_minutes ?? row.attribution_window_minutes,
    append_click_id: patch.append_click_id ?? row.append_click_id,
    brand: patchedBrand(row.brand, patch.brand),
    long_link_hosts: patch.long_link_hosts?.map(asciiHostName) ?? row.long_link_hosts,
    long_link_path: patch.long_link_path === undefined ? row.long_link_path : patch.long_link_path,
  };
}

/** Whether the host may be an environment's open host: a name below one that its owner has proven to own. */
export function isBelowOwnHost(openHost: string, ownHosts: readonly string[]): boolean {
  return ownHosts.some((host) => openHost.endsWith(`.${host}`));
}
