import { readFileSync, statSync } from 'node:fs';
import { type CityResponse, Reader } from 'maxmind';
import type { Logger } from '../../shared/base/log.js';

/** How often to look for a newer file of the operator. */
const LOOK_AGAIN_MS = 60_000;
/** The maximum number of the file's records to cache: reading one takes as long as finding ten. */
const RECORDS_KEPT_MAX = 10_000;
export const CITY_CHARACTERS_MAX = 100;

/** Where an address is; '' for what the file does not know. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2, such as `DE-BE`; '' in files that have only countries. */
  readonly region: string;
  /** The city's English name. */
  readonly city: string;
}

/**
 * Finds where addresses are, in an operator's file in MaxMind's format, of cities or of countries alone
 * (https://maxmind.github.io/MaxMind-DB/).
 */
export interface CountryDatabase {
  /** Returns the ISO 3166-1 alpha-2 code; '' if the file does not know it. */
  countryOf(address: string): string;
  /** Returns null if there is no file. For a while, the same place is the same object. */
  placeOf(address: string): Place | null;
  stop(): void;
}

const NOWHERE: Place = { country: '', region: '', city: '' };

export const NO_COUNTRY_DATABASE: CountryDatabase = { countryOf: () => '', placeOf: () => null, stop: () => undefined };

/**
 * Throws if a path is given and there is no such file. If a newer file cannot be read, that is logged, and the previous one stays
 * in use.
 */
export function openCountryDatabase(path: string, log: Logger): CountryDatabase {
  return path === '' ? NO_COUNTRY_DATABASE : new FileDatabase(path, log);
}

class FileDatabase implements CountryDatabase {
  readonly #path: string;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #places = new WeakMap<CityResponse, Place>();
  #reader: Reader<CityResponse>;
  #changedMs: number;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.#changedMs = statSync(path).mtimeMs;
    this.#reader = readerOf(path);
    this.#timer = setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  countryOf(address: string): string {
    return this.placeOf(address).country;
  }

  placeOf(address: string): Place {
    const found = this.#reader.get(address);
    if (found === null) return NOWHERE;
    let place = this.#places.get(found);
    if (place === undefined) {
      place = placeOfRecord(found);
      this.#places.set(found, place);
    }
    return place;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #lookAgain(): void {
    try {
      const changedMs = statSync(this.#path).mtimeMs;
      if (changedMs === this.#changedMs) return;
      this.#reader = readerOf(this.#path);
      this.#changedMs = changedMs;
    } catch (error) {
      this.#log.warn({ code: 'country_file_unreadable', err: error, path: this.#path }, 'the file of countries could not be read again');
    }
  }
}

function readerOf(path: string): Reader<CityResponse> {
  const kept = new Map<string | number, unknown>();
  const cache = {
    get: (key: string | number) => kept.get(key),
    set: (key: string | number, value: unknown) => {
      if (kept.size >= RECORDS_KEPT_MAX) kept.clear();
      kept.set(key, value);
    },
  };
  return new Reader<CityResponse>(readFileSync(path), { cache });
}

/** Checks the values, because the file is the operator's and may not be MaxMind's own. */
function placeOfRecord(found: CityResponse): Place {
  const country: unknown = (found.country ?? found.registered_country)?.iso_code;
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return NOWHERE;
  const region: unknown = found.subdivisions?.[0]?.iso_code;
  const city: unknown = found.city?.names?.en;
  return {
    country,
    region: typeof region === 'string' && /^[A-Z0-9]{1,3}$/.test(region) ? `${country}-${region}` : '',
    city: typeof city === 'string' ? [...city].slice(0, CITY_CHARACTERS_MAX).join('') : '',
  };
}
