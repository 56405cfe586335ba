import type { Snapshot } from '../../db/database.js';
import type { ColumnField } from '../columns/column.js';
import { ColumnCount, type ColumnsCounted } from '../columns/column-count.js';
import type { ColumnThreads, ThreadCount } from '../columns/column-threads.js';
import type { PackedSums } from '../columns/group-sums.js';
import { mergeColumns } from '../columns/merge.js';
import { isSamePart } from '../columns/part-reader.js';
import { copyColumns, readColumns } from '../prepared/stored-columns.js';
import type { DaysRead } from './later-clicks.js';

export interface ColumnBounds {
  /** If there are more groups, PostgreSQL counts them from the log, because they would take too much memory here. */
  readonly groups: number;
  /** If days have fewer clicks, they are counted in this thread, because another one may have to be started first. They take up to 0.2 s. */
  readonly clicksElsewhere: number;
}

export interface ColumnGroupsWanted extends DaysRead {
  readonly environment_number: number;
  readonly counted: ColumnsCounted;
  /** The fields whose columns are needed. */
  readonly fields: readonly ColumnField[];
  readonly bounds: ColumnBounds;
}

/** Counts the days whose groups are not stored. Returns null if there are too many groups. Without threads, all are counted in this one. */
export async function countColumns(
  snapshot: Snapshot,
  wanted: ColumnGroupsWanted,
  threads: ColumnThreads | null,
): Promise<ColumnCount | null> {
  const { environment_number, days, later, fields, bounds } = wanted;
  const counted = [...days].flatMap(([day, { parts, clicks, groups }]) => (parts > 0 && groups === null ? [{ day, clicks }] : []));
  const whole = counted.filter(({ day }) => !later.has(day));
  const columns = { environment_number, days: whole.map(({ day }) => day), fields };
  const extended = counted.filter(({ day }) => later.has(day)).map(({ day }) => day);
  const clicks = whole.reduce((sum, day) => sum + day.clicks, 0);
  const count = new ColumnCount(wanted.counted);
  const elsewhere =
    threads === null || clicks < bounds.clicksElsewhere ? null : new Elsewhere(threads.begin(wanted.counted), bounds.groups);
  try {
    // Once there are too many groups, the rest is read all the same, because a COPY ends before its connection can be used again.
    const isFull = () => count.size > bounds.groups || elsewhere?.isFull === true;
    if (elsewhere !== null) {
      await copyColumns(snapshot, columns, (bytes, from, end) => elsewhere.add(bytes.subarray(from, end)), elsewhere.room);
      elsewhere.end();
    } else if (whole.length > 0)
      await readColumns(snapshot, columns, (part) => {
        if (!isFull()) count.add(part);
      });
    if (extended.length > 0)
      await readColumns(snapshot, { environment_number, days: extended, fields: [...fields, 'visitor_hash'] }, (part, day, number) => {
        const added = later.get(day)?.[number];
        if (!isFull()) count.add(added === undefined ? part : mergeColumns(part, added, fields));
      });
    if (elsewhere !== null && !isFull()) for (const sums of await elsewhere.sums()) await count.addPacked(sums);
    return isFull() ? null : count;
  } finally {
    elsewhere?.close();
  }
}

/** So many bytes at least are sent to a thread at once. */
const BATCH_BYTES = 1024 * 1024;
/** So many batches may wait for each thread, so that it is busy, and a large range is not in memory as a whole. */
const WAITING_MAX = 4;

/** Collects rows of `copyColumns` into batches of whole parts, and divides these among threads. */
class Elsewhere {
  readonly #counts: readonly ThreadCount[];
  readonly #groupsMax: number;
  #rows: Buffer[] = [];
  #bytes = 0;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;
  isFull = false;

  constructor(counts: readonly ThreadCount[], groupsMax: number) {
    this.#counts = counts;
    this.#groupsMax = groupsMax;
  }

  add(row: Buffer): void {
    const last = this.#rows.at(-1);
    if (last !== undefined && this.#bytes >= BATCH_BYTES && !isSamePart(row, last)) this.end();
    this.#rows.push(row);
    this.#bytes += row.length;
  }

  readonly room = (): Promise<void> | undefined =>
    this.#running.size >= WAITING_MAX * this.#counts.length ? Promise.race(this.#running) : undefined;

  /** Ends a batch. */
  end(): void {
    const rows = new Uint8Array(this.#bytes);
    let at = 0;
    for (const row of this.#rows) {
      rows.set(row, at);
      at += row.length;
    }
    this.#rows = [];
    this.#bytes = 0;
    if (this.isFull || this.#failure !== null) return;
    const running = this.#count(rows).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Returns the sums of each thread, once all batches are counted. Throws what a thread throws. */
  async sums(): Promise<readonly (readonly PackedSums[])[]> {
    await Promise.all(this.#running);
    if (this.#failure !== null) throw this.#failure.error;
    return Promise.all(this.#counts.map((count) => count.sums()));
  }

  close(): void {
    for (const count of this.#counts) count.close();
  }

  async #count(rows: Uint8Array): Promise<void> {
    const [first, ...others] = this.#counts as readonly [ThreadCount, ...ThreadCount[]];
    const idlest = others.reduce((least, count) => (count.waiting < least.waiting ? count : least), first);
    try {
      if ((await idlest.count(rows)) > this.#groupsMax) this.isFull = true;
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
