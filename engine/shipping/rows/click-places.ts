import { ADDRESS_BYTES, addressText } from '../../../shared/net/address.js';
import type { CountryDatabase, Place } from '../../countries/country-database.js';
import { readNetwork } from './click-address.js';
import type { ClickFields } from './click-fields.js';
import { type PreparedPlace, preparePlace } from './prepared-place.js';

/**
 * Where visitors were: as the proxy says, else as the operator's file does. Where the proxy names the country alone, region and city are the
 * file's if the two agree on the country. Looked up while the address is in memory, by its network; nothing of it is kept.
 */
export class ClickPlaces {
  readonly #countries: Pick<CountryDatabase, 'placeOf'> | null;
  readonly #network = new Uint8Array(ADDRESS_BYTES);
  readonly #prepared = new WeakMap<Place, PreparedPlace>();

  /** Null without a file: then no address is looked at. */
  constructor(countries: Pick<CountryDatabase, 'placeOf'> | null) {
    this.#countries = countries;
  }

  /** `told` is what the proxy said. The address of `fields` has to be in the clear. */
  of(fields: ClickFields, told: PreparedPlace): PreparedPlace {
    const { country, region, city } = told.place;
    if (this.#countries === null || region !== '' || city !== '' || !readNetwork(fields, this.#network)) return told;
    const place = this.#countries.placeOf(addressText(this.#network));
    if (place === null || (country !== '' && country !== place.country)) return told;
    let prepared = this.#prepared.get(place);
    if (prepared === undefined) {
      prepared = preparePlace(place);
      this.#prepared.set(place, prepared);
    }
    return prepared;
  }
}
