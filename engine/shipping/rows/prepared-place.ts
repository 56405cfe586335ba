import type { Place } from '../../countries/country-database.js';
import { textFieldOrNull } from './copy-buffer.js';

/** Where the visitor of a click was, as far as it is known. */
export interface PreparedPlace {
  readonly place: Place;
  /** The columns country, region, city. */
  readonly fields: Buffer;
}

export function preparePlace(place: Place): PreparedPlace {
  return { place, fields: Buffer.concat([place.country, place.region, place.city].map(textFieldOrNull)) };
}
