import { join } from 'node:path';
import type { Logger } from '../../shared/base/log.js';
import { LINK_INDEX_FILE, reportIndexDamage } from '../link-index/file.js';
import { attempt } from '../mapped/mapped-file.js';
import { reportDamage } from '../store/generations.js';

/** How often damage in the link index is reported to its writer, in milliseconds. The writer builds a new index within seconds. */
const INDEX_REPORT_MS = 10_000;

/** Counts the damage that a reader has found, and reports it to the writer. */
export class DamageReports {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #now: () => number;
  /** The generation in which damage was last found. Each process reports each generation once. */
  #generation: string | null = null;
  #nextIndexReportMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(folder: string, log: Logger, now: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
  }

  /** Number of values or pages that could not be read since the process started. */
  get count(): number {
    return this.#count;
  }

  metIn(generation: string): boolean {
    return this.#generation === generation;
  }

  ofGeneration(name: string, reason: string): void {
    this.#count += 1;
    if (this.#generation === name) return;
    this.#generation = name;
    this.#log.error({ code: 'store_damaged', generation: name, reason }, 'configuration store is damaged');
    try {
      reportDamage(this.#folder, name, reason);
    } catch (error) {
      // For example because the disk is full. The writer finds damage by itself, only later.
      this.#log.error({ code: 'damage_unreported', generation: name, err: error }, 'the damage could not be reported');
    }
  }

  /** The other records of the index remain usable, because each has its own checksum. */
  ofIndex(generation: string | null): void {
    this.#count += 1;
    if (generation === null || this.#now() < this.#nextIndexReportMs) return;
    this.#nextIndexReportMs = this.#now() + INDEX_REPORT_MS;
    this.#log.error({ code: 'link_index_damaged', generation }, 'the link index is damaged; LMDB is used instead');
    const marked = attempt(() => reportIndexDamage(join(this.#folder, generation, LINK_INDEX_FILE)));
    if ('error' in marked) this.#log.error({ code: 'damage_unreported', error: marked.error }, 'the damage could not be reported');
  }
}
