import type { ClientBase } from 'pg';
import type { ConfigWriter } from '../store/config-writer.js';
import type { GenerationBuilder } from '../store/generation-builder.js';
import type { StoreChange } from '../store/store-change.js';
import { KINDS, type Kind } from './kinds.js';
import { readFeedState } from './sql.js';

/** Rows fetched and written at a time: some 2 MB in flight, and some 5 ms of this process's event loop. */
const BATCH_ROWS = 2000;

export interface BootstrapProgress {
  /** Asked between batches: true ends the bootstrap with nothing changed. */
  readonly cancelled: () => boolean;
  readonly onObjects: (count: number) => void;
  /** Waits for so many milliseconds after a batch, in which the machine is the visitors'. */
  readonly rest: (milliseconds: number) => Promise<unknown>;
}

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Builds a new generation from one snapshot of the database and switches every reader to it; the old one serves until
 * then. The cursor is the end of the feed in that same snapshot: every row up to there is a committed one whose object
 * the snapshot holds, and every later one will be read from the feed.
 *
 * Rows come through a server-side cursor in key order and are written while the next batch is on its way, one batch
 * ahead at most: memory does not depend on how many links there are. What the tables are made of comes first, and is
 * published by itself where readers have nothing yet. Where an old generation serves them meanwhile, half the time is rest:
 * visitors would wait for the processors that this process and the database take.
 *
 * Returns false if it was cancelled. Throws what PostgreSQL and LMDB throw; nothing remains then, and the
 * connection is to be thrown away.
 */
export async function bootstrap(client: ClientBase, writer: ConfigWriter, progress: BootstrapProgress): Promise<boolean> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  // Every row will be read: by default the planner prefers what yields the first tenth fastest. And with tens of millions
  // of links the first FETCH may sort for minutes, during which the server must not give up.
  await client.query('SET LOCAL cursor_tuple_fraction = 1; SET LOCAL statement_timeout = 0');
  const { head } = await readFeedState(client);
  const builder = writer.build();
  const copying: Copying = { client, builder, progress, rests: !writer.servesNothing() };
  try {
    const tables: StoreChange[] = [];
    for (const kind of KINDS) if (kind.changesTable) await copyKind(kind, copying, (batch) => tables.push(...batch));
    if (writer.servesNothing()) await writer.publishTables(tables);
    for (const kind of KINDS) if (!kind.changesTable) await copyKind(kind, copying, () => undefined);
    await client.query('COMMIT');
    await builder.finish(head);
    return true;
  } catch (error) {
    await builder.abandon();
    if (error instanceof Cancelled) return false;
    throw error;
  }
}

interface Copying {
  readonly client: ClientBase;
  readonly builder: GenerationBuilder;
  readonly progress: BootstrapProgress;
  /** Whether each batch is followed by a rest of its own duration. */
  readonly rests: boolean;
}

async function copyKind(
  kind: Kind,
  { client, builder, progress, rests }: Copying,
  onBatch: (batch: readonly StoreChange[]) => void,
): Promise<void> {
  await client.query(`DECLARE scan NO SCROLL CURSOR FOR ${kind.scan}`);
  const fetch = async () => (await client.query<Record<string, unknown>>(`FETCH FORWARD ${BATCH_ROWS} FROM scan`)).rows;
  let rows = await fetch();
  while (rows.length > 0) {
    if (progress.cancelled()) throw new Cancelled();
    const beganAt = performance.now();
    const next = fetch();
    // Awaited below; where the write fails first, its own failure must not count as unhandled.
    next.catch(() => undefined);
    const batch = kind.fromScan(rows);
    builder.put(batch);
    onBatch(batch);
    progress.onObjects(rows.length);
    rows = await next;
    if (rests) await progress.rest(performance.now() - beganAt);
  }
  await client.query('CLOSE scan');
}
