import { readFileSync, statSync } from 'node:fs';
import { type CountryResponse, Reader } from 'maxmind';
import type { Logger } from '../../shared/base/log.js';

/** How often it is looked whether the operator has put a newer file there. */
const LOOK_AGAIN_MS = 60_000;

/** The countries of addresses by an operator's file in MaxMind's format, of cities or of countries alone (https://maxmind.github.io/MaxMind-DB/). */
export interface CountryDatabase {
  /** ISO 3166-1 alpha-2; '' if the file does not know it. */
  countryOf(address: string): string;
  stop(): void;
}

const NO_DATABASE: CountryDatabase = { countryOf: () => '', stop: () => undefined };

/** Throws if there is a path and no such file behind it. A newer file that cannot be read is logged, and the one before it stays. */
export function openCountryDatabase(path: string, log: Logger): CountryDatabase {
  return path === '' ? NO_DATABASE : new FileDatabase(path, log);
}

class FileDatabase implements CountryDatabase {
  readonly #path: string;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #reader: Reader<CountryResponse>;
  #changedMs: number;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.#changedMs = statSync(path).mtimeMs;
    this.#reader = new Reader<CountryResponse>(readFileSync(path));
    this.#timer = setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  countryOf(address: string): string {
    const found = this.#reader.get(address);
    return (found?.country ?? found?.registered_country)?.iso_code ?? '';
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #lookAgain(): void {
    try {
      const changedMs = statSync(this.#path).mtimeMs;
      if (changedMs === this.#changedMs) return;
      this.#reader = new Reader<CountryResponse>(readFileSync(this.#path));
      this.#changedMs = changedMs;
    } catch (error) {
      this.#log.warn({ err: error, path: this.#path }, 'the file of countries could not be read again');
    }
  }
}
