import type { Environment, EnvironmentPatch } from '../../../../shared/contract/schemas/environment.js';
import { partsOf } from '../../format/text-parts.js';
import type { FieldValues } from '../../forms/field-values.js';
import { assemble } from '../../forms/pointers.js';
import { urlOfField } from '../../forms/url-field.js';
import { PLATFORM_NAMES } from '../links/link-words.js';

/** Converts between the settings of an environment and the fields of their form. */

export const NEW_IOS_APP = { team_id: '', bundle_id: '', app_store_url: '', uri_scheme: '' };
export const NEW_ANDROID_APP = { package_name: '', sha256_cert_fingerprints: '', play_store_url: '', uri_scheme: '' };

/** Fields that are lists, with one item per line. */
const LINES = /^\/web_origins$|^\/long_link_hosts$|\/sha256_cert_fingerprints$/;
const BRAND_MEMBERS = ['name', 'color', 'logo', 'support_url'] as const;
const URL_FIELDS = /^\/default_destinations\/|_url$/;
/** Fields that may be left out. */
const OPTIONAL = /\/uri_scheme$|^\/brand\/|^\/long_link_path$/;

export function settingsValues(settings: Environment): FieldValues {
  const rows = (list: string, apps: readonly object[]) =>
    apps.flatMap((app, place) => Object.entries(app).map(([member, value]) => [`${list}/${place}/${member}`, textOf(value)] as const));
  return {
    '/open_host': settings.open_host,
    '/interstitial': settings.interstitial,
    '/append_click_id': settings.append_click_id,
    '/attribution_window_minutes': String(settings.attribution_window_minutes),
    '/web_origins': textOf(settings.web_origins),
    '/long_link_hosts': textOf(settings.long_link_hosts),
    '/long_link_path': textOf(settings.long_link_path),
    ...Object.fromEntries(PLATFORM_NAMES.map((name) => [`/default_destinations/${name}`, settings.default_destinations[name] ?? ''])),
    ...Object.fromEntries(BRAND_MEMBERS.map((name) => [`/brand/${name}`, settings.brand[name] ?? ''])),
    ...Object.fromEntries([...rows('/ios_apps', settings.ios_apps), ...rows('/android_apps', settings.android_apps)]),
  };
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

/** Returns all settings. Lists are replaced as a whole, and an empty destination is cleared. */
export function settingsBody(values: FieldValues): EnvironmentPatch {
  const members = Object.entries(values).map(([field, value]): [string, unknown] => {
    if (typeof value !== 'string') return [field, value];
    const text = value.trim();
    if (LINES.test(field)) return [field, partsOf(text, '\n')];
    if (field === '/attribution_window_minutes') return [field, Number(text)];
    if (URL_FIELDS.test(field)) return [field, urlOfField(text)];
    if (OPTIONAL.test(field)) return [field, text === '' ? null : text];
    return [field, text];
  });
  return assemble({ '/ios_apps': [], '/android_apps': [], ...Object.fromEntries(members) }) as EnvironmentPatch;
}
