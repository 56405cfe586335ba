import { ADDRESS_BYTES, addressText } from '../../../shared/net/address.js';
import type { CountryDatabase, Place } from '../../countries/country-database.js';
import { readNetwork } from './click-address.js';
import type { ClickFields } from './click-fields.js';
import { type PreparedPlace, preparePlace } from './prepared-place.js';

/**
 * Where visitors were: as the proxy reports, or else from the operator's file. If the proxy reports only the country, region
 * and city come from the file if both agree on the country. The lookup uses the address's network while the address is in
 * memory, and keeps nothing of it.
 */
export class ClickPlaces {
  readonly #countries: Pick<CountryDatabase, 'placeOf'> | null;
  readonly #network = new Uint8Array(ADDRESS_BYTES);
  readonly #prepared = new WeakMap<Place, PreparedPlace>();

  /** `countries` is null without a file; then no address is looked up. */
  constructor(countries: Pick<CountryDatabase, 'placeOf'> | null) {
    this.#countries = countries;
  }

  /** `told` is what the proxy reported. The address of `fields` must be decrypted. */
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
