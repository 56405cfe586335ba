import { CLICK_STREAM_AGE_MS_MAX } from '../../shared/base/limits.js';
import type { StreamEnd } from '../../shared/contract/schemas/click-stream.js';
import { clickData } from '../../shared/webhooks/body.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { StreamedClick } from '../clicks/streamed.js';
import type { Database } from '../db/database.js';
import type { StreamConnection } from './connection.js';
import { HEARTBEAT_MS, TAKEN_WITHIN_MS } from './limits.js';
import { eventId } from './position.js';
import { hasRead, passed, type ReadOn, readOn, type StreamProgress } from './progress.js';
import { type ClickBatch, holdsClicksOf, readBatches, readUsableKeys } from './sql.js';

/** Number of batches read at once: those of two hosts in two seconds. */
const PAGE_BATCHES = 50;

/** Number of clicks sent in one piece, 350 KB. */
const PIECE_CLICKS = 500;

/** Interval of rounds: the longest time that a click waits once it is in the log. */
const ROUND_MS = 500;

/** The streams of a revoked key end within this time plus a round. */
const KEYS_MS = 500;

export interface EnvironmentClicksSettings {
  readonly database: Database;
  readonly clickStore: Pick<ClickStore, 'streamed'>;
  readonly environmentNumber: number;
  /** Monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * Reads the click log of one environment for all of its streams, in rounds. A stream that resumes from an earlier position reads a
 * page of its own in each round, until it has read everything visible. From then on it is live, and is sent the same as all live streams.
 * A click that appears between its last page and their next one is in the next one, and batches that it has read already are left out.
 */
export class EnvironmentClicks {
  readonly #settings: EnvironmentClicksSettings;
  readonly #connections = new Set<StreamConnection>();
  /** How far the live streams have read; null while there are none. */
  #progress: StreamProgress | null = null;
  #keysCheckedMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;

  constructor(settings: EnvironmentClicksSettings) {
    this.#settings = settings;
  }

  /** Adds a stream. `onIdle` is called when the last stream is closed; `onFailed` with an error that has ended all streams. */
  add(connection: StreamConnection, onIdle: () => void, onFailed: (error: unknown) => void): void {
    this.#connections.add(connection);
    this.#running ??= this.#run(onIdle, onFailed);
  }

