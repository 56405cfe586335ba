import type { ClientBase } from 'pg';
import { columnsOf } from '../database/columns.js';

/** What a transaction did to an endpoint's backlog of clicks. */
export interface BacklogGrowth {
  readonly webhook_id: string;
  /** Deliveries that were queued; negative for those that left the queue without an attempt. */
  readonly queued: number;
  /** Clicks that the endpoint is not sent, because there was no room or they had waited too long. */
  readonly dropped: number;
}

/**
 * Counts what was queued for endpoints and what was not. Must be called in the transaction that did so, at its end: the rows are
 * locked until it commits, and a statement that ends deliveries waits for them. Endpoints are written in the same order as in
 * `shrinkBacklogs`, so that two transactions do not deadlock.
 */
export async function growBacklogs(client: ClientBase, growth: readonly BacklogGrowth[]): Promise<void> {
  const ordered = growth.toSorted((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
  await client.query({
    name: 'grow_backlogs',
    text: `
      INSERT INTO webhook_backlogs AS backlog (webhook_id, queued, dropped, dropped_at)
      SELECT webhook_id, queued, dropped, CASE WHEN dropped > 0 THEN statement_timestamp() END
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS growth (webhook_id, queued, dropped)
      ON CONFLICT (webhook_id) DO UPDATE
      SET queued = greatest(0, backlog.queued + excluded.queued),
        dropped = backlog.dropped + excluded.dropped,
        dropped_at = coalesce(excluded.dropped_at, backlog.dropped_at)`,
    values: columnsOf(ordered, 'webhook_id', 'queued', 'dropped'),
  });
}

/** Subtracts deliveries of clicks that have ended, in the transaction that ended them. See `growBacklogs` for the order. */
export async function shrinkBacklogs(client: ClientBase, ended: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...ended.keys()].sort();
  await client.query({
    name: 'shrink_backlogs',
    text: `
      WITH locked AS MATERIALIZED (
        SELECT webhook_id FROM webhook_backlogs WHERE webhook_id = ANY ($1::text[]) ORDER BY webhook_id FOR UPDATE
      )
      UPDATE webhook_backlogs AS backlog
      SET queued = greatest(0, backlog.queued - ended.count)
      FROM locked
      JOIN unnest($1::text[], $2::bigint[]) AS ended (webhook_id, count) ON ended.webhook_id = locked.webhook_id
      WHERE backlog.webhook_id = locked.webhook_id`,
    values: [ids, ids.map((id) => ended.get(id))],
  });
}
