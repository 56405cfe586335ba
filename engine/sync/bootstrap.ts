import type { ClientBase } from 'pg';
import { readFeedState } from '../sql/read-feed-state.js';
import type { ConfigWriter, GenerationBuilder } from '../store/config-writer.js';
import { KINDS, type Kind } from './kinds.js';

/** Rows fetched and written at a time: some 2 MB in flight, and some 5 ms of this process's event loop. */
const BATCH_ROWS = 2000;

export interface BootstrapProgress {
  /** Asked between batches: true ends the bootstrap with nothing changed. */
  readonly cancelled: () => boolean;
  readonly onObjects: (count: number) => void;
}

/**
 * Builds a new generation from one snapshot of the database and switches every reader to it; the old one serves until
 * then. The cursor is the end of the feed in that same snapshot: every row up to there is a committed one whose object
 * the snapshot holds, and every later one will be read from the feed.
 *
 * Rows come through a server-side cursor in key order and are written while the next batch is on its way, one batch
 * ahead at most: memory does not depend on how many links there are.
 *
 * Answers false where it was cancelled. Throws what PostgreSQL and LMDB throw; nothing is left behind then.
 */
export async function bootstrap(client: ClientBase, writer: ConfigWriter, progress: BootstrapProgress): Promise<boolean> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  // Every row will be read: by default the planner prefers what yields the first tenth fastest. And with tens of millions
  // of links the first FETCH may sort for minutes, which is no reason for the server to give up.
  await client.query('SET LOCAL cursor_tuple_fraction = 1; SET LOCAL statement_timeout = 0');
  const { head } = await readFeedState(client);
  const builder = writer.build();
  try {
    for (const kind of KINDS) {
      if (await copyKind(client, kind, builder, progress)) continue;
      await builder.abandon();
      await client.query('ROLLBACK');
      return false;
    }
    await client.query('COMMIT');
  } catch (error) {
    await builder.abandon();
    throw error;
  }
  await builder.finish(head);
  return true;
}

/** Answers false where it was cancelled. */
async function copyKind(client: ClientBase, kind: Kind, builder: GenerationBuilder, progress: BootstrapProgress): Promise<boolean> {
  await client.query(`DECLARE scan NO SCROLL CURSOR FOR ${kind.scan}`);
  const fetch = async () => (await client.query<Record<string, unknown>>(`FETCH FORWARD ${BATCH_ROWS} FROM scan`)).rows;
  let rows = await fetch();
  while (rows.length > 0) {
    if (progress.cancelled()) return false;
    const next = fetch();
    // Awaited below; a failure of the write must not leave it unhandled.
    next.catch(() => undefined);
    builder.put(kind.fromScan(rows));
    progress.onObjects(rows.length);
    rows = await next;
  }
  await client.query('CLOSE scan');
  return true;
}
