import { readFileSync, statSync } from 'node:fs';
import { type CityResponse, Reader } from 'maxmind';
import type { Logger } from '../../shared/base/log.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import { SettingError } from '../../shared/base/settings.js';

/** How often to look for a newer file of the operator. */
export const LOOK_AGAIN_MS = 60_000;
/** The maximum number of the file's records to cache: reading one takes as long as finding ten. */
const RECORDS_KEPT_MAX = 10_000;
export const CITY_CHARACTERS_MAX = 100;
/** In a file of countries or cities one of the first networks has a country. Trying as many takes some 20 ms. */
const NETWORKS_TRIED_MAX = 10_000;

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
  /** Returns null if there is no file that can be read. For a while, the same place is the same object. */
  placeOf(address: string): Place | null;
  stop(): void;
}

const NOWHERE: Place = { country: '', region: '', city: '' };

export const NO_COUNTRY_DATABASE: CountryDatabase = { countryOf: () => '', placeOf: () => null, stop: () => undefined };

/**
 * A file that cannot be read, or that has no countries, is logged once. Until it can be read, the previous file stays in use, or
 * no country is known: the operator may replace the file while a process starts.
 */
export function openCountryDatabase(path: string, log: Logger, schedule: Scheduler): CountryDatabase {
  return path === '' ? NO_COUNTRY_DATABASE : new FileDatabase(path, log, schedule);
}

/** Throws `SettingError` if a path is given and there is no file of countries. */
export function checkCountryFile(path: string): void {
  if (path === '') return;
  const opened = openFile(path);
  if ('fault' in opened) throw new SettingError(`COUNTRY_DATABASE "${path}" cannot be used: ${opened.fault}`);
}

class FileDatabase implements CountryDatabase {
  readonly #path: string;
  readonly #log: Logger;
  readonly #schedule: Scheduler;
  readonly #places = new WeakMap<CityResponse, Place>();
  /** Null until the file could be read. */
  #reader: Reader<CityResponse> | null = null;
  /** When the file that is in use was changed; null if there is none. */
  #changedMs: number | null = null;
  #isFaultLogged = false;
  #cancel: () => void = () => undefined;

  constructor(path: string, log: Logger, schedule: Scheduler) {
    this.#path = path;
    this.#log = log;
    this.#schedule = schedule;
    this.#look();
  }

  countryOf(address: string): string {
    return this.placeOf(address)?.country ?? '';
  }

  placeOf(address: string): Place | null {
    if (this.#reader === null) return null;
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
    this.#cancel();
  }

  #look(): void {
    this.#cancel = this.#schedule(LOOK_AGAIN_MS, () => this.#look());
    const changedMs = changeTimeMs(this.#path);
    if (changedMs !== null && changedMs === this.#changedMs) return;
    const opened = openFile(this.#path);
    if ('fault' in opened) {
      this.#logFault(opened.fault);
      return;
    }
    this.#reader = opened.reader;
    this.#changedMs = changedMs;
    this.#isFaultLogged = false;
  }

  #logFault(reason: string): void {
    if (this.#isFaultLogged) return;
    this.#isFaultLogged = true;
    const effect = this.#reader === null ? 'no country is known until it can' : 'the previous one stays in use';
    this.#log.warn({ code: 'country_file_unreadable', path: this.#path, reason }, `the file of COUNTRY_DATABASE cannot be used: ${effect}`);
  }
}

/** Null if it cannot be told. Then an attempt to read the file gives the reason. */
function changeTimeMs(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

type Opened = { readonly reader: Reader<CityResponse> } | { readonly fault: string };

function openFile(path: string): Opened {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { fault: code };
  }
  try {
    const reader = readerOf(bytes);
    return hasCountries(reader) ? { reader } : { fault: 'it contains no countries' };
  } catch {
    // The library throws errors of all kinds, also a TypeError or RangeError, when it reads bytes of another format.
    return { fault: "it is not a whole file in MaxMind's format (.mmdb)" };
  }
}

/** Tries the first networks of IPv4, one after the other. */
function hasCountries(reader: Reader<CityResponse>): boolean {
  let first = 0;
  for (let tried = 0; tried < NETWORKS_TRIED_MAX && first < 2 ** 32; tried++) {
    const address = [24, 16, 8, 0].map((shift) => (first >>> shift) & 0xff).join('.');
    const [found, prefixBits] = reader.getWithPrefixLength(address);
    if (found !== null && placeOfRecord(found).country !== '') return true;
    first += 2 ** (32 - prefixBits);
  }
  return false;
}

function readerOf(bytes: Buffer): Reader<CityResponse> {
  const kept = new Map<string | number, unknown>();
  const cache = {
    get: (key: string | number) => kept.get(key),
    set: (key: string | number, value: unknown) => {
      if (kept.size >= RECORDS_KEPT_MAX) kept.clear();
      kept.set(key, value);
    },
  };
  return new Reader<CityResponse>(bytes, { cache });
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
