import type { Link, LinkCreate } from '../../../../shared/contract/schemas/link.js';
import { fromLocalInput, toLocalInput } from '../../format/times.js';
import { fieldRefusal } from '../../forms/field-refusal.js';
import type { FieldValues } from '../../forms/field-values.js';
import { jsonFieldText, parseJsonField } from '../../forms/json-field.js';
import { assemble } from '../../forms/pointers.js';
import { urlOfField } from '../../forms/url-field.js';
import { text } from '../../language/text.js';
import { PLATFORM_NAMES, UTM_NAMES } from './link-words.js';
import { aliasesIn, aliasesText, countryTwiceIn, geoIn, geoText, namesIn } from './listed.js';

/** Converts between a link and the fields of its form. */

const URL_FIELDS = /^\/destinations\/|^\/card\/image_url$/;

export function linkValues(link: Link | null, timeZone: string): FieldValues {
  const textOrEmpty = (value: string | null | undefined) => value ?? '';
  return {
    '/path': textOrEmpty(link?.path),
    '/deep_link_path': link?.deep_link_path ?? '/',
    '/data': jsonFieldText(link?.data ?? null),
    '/campaign': textOrEmpty(link?.campaign),
    '/domain': textOrEmpty(link?.domain),
    '/card/title': textOrEmpty(link?.card?.title),
    '/card/description': textOrEmpty(link?.card?.description),
    '/card/image_url': textOrEmpty(link?.card?.image_url),
    '/aliases': aliasesText(link?.aliases ?? []),
    '/title': textOrEmpty(link?.title),
    '/tags': (link?.tags ?? []).join(', '),
    '/archived': link?.archived ?? false,
    '/comments': textOrEmpty(link?.comments),
    '/allow_param_passthrough': link?.allow_param_passthrough ?? false,
    '/active_from': toLocalInput(link?.active_from ?? null, timeZone),
    '/expires_at': toLocalInput(link?.expires_at ?? null, timeZone),
    '/max_clicks': textOrEmpty(link?.max_clicks?.toString()),
    '/has_password': link?.has_password ?? false,
    '/password': '',
    '/geo': geoText(link?.geo ?? null),
    '/interstitial': textOrEmpty(link?.interstitial?.toString()),
    ...Object.fromEntries(PLATFORM_NAMES.map((name) => [`/destinations/${name}`, textOrEmpty(link?.destinations[name])])),
    ...Object.fromEntries(UTM_NAMES.map((name) => [`/${name}`, textOrEmpty(link?.[name])])),
  };
}

/**
 * Returns every field except the path. An empty field clears the member. Throws at the pointer of a field whose text does not have the
 * API's type.
 */
export function linkBody(values: FieldValues, timeZone: string): Omit<LinkCreate, 'path'> {
  const members = Object.entries(values).flatMap(([field, value]): [string, unknown][] => {
    if (field === '/path' || field === '/has_password') return [];
    if (field === '/data') return [[field, parseJsonField(field, String(value))]];
    if (field === '/max_clicks') return [[field, numberOf(String(value))]];
    // If a password is set, an empty field keeps it, so it is not a change.
    if (field === '/password') return [[field, values['/has_password'] === true ? value : null]];
    if (field === '/geo') return [[field, geoOf(field, String(value))]];
    if (field === '/interstitial') return [[field, value === '' ? null : value === 'true']];
    if (field === '/expires_at' || field === '/active_from') return [[field, fromLocalInput(String(value), timeZone)]];
    if (field === '/deep_link_path' && value === '') return [[field, '/']];
    if (field === '/aliases') return [[field, aliasesIn(String(value))]];
    if (field === '/tags') return [[field, namesIn(String(value))]];
    if (URL_FIELDS.test(field)) return [[field, urlOfField(String(value))]];
    return [[field, value === '' ? null : typeof value === 'string' ? value.trim() : value]];
  });
  return assemble(Object.fromEntries(members)) as Omit<LinkCreate, 'path'>;
}

function geoOf(field: string, typed: string): ReturnType<typeof geoIn> {
  const code = countryTwiceIn(typed);
  // Only one of the two lines would be sent.
  if (code !== null) throw fieldRefusal(field, 'duplicate', text('has two lines for {code}', { code }));
  return geoIn(typed);
}

/** Returns the number, or null for an empty field. Any other text is returned unchanged, so that the API refuses it. */
function numberOf(text: string): number | string | null {
  if (text.trim() === '') return null;
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