  endAll(reason: StreamEnd): void {
    for (const connection of this.#connections) connection.end(reason);
    this.#connections.clear();
  }

  /** Resolves when no round is running any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(onIdle: () => void, onFailed: (error: unknown) => void): Promise<void> {
    const { monotonicMs, wait } = this.#settings;
    while (this.#connections.size > 0) {
      const beganMs = monotonicMs();
      try {
        const more = await this.#round();
        if (!more) await wait(Math.max(0, beganMs + ROUND_MS - monotonicMs()));
      } catch (error) {
        this.endAll('unavailable');
        onFailed(error);
      }
      this.#forgetClosed();
    }
    this.#running = null;
    onIdle();
  }

  #forgetClosed(): void {
    for (const connection of this.#connections) if (!connection.isOpen) this.#connections.delete(connection);
    if (![...this.#connections].some(({ isLive }) => isLive)) this.#progress = null;
  }

  /** Returns whether there is more to read immediately. */
  async #round(): Promise<boolean> {
    await this.#endSome();
    let more = false;
    const live = [...this.#connections].filter((connection) => connection.isLive && connection.isOpen);
    if (this.#progress !== null && live.length > 0) {
      const page = await this.#page(this.#progress, live);
      this.#progress = page.progress;
      more = page.hasMore;
    }
    for (const connection of [...this.#connections].filter(({ isLive }) => !isLive)) {
      const page = await this.#page(connection.progress, [connection]);
      connection.progress = page.progress;
      if (page.hasMore) more = true;
      else this.#join(connection);
    }
    this.#beat();
    return more;
  }

  #join(connection: StreamConnection): void {
    connection.isLive = true;
    this.#progress ??= connection.progress;
  }

  async #endSome(): Promise<void> {
    const { database, monotonicMs } = this.#settings;
    const now = monotonicMs();
    for (const connection of this.#connections) if (now - connection.openedMs >= CLICK_STREAM_AGE_MS_MAX) connection.end('max_age');
    if (now - this.#keysCheckedMs < KEYS_MS) return;
    this.#keysCheckedMs = now;
    // Only these are checked: another connection may be added during the query, with a key that was not looked up.
    const connections = [...this.#connections];
    const usable = await readUsableKeys(database, [...new Set(connections.map(({ keyId }) => keyId))]);
    for (const connection of connections) if (!usable.has(connection.keyId)) connection.end('revoked');
  }

  /** Sends a comment, so that proxies do not close idle connections, and the newest id, from which a client without clicks can resume. */
  #beat(): void {
    const now = this.#settings.monotonicMs();
    for (const connection of this.#connections) {
      if (now - connection.sentMs < HEARTBEAT_MS) continue;
      connection.send(`: heartbeat\nid: ${eventId(((connection.isLive && this.#progress) || connection.progress).position)}\n\n`, now);
    }
  }

  /** Sends the clicks of a page of batches. A stream with nothing left to read after this round's look has all that live streams got. */
  async #page(from: StreamProgress, targets: readonly StreamConnection[]): Promise<ReadOn> {
    const { database, environmentNumber } = this.#settings;
    const { look, batches } = await readBatches(database, from, PAGE_BATCHES);
    const wanted = batches.filter((batch) => holdsClicksOf(batch, environmentNumber));
    let at = from.position;
    let left = batches;
    for await (const { batch, clicks, isLast } of this.#clicksOf(wanted)) {
      const before = eventId(at);
      if (isLast) {
        const end = left.indexOf(batch) + 1;
        for (const one of left.slice(0, end)) at = passed(at, one, look);
        left = left.slice(end);
      }
      // A client that has received part of a batch is sent all of it when it resumes.
      const piece = Buffer.from(
        clicks.map((click, index) => frame(click, isLast && index === clicks.length - 1 ? eventId(at) : before)).join(''),
      );
      await this.#send(
        piece,
        targets.filter(({ progress }) => !hasRead(progress, batch)),
      );
    }
    for (const one of left) at = passed(at, one, look);
    return readOn(from, at, { look, last: batches.at(-1), isFull: batches.length === PAGE_BATCHES });
  }

  /** Yields the clicks of each batch, in pieces. Batches without clicks are left out. */
  async *#clicksOf(
    batches: readonly ClickBatch[],
  ): AsyncGenerator<{ readonly batch: ClickBatch; readonly clicks: readonly StreamedClick[]; readonly isLast: boolean }> {
    const { database, clickStore, environmentNumber } = this.#settings;
    let after: StreamedClick | null = null;
    for (let more = batches.length > 0; more; ) {
      const rows = await clickStore.streamed(database, { environmentNumber, batches, after, limit: PIECE_CLICKS + 1 });
      more = rows.length > PIECE_CLICKS;
      const shown = rows.slice(0, PIECE_CLICKS);
      after = shown.at(-1) ?? null;
      for (const batch of batches) {
        const clicks = shown.filter(({ batch_id }) => batch_id === batch.batch_id);
        const isLast = !more || rows.at(-1)?.batch_id !== batch.batch_id;
        if (clicks.length > 0) yield { batch, clicks, isLast };
      }
    }
  }

  /** Sends a piece, and waits until the clients have received it. Ends the streams of those that do not in time. */
  async #send(piece: Buffer, targets: readonly StreamConnection[]): Promise<void> {
    const { monotonicMs, wait } = this.#settings;
    for (const target of targets) target.send(piece, monotonicMs());
    const slow = targets.filter(({ isBehind }) => isBehind);
    if (slow.length === 0) return;
    await Promise.race([Promise.all(slow.map((target) => target.taken())), wait(TAKEN_WITHIN_MS)]);
    for (const target of slow) if (target.isBehind) target.end('too_slow');
  }
}

function frame({ batch_id: _, ...click }: StreamedClick, id: string): string {
  return `event: click\nid: ${id}\ndata: ${JSON.stringify(clickData(click))}\n\n`;
}
