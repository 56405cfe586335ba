import type { ClientBase } from 'pg';
import { BOOTSTRAPS_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { ConfigWriter } from '../store/config-writer.js';
import type { BuildProgress, GenerationBuilder } from '../store/generation-builder.js';
import { applyRows, type RememberedItems } from './apply.js';
import { giveTurnBack, limitSilence, tryTakeTurn } from './bootstrap-turn.js';
import { continuation, whyNotFollowed } from './feed-reader.js';
import { type ChangesPage, KINDS, type Kind } from './kinds.js';
import { readFeed, readFeedState } from './sql.js';

/** Rows fetched and written at a time: some 2 MB in flight, and some 5 ms of this process's event loop. */
const PAGE_ROWS = 2000;
/** How often the feed is applied to what has been copied. The feed keeps a million rows, which no fleet writes in this time. */
const FEED_MS = 1000;
const FEED_ROWS = 1000;
/** How often a turn is asked for. */
const TURN_MS = 1000;

export interface BootstrapPlan {
  /** Why there is one, for the log. */
  readonly reason: string;
  /** Asked between pages: true ends the bootstrap, to be gone on with later. */
  readonly cancelled: () => boolean;
  /** Called after each page with the number of its objects. */
  readonly onObjects?: (count: number) => void;
  /** Called with true when other hosts have all turns, and with false when this one has its own. */
  readonly onWaiting: (waits: boolean) => void;
  /** Waits for so many milliseconds: after a page, in which the machine is the visitors', or for a turn. */
  readonly rest: (milliseconds: number) => Promise<unknown>;
  /** What the feed says to forget is forgotten meanwhile. */
  readonly remembered: Pick<RememberedItems, 'invalidate'>;
  readonly log: Logger;
  readonly pageRows?: number;
  readonly feedMs?: number;
}

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** What has been copied cannot be continued by the feed: the database went back, or is another one. */
class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Tables come first: with them a host knows where to look links up, and can be published before any link. */
const ORDER: readonly Kind[] = KINDS.toSorted((a, b) => Number(b.changesTable) - Number(a.changesTable));

/**
 * Builds a new generation and switches every reader to it; the old one serves until then.
 *
 * **In pages.** Objects are read in pages, by a unique index. Each page is one transaction of the new generation, which also says how far
 * the copy is, so that a process that dies goes on where it was (`GenerationBuilder`). There is no snapshot: at each page another
 * state of the database is read. The feed makes that right. Its end is noted before the first page; every change after it has a row; and
 * rows are applied in their order as the state that PostgreSQL has by then (`applyRows`). An object that changed after its page
 * was read is written again, one that was deleted is removed, and one that changed before its page was read is written twice. A page is
 * never written after a feed row that was read later than the page: pages are read ahead only where no feed comes between.
 *
 * **Beside the feed.** It is applied every second, up to where it ends then, and so it is not lost to its pruning however
 * long the copy takes.
 *
 * **In turns.** At most `BOOTSTRAPS_MAX` hosts copy what is large at a time. What the tables are made of is small, is
 * copied by everybody at once, and is published by itself where readers have nothing yet. Where an old generation serves them
 * meanwhile, half the time is rest: visitors would wait for the processors that this process and the database take.
 *
 * `client` has a session of its own. Returns false if it was cancelled. Throws what PostgreSQL and LMDB throw; the connection is
 * to be thrown away then. What was copied is kept for the next call, unless it cannot be gone on with.
 */
export async function bootstrap(client: ClientBase, writer: ConfigWriter, plan: BootstrapPlan): Promise<boolean> {
  await limitSilence(client);
  const builder = await begin(client, writer, plan.log);
  try {
    const began = performance.now();
    const objects = await new Copy(client, writer, { builder, plan }).run();
    const milliseconds = Math.round(performance.now() - began);
    plan.log.info({ code: 'configuration_copied', reason: plan.reason, objects, milliseconds }, 'configuration copied again');
    return true;
  } catch (error) {
    if (error instanceof Outdated) await builder.abandon();
    else await builder.suspend();
    if (error instanceof Cancelled) return false;
    throw error;
  }
}

async function begin(client: ClientBase, writer: ConfigWriter, log: Logger): Promise<GenerationBuilder> {
  const builder = await writer.build();
  try {
    const feed = await readFeedState(client);
    const { progress } = builder;
    const fault = progress === null ? null : whyNotFollowed(progress.cursor, feed);
    if (progress !== null && fault === null) {
      log.info({ code: 'copy_resumed', kind: progress.kind, after: progress.after }, 'resuming an unfinished copy of the configuration');
      return builder;
    }
    if (fault === null) {
      builder.put([], { cursor: feed.head, kind: (ORDER[0] as Kind).kind, after: null });
      return builder;
    }
    log.info({ code: 'unfinished_copy_dropped', reason: fault }, 'an unfinished copy is discarded');
  } catch (error) {
    await builder.suspend();
    throw error;
  }
  await builder.abandon();
  return begin(client, writer, log);
}

class Copy {
  readonly #client: ClientBase;
  readonly #writer: ConfigWriter;
  readonly #builder: GenerationBuilder;
  readonly #plan: BootstrapPlan;
  readonly #pageRows: number;
  readonly #feedMs: number;
  /** Whether each page is followed by a rest of its own duration. */
  readonly #rests: boolean;
  #feedAt: number;
  #objects = 0;

  constructor(
    client: ClientBase,
    writer: ConfigWriter,
    { builder, plan }: { readonly builder: GenerationBuilder; readonly plan: BootstrapPlan },
  ) {
    this.#client = client;
    this.#writer = writer;
    this.#builder = builder;
    this.#plan = plan;
    this.#pageRows = plan.pageRows ?? PAGE_ROWS;
    this.#feedMs = plan.feedMs ?? FEED_MS;
    this.#rests = !writer.servesNothing();
    this.#feedAt = performance.now() + this.#feedMs;
  }

  /** Returns how many objects it has copied. */
  async run(): Promise<number> {
    // Also of what an earlier process copied: the tables it has published are older.
    await this.#applyFeed();
    for (const kind of ORDER) if (kind.changesTable) await this.#copyKind(kind);
    await this.#publishTables();
    await this.#takeTurn();
    for (const kind of ORDER) if (!kind.changesTable) await this.#copyKind(kind);
    await this.#applyFeed();
    // The disk may take minutes to flush everything, for which PostgreSQL is not needed.
    await giveTurnBack(this.#client);
    await this.#builder.finish(this.#progress().cursor);
    return this.#objects;
  }

  #progress(): BuildProgress {
    return this.#builder.progress as BuildProgress;
  }

  async #takeTurn(): Promise<void> {
    if (await tryTakeTurn(this.#client)) return;
    const { log, onWaiting } = this.#plan;
    log.info({ code: 'copy_waits', hosts: BOOTSTRAPS_MAX }, 'other hosts are copying the configuration; this one waits for its turn');
    onWaiting(true);
    do {
      await this.#plan.rest(TURN_MS);
      this.#throwIfCancelled();
      await this.#applyFeed();
    } while (!(await tryTakeTurn(this.#client)));
    log.info({ code: 'copy_turn_taken' }, "it is this host's turn to copy the configuration");
    onWaiting(false);
  }

  /** Copies the rest of the kind, which is all of it or, in a generation that is gone on with, none or a part. */
  async #copyKind(kind: Kind): Promise<void> {
    if (this.#progress().kind !== kind.kind) return;
    const read = (after: ChangesPage['last']) => kind.readPage(this.#client, after, this.#pageRows);
    const next = ORDER[ORDER.indexOf(kind) + 1]?.kind ?? null;
    let ahead: Promise<ChangesPage> | null = null;
    for (let isLast = false; !isLast; ) {
      this.#throwIfCancelled();
      const beganAt = performance.now();
      const page: ChangesPage = await (ahead ?? read(this.#progress().after));
      const { changes, last } = page;
      isLast = last === null;
      const feedIsDue = performance.now() >= this.#feedAt;
      // One page ahead at most; and none where the feed comes first, whose rows would be newer than what was read ahead.
      ahead = isLast || feedIsDue ? null : read(last);
      // Awaited in the next round; where the write fails first, its own failure must not count as unhandled.
      ahead?.catch(() => undefined);
      this.#builder.put(changes, { ...this.#progress(), kind: isLast ? next : kind.kind, after: last });
      this.#objects += changes.length;
      this.#plan.onObjects?.(changes.length);
      if (feedIsDue) await this.#applyFeed();
      if (this.#rests) await this.#plan.rest(performance.now() - beganAt);
    }
  }

  /** Applies the feed up to where it ends now. Nothing that was read before is written after this. */
  async #applyFeed(): Promise<void> {
    const feed = await readFeedState(this.#client);
    const fault = whyNotFollowed(this.#progress().cursor, feed);
    if (fault !== null) throw new Outdated(fault);
    while (this.#progress().cursor.position < feed.head.position) {
      this.#throwIfCancelled();
      const { cursor } = this.#progress();
      const reading = continuation(cursor, await readFeed(this.#client, cursor.position, FEED_ROWS));
      if (reading.kind === 'broken') throw new Outdated(reading.reason);
      if (reading.rows.length === 0) break;
      await applyRows({ client: this.#client, writer: this.#builder, remembered: this.#forgetting() }, cursor.epoch, reading.rows);
    }
    // While tables are still being copied there is nothing whole to publish.
    if (this.#isPastTables()) await this.#publishTables();
    this.#feedAt = performance.now() + this.#feedMs;
  }

  #isPastTables(): boolean {
    const { kind } = this.#progress();
    return !ORDER.some((each) => each.changesTable && each.kind === kind);
  }

  async #publishTables(): Promise<void> {
    if (!this.#writer.servesNothing()) return;
    const tables = this.#builder.takeTables();
    if (tables !== null) await this.#writer.publishTables(tables);
  }

  /** Nobody is told how far the copy is before readers have it. */
  #forgetting(): RememberedItems {
    return {
      invalidate: (items) => this.#plan.remembered.invalidate(items),
      invalidateAll: () => undefined,
      awaited: () => undefined,
      applied: () => undefined,
    };
  }

  #throwIfCancelled(): void {
    if (this.#plan.cancelled()) throw new Cancelled();
  }
}
