import { pointerTo } from '../../shared/base/issue.js';
import { GEO_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { urlCharacterCount } from '../../shared/base/url-length.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { storedDestination } from '../../shared/resolve/stored-destination.js';
import type { PlacedDestination } from '../blocklist/check.js';
import { fieldError } from '../http/problems.js';

/** Destinations by country code, as a body holds them and as they are stored. */
export type GeoDestinations = Readonly<Record<string, string>>;

function textsOf(geo: unknown): readonly (readonly [country: string, text: string])[] {
  if (typeof geo !== 'object' || geo === null || Array.isArray(geo)) return [];
  return Object.entries(geo).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

const pointerOf = (country: string): string => pointerTo('/geo', country);

/** What is wrong with unchecked destinations, beyond what the schema checks. */
export function geoErrors(geo: unknown): readonly FieldError[] {
  const texts = textsOf(geo);
  const errors = texts.flatMap(([country, text]) => {
    const outcome = storedDestination(text, 'web', null);
    return outcome.kind === 'refused' ? [fieldError('body', pointerOf(country), outcome.code, outcome.detail)] : [];
  });
  // Most links should fit into a record of the engines' index, although what is stored is longer where characters are escaped.
  if (texts.reduce((sum, [, text]) => sum + urlCharacterCount(text), 0) > GEO_CHARACTERS_MAX)
    errors.push(fieldError('body', '/geo', 'too_long', `The destinations have at most ${GEO_CHARACTERS_MAX} characters together.`));
  return errors;
}

/** Unchecked destinations as they would be stored, for the block list, without those that are refused. */
export function placedGeo(geo: unknown): readonly PlacedDestination[] {
  return textsOf(geo).flatMap(([country, text]) => {
    const outcome = storedDestination(text, 'web', null);
    return outcome.kind === 'ok' ? [{ pointer: pointerOf(country), url: outcome.url }] : [];
  });
}

/** Checked destinations as they are stored; null if there are none. */
export function storedGeo(geo: GeoDestinations): GeoDestinations | null {
  const stored = placedGeo(geo).map(({ pointer, url }) => [pointer.slice('/geo/'.length), url] as const);
  return stored.length === 0 ? null : Object.fromEntries(stored.sort(([a], [b]) => (a < b ? -1 : 1)));
}
