import type { ClientBase } from 'pg';
import type { FeedCursor } from '../../shared/records/records.js';

export interface FeedState {
  /** The end of the feed. */
  readonly head: FeedCursor;
  /** Rows up to this position have been pruned. */
  readonly prunedPosition: number;
}

/** Returns the feed's identity, which changes when positions may no longer mean the same, and its end. */
export async function readFeedState(client: ClientBase): Promise<FeedState> {
  const { rows } = await client.query<{ epoch: string; position: number; mark: string; pruned_position: number }>({
    name: 'read_feed_state',
    text: `SELECT feed_epoch() AS epoch, state.last_position::float8 AS position,
             coalesce((SELECT ${FEED_MARK} FROM config_feed WHERE position = state.last_position), '') AS mark,
             state.pruned_position::float8 AS pruned_position
           FROM config_feed_state AS state`,
  });
  const row = rows[0];
  if (row === undefined) throw new Error('config_feed_state has no row: the database is not migrated, or was emptied');
  return { head: { epoch: row.epoch, position: row.position, mark: row.mark }, prunedPosition: row.pruned_position };
}

/** Distinguishes a feed row from another one that got the same position from a server that went back in time. */
const FEED_MARK = `(config_feed.id || '@' || extract(epoch FROM config_feed.created_at))`;

export interface NumberedFeedRow {
  readonly position: number;
  readonly mark: string;
  /** A kind of `FEED_KINDS`, or one that only a newer control plane knows. */
  readonly kind: string;
  readonly environment_id: string;
  /** Null if the environment is gone too. */
  readonly environment_number: number | null;
  readonly object_id: string;
  readonly object_key: string | null;
  /** Whether a link was created. No call waits for that, since a path that the copy lacks is looked up in PostgreSQL. */
  readonly is_creation: boolean;
}

/** Returns the feed rows from the position on, in order, including the row at the position if it still exists. */
export async function readFeed(client: ClientBase, fromPosition: number, limit: number): Promise<readonly NumberedFeedRow[]> {
  const { rows } = await client.query<NumberedFeedRow>({
    name: 'read_feed',
    text: `SELECT config_feed.position::float8 AS position, ${FEED_MARK} AS mark, config_feed.kind,
             config_feed.environment_id, environments.number AS environment_number, config_feed.object_id, config_feed.object_key,
             config_feed.is_creation
           FROM config_feed LEFT JOIN environments ON environments.id = config_feed.environment_id
           WHERE config_feed.position >= $1
           ORDER BY config_feed.position
           LIMIT $2`,
    values: [fromPosition, limit],
  });
  return rows;
}
