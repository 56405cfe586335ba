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
/** How often the feed is applied to what has been copied. The feed keeps a million rows, more than any installation writes in this time. */
const FEED_MS = 1000;
const FEED_ROWS = 1000;
/** How often to try to take a turn. */
const TURN_MS = 1000;

export interface BootstrapPlan {
  /** The reason for the bootstrap, for the log. */
  readonly reason: string;
  /** Called between pages. Returning true ends the bootstrap, which is continued later. */
  readonly cancelled: () => boolean;
  /** Called with true when other hosts have all turns, and with false when this host has got its own. */
  readonly onWaiting: (waits: boolean) => void;
  /** Waits for this many milliseconds: after a page, to leave the machine to visitors, or for a turn. */
  readonly rest: (milliseconds: number) => Promise<unknown>;
  /** Forgets what the feed names meanwhile. */
  readonly remembered: Pick<RememberedItems, 'invalidate'>;
  readonly log: Logger;
  /** Set only by tests and benches. */
  readonly timing?: BootstrapTiming;
}

/** How large the steps of a bootstrap are, and who is told of each. */
export interface BootstrapTiming {
  readonly pageRows?: number;
  readonly feedMs?: number;
  /** Called after each page with the number of its objects. */
  readonly onObjects?: (count: number) => void;
}

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The feed cannot continue what has been copied: the database went back in time, or is a different one. */
class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Tables come first: with them a host knows where to look links up, and they can be published before any link. */
const ORDER: readonly Kind[] = KINDS.toSorted((a, b) => Number(b.changesTable) - Number(a.changesTable));

/**
 * Builds a new generation and switches every reader to it. The old one serves until then.
 *
 * **In pages.** Objects are read in pages, by a unique index. Each page is one transaction of the new generation, which also
 * contains how far the copy is, so that a process that dies continues where it was (`GenerationBuilder`). There is no snapshot:
 * each page reads another state of the database. The feed corrects that. Its end is recorded before the first page, every later
 * change has a row in it, and rows are applied in their order with the state that PostgreSQL has by then (`applyRows`). An
 * object that changed after its page was read is written again, one that was deleted is removed, and one that changed before
 * its page was read is written twice. A page is never written after a feed row that was read later than the page: pages are
 * read ahead only if no feed comes between.
 *
 * **Beside the feed.** The feed is applied every second, up to its current end, so the copy does not lose it to pruning,
 * however long copying takes.
 *
 * **In turns.** At most `BOOTSTRAPS_MAX` hosts copy large kinds at a time. The sources of the tables are small. Every host
 * copies them immediately, and publishes them on their own if readers have nothing yet. If an old generation serves them
 * meanwhile, the copy rests half the time, because visitors would wait for the processors that this process and the database
 * use.
 *
 * `client` has its own session. Returns false if it was cancelled. Throws the errors of PostgreSQL and LMDB; the connection
 * must then be discarded. What was copied is kept for the next call, unless it cannot be continued.
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
  /** Whether each page is followed by a rest of the same duration. */
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
    this.#pageRows = plan.timing?.pageRows ?? PAGE_ROWS;
    this.#feedMs = plan.timing?.feedMs ?? FEED_MS;
    this.#rests = !writer.servesNothing();
    this.#feedAt = performance.now() + this.#feedMs;
  }

  /** Returns how many objects it has copied. */
  async run(): Promise<number> {
    // This also covers what an earlier process copied, because the tables that it published are older.
    await this.#applyFeed();
    for (const kind of ORDER) if (kind.changesTable) await this.#copyKind(kind);
    await this.#publishTables();
    await this.#takeTurn();
    for (const kind of ORDER) if (!kind.changesTable) await this.#copyKind(kind);
    await this.#applyFeed();
    // The disk may take minutes to flush everything. PostgreSQL is not needed for that.
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

  /** Copies the rest of the kind: all of it or, if the generation is being continued, none or a part of it. */
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
      // Read at most one page ahead, and none if the feed comes first, because its rows would be newer than what was read ahead.
      ahead = isLast || feedIsDue ? null : read(last);
      // It is awaited in the next round. If the write fails first, a failure of the read must not count as unhandled.
      ahead?.catch(() => undefined);
      this.#builder.put(changes, { ...this.#progress(), kind: isLast ? next : kind.kind, after: last });
      this.#objects += changes.length;
      this.#plan.timing?.onObjects?.(changes.length);
      if (feedIsDue) await this.#applyFeed();
      if (this.#rests) await this.#plan.rest(performance.now() - beganAt);
    }
  }

  /** Applies the feed up to its current end. No page that was read before may be written after this. */
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
    // While tables are still being copied, they are incomplete and cannot be published.
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

  /** Reports no progress of the copy, because readers do not have it yet. */
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
