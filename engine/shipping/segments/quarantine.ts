import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/base/clock.js';
import type { Logger } from '../../../shared/base/log.js';
import { attempt } from '../../mapped/mapped-file.js';
import { listFolder, QUARANTINE, removeFile } from '../../spool/segment-folder.js';
import { RetryWaits } from './retry-waits.js';

/** Files that could not be read are kept for the operator, but only so many. */
const QUARANTINED_MAX = 8;

export interface QuarantineSettings {
  /** The spool's folder. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The folder of segments that were set aside. If the disk refuses to move a file there, its name is remembered and the move is
 * retried. If the file were read again under its old name, it would be found damaged once more, or be taken for a stored one
 * and removed.
 */
export class Quarantine {
  readonly #settings: QuarantineSettings;
  readonly #folder: string;
  /** Why each file could not be moved. */
  readonly #unmoved = new Map<string, string>();
  readonly #waits: RetryWaits;
  /** How many files have been moved. */
  moved = 0;

  constructor(settings: QuarantineSettings) {
    this.#settings = settings;
    this.#folder = join(settings.dir, QUARANTINE);
    this.#waits = new RetryWaits(settings.clock);
  }

  /** Whether the file waits to be moved. Nothing else may be done with it. */
  holds(name: string): boolean {
    return this.#unmoved.has(name);
  }

  /** Why a file could not be moved; '' if all could. */
  get trouble(): string {
    for (const [name, error] of this.#unmoved) return `${name} cannot be moved to ${QUARANTINE}/: ${error}`;
    return '';
  }

  /** Moves the file, immediately or as soon as the disk permits it. Logged once. */
  add(name: string, why: string): void {
    const error = this.#move(name);
    this.#settings.log.error({ code: 'segment_set_aside', segment: name, why, error }, 'a click segment was set aside');
  }

  /** Retries the moves that are due. */
  retry(): void {
    for (const name of this.#unmoved.keys()) if (!this.#waits.isWaiting(name)) this.#move(name);
  }

  /** Returns null, or the error's name. */
  #move(name: string): string | null {
    const moved = attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      renameSync(join(this.#settings.dir, name), join(this.#folder, name));
    });
    const error = 'error' in moved ? moved.error : null;
    if (error === null || error === 'ENOENT') {
      this.#unmoved.delete(name);
      this.#waits.forget(name);
    } else {
      this.#unmoved.set(name, error);
      this.#waits.note(name);
    }
    if (error === null) {
      this.moved++;
      this.#removeOldest();
    }
    return error;
  }

  #removeOldest(): void {
    const kept = listFolder(this.#folder).toSorted();
    for (const oldest of kept.slice(0, Math.max(0, kept.length - QUARANTINED_MAX))) removeFile(join(this.#folder, oldest));
  }
}
