import type { ClientBase } from 'pg';
import { FEED_MARK } from './read-feed-state.js';

export interface NumberedFeedRow {
  readonly position: number;
  readonly mark: string;
  /** A kind of `FEED_KINDS`, or one that a newer control plane knows. */
  readonly kind: string;
  readonly environment_id: string;
  /** Null where the environment is gone as well. */
  readonly environment_number: number | null;
  readonly object_id: string;
  readonly object_key: string | null;
}

/** Feed rows from the position on, that one included where it still is there, in order. */
export async function readFeed(client: ClientBase, fromPosition: number, limit: number): Promise<readonly NumberedFeedRow[]> {
  const { rows } = await client.query<NumberedFeedRow>({
    name: 'read_feed',
    text: `SELECT config_feed.position::float8 AS position, ${FEED_MARK} AS mark, config_feed.kind,
             config_feed.environment_id, environments.number AS environment_number, config_feed.object_id, config_feed.object_key
           FROM config_feed LEFT JOIN environments ON environments.id = config_feed.environment_id
           WHERE config_feed.position >= $1
           ORDER BY config_feed.position
           LIMIT $2`,
    values: [fromPosition, limit],
  });
  return rows;
}
