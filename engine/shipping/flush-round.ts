import pg from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import { STORED_SEGMENTS_REMEMBERED_MS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { DatabaseSession } from '../database/database-session.js';
import { HEADER_BYTES } from '../spool/segment.js';
import type { SpoolKeys } from '../spool/spool-keys.js';
import type { ClickShipper, ShipOutcome } from './click-shipper.js';
import { SegmentReadError } from './segments/segment-read-error.js';
import { SegmentWatch } from './segments/segment-watch.js';
import { addClickSegments, finishClickSegments, lockClickSegments, pruneClickSegments, readClickSegments } from './segments/sql.js';
import type { TrackedSegment } from './segments/tracked-segment.js';

export interface RoundSettings {
  readonly dir: string;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly session: DatabaseSession;
  /** How long to keep the files of segments that are stored. */
  readonly keepMs: number;
  readonly shipper: ClickShipper;
}

export interface RoundTotals {
  readonly clicks_shipped: number;
  /** Clicks refused by PostgreSQL or by our own checks. Their segments are in quarantine. */
  readonly clicks_refused: number;
  /** Clicks after a damaged record, as far as the segment says how many there were. */
  readonly clicks_unreadable: number;
  readonly transactions: number;
  readonly segments_finished: number;
  readonly segments_quarantined: number;
  readonly segments_open: number;
  /** Segments that are stored, and kept in case the database loses them. */
  readonly segments_kept: number;
  /** How often a segment was started again because the database had lost what it had stored. */
  readonly segments_lost: number;
  /** Segments whose files the system currently fails to read. The others are stored meanwhile. */
  readonly segments_unreadable: number;
  /** Bytes that are known to wait. */
  readonly pending_bytes: number;
}

export interface RoundOutcome {
  /** Whether there is more to ship now. */
  readonly more: boolean;
  readonly deliveries: number;
}

/** How soon a failover is noticed if no clicks arrive that would reveal it. */
const COMPARE_INTERVAL_MS = 5_000;
const PRUNE_INTERVAL_MS = 3_600_000;
/** SQLSTATE classes of errors caused by the values and not by the server: data exception, integrity constraint violation. */
const DATA_ERROR_CLASSES = ['22', '23'];
/** check_violation. COPY reports it if a row has no partition, and then names no constraint. */
const NO_PARTITION = '23514';

/** Scans the folder, ships one batch, and finishes the segments that are done. */
export class FlushRound {
  readonly #settings: RoundSettings;
  readonly #watch: SegmentWatch;
  readonly #shipper: ClickShipper;
  #totals = {
    clicks_shipped: 0,
    clicks_refused: 0,
    clicks_unreadable: 0,
    transactions: 0,
    segments_finished: 0,
    segments_lost: 0,
  };
  #prunedMs = 0;
  #comparedMs = Number.NEGATIVE_INFINITY;
  #newestClient: pg.ClientBase | null = null;

  constructor(settings: RoundSettings) {
    this.#settings = settings;
    this.#watch = new SegmentWatch(settings);
    this.#shipper = settings.shipper;
  }

  get totals(): RoundTotals {
    const { segments } = this.#watch;
    const pending = segments.reduce((sum, { end, reader }) => sum + (end.promised ? Math.max(0, end.offset - reader.position) : 0), 0);
    return {
      ...this.#totals,
      segments_quarantined: this.#watch.quarantined,
      segments_open: segments.length,
      segments_kept: this.#watch.kept.count,
      segments_unreadable: this.#watch.unreadable.count,
      pending_bytes: pending,
    };
  }

  /** Which segments cannot be shipped, and why; '' if all can. */
  get trouble(): string {
    return this.#watch.trouble;
  }

  /** Throws the errors of the database and the file system; then `recover` must be called. */
  async run(): Promise<RoundOutcome> {
    await this.#watch.look();
    await this.#compare();
    const waiting: TrackedSegment[] = [];
    for (const segment of this.#watch.segments)
      if (!segment.damaged && (await segment.reader.hasRecord(segment.end))) waiting.push(segment);
    let more = false;
    let deliveries = 0;
    if (waiting.length > 0) {
      const client = await this.#client();
      const attached = await this.#attach(client, waiting);
      const outcome = await this.#shipper.ship(client, onlyBisected(attached));
      deliveries = outcome.deliveries;
      more = outcome.kind === 'fenced' || (outcome.kind === 'shipped' && (await this.#hasMore(attached)));
      this.#count(outcome);
    }
    await this.#finish();
    await this.#prune();
    this.#watch.forgetReadable();
    return { more, deliveries };
  }

  /**
   * Makes the next round read all state again. If a batch was refused because of its values, batches are halved until a single
   * click is left.
   */
  recover(error: unknown): void {
    this.#shipper.forget();
    if (error instanceof SegmentReadError) this.#watch.leaveOut(error);
    if (liesInValues(error)) for (const [segment, clicks] of this.#shipper.attempted) if (clicks > 0) segment.bisect(clicks);
    this.#watch.detachAll();
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
  }

  /** A new connection may lead to another server, so what was known about the previous server is discarded. */
  async #client(): Promise<pg.ClientBase> {
    const client = await this.#settings.session.client();
    if (client !== this.#newestClient) {
      this.#newestClient = client;
      this.#comparedMs = Number.NEGATIVE_INFINITY;
      this.#shipper.forget();
    }
    return client;
  }

  /** Reads from the click log where the segments stand. Returns those that can be read on from there. */
  async #attach(client: pg.ClientBase, segments: readonly TrackedSegment[]): Promise<readonly TrackedSegment[]> {
    const unknown = segments.filter((segment) => !segment.attached);
    if (unknown.length > 0) {
      const ids = unknown.map((segment) => segment.reader.id);
      await addClickSegments(client, ids);
      const rows = new Map((await lockClickSegments(client, ids)).map((row) => [row.segment_id, row]));
      for (const segment of unknown) {
        const row = rows.get(segment.reader.id);
        if (row === undefined) continue;
        segment.attached = await segment.reader.resume(this.#shipper.memory, row.shipped_bytes, row.shipped_clicks);
        if (!segment.attached) await this.#setAside(client, segment, 'it is shorter than the part that is already stored');
      }
    }
    return segments.filter((segment) => segment.attached);
  }

  async #hasMore(segments: readonly TrackedSegment[]): Promise<boolean> {
    for (const segment of segments) if (!segment.damaged && !segment.at_tail && (await segment.reader.hasRecord(segment.end))) return true;
    return false;
  }

  /**
   * Compares what is believed to be stored with what the database has. After a failover to a replica that lacked the last
   * transactions, the database has less. Clicks and the count of their segment are lost together, so exactly the clicks that it
   * lacks are shipped again. Files are removed only if the database has just confirmed that it has all of them.
   */
  async #compare(): Promise<void> {
    const { clock } = this.#settings;
    if (Math.abs(clock() - this.#comparedMs) < COMPARE_INTERVAL_MS) return;
    const stored = this.#watch.segments.filter(({ reader }) => reader.position > HEADER_BYTES);
    const ids = [...stored.map(({ reader }) => reader.id), ...this.#watch.kept.ids];
    if (ids.length > 0) {
      const rows = await readClickSegments(await this.#client(), ids);
      for (const segment of stored) {
        if ((rows.get(segment.reader.id)?.shipped_clicks ?? -1) >= segment.reader.click_number) continue;
        segment.rewind();
        this.#totals.segments_lost++;
      }
      this.#totals.segments_lost += this.#watch.kept.compare(rows);
    }
    this.#comparedMs = clock();
  }

  #count(outcome: ShipOutcome): void {
    if (outcome.kind === 'fenced') this.#watch.detachAll();
    if (outcome.kind !== 'shipped') return;
    this.#totals.transactions++;
    this.#totals.clicks_shipped += outcome.clicks;
    this.#totals.clicks_refused += outcome.refused;
  }

  /** Releases segments that no process writes any more and that are stored to the end, or as far as they can be read. */
  async #finish(): Promise<void> {
    for (const segment of this.#watch.segments) {
      if (!segment.isClosed(this.#settings.clock)) continue;
      // Read it again: the writer may have written its last clicks between the two looks.
      await segment.refreshEnd();
      if (segment.damaged) {
        const client = await this.#client();
        await this.#setAside(client, segment, `the record at ${segment.reader.position} cannot be read`);
      } else if (await this.#isDone(segment)) await this.#letGo(segment);
    }
  }

  async #isDone(segment: TrackedSegment): Promise<boolean> {
    if (!(await segment.reader.hasRecord(segment.end))) return true;
    if (segment.end.promised) return false;
    // Only reading shows whether the bytes there are a record.
    const scan = await segment.reader.read(this.#shipper.memory, new Int32Array(1), segment.reader.position, segment.end);
    return scan.end === 0;
  }

  async #letGo(segment: TrackedSegment): Promise<void> {
    // Even if the segment is no longer attached: its connection may have closed in the meantime. If nothing was stored, there
    // is nothing to finish.
    if (segment.reader.position > HEADER_BYTES) await finishClickSegments(await this.#client(), [segment.reader.id]);
    await this.#watch.finish(segment);
    this.#totals.segments_finished++;
  }

  async #setAside(client: pg.ClientBase, segment: TrackedSegment, why: string): Promise<void> {
    const { committed_clicks } = segment.reader.progress();
    this.#totals.clicks_unreadable += Math.max(0, committed_clicks - segment.reader.click_number);
    await finishClickSegments(client, [segment.reader.id]);
    await this.#watch.setAside(segment, why);
  }

  async #prune(): Promise<void> {
    const now = this.#settings.clock();
    if (now >= this.#prunedMs && now - this.#prunedMs < PRUNE_INTERVAL_MS) return;
    await pruneClickSegments(await this.#client(), STORED_SEGMENTS_REMEMBERED_MS);
    this.#prunedMs = now;
  }
}

function liesInValues(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  if (error.code === NO_PARTITION && error.constraint === undefined) return false;
  return DATA_ERROR_CLASSES.includes(error.code.slice(0, 2));
}

/** While the flusher searches for a click that PostgreSQL refuses, the click's segment is shipped alone. */
function onlyBisected(segments: readonly TrackedSegment[]): readonly TrackedSegment[] {
  const bisected = segments.find((segment) => segment.refuse_next || segment.clicks_max !== Number.POSITIVE_INFINITY);
  return bisected === undefined ? segments : [bisected];
}
