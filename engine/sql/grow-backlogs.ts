import type { ClientBase } from 'pg';

/** What a transaction did to an endpoint's backlog of clicks. */
export interface BacklogGrowth {
  readonly webhook_id: string;
  /** Deliveries that were queued; below 0 for those that left the queue without an attempt. */
  readonly queued: number;
  /** Clicks that it is not sent: there was no room, or they had waited too long. */
  readonly dropped: number;
}

/**
 * Counts what was queued for endpoints and what was not, in the transaction that did so and at its end: the rows are locked
 * until it commits, and whoever ends deliveries waits for them. In one order of endpoints, as `shrink-backlogs.ts`, so that
 * two transactions do not wait for each other.
 */
export async function growBacklogs(client: ClientBase, growth: readonly BacklogGrowth[], now: Date): Promise<void> {
  const ordered = growth.toSorted((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
  await client.query({
    name: 'grow_backlogs',
    text: `
      INSERT INTO webhook_backlogs AS backlog (webhook_id, queued, dropped, dropped_at)
      SELECT webhook_id, queued, dropped, CASE WHEN dropped > 0 THEN $4::timestamptz END
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS growth (webhook_id, queued, dropped)
      ON CONFLICT (webhook_id) DO UPDATE
      SET queued = greatest(0, backlog.queued + excluded.queued),
        dropped = backlog.dropped + excluded.dropped,
        dropped_at = coalesce(excluded.dropped_at, backlog.dropped_at)`,
    values: [ordered.map((row) => row.webhook_id), ordered.map((row) => row.queued), ordered.map((row) => row.dropped), now],
  });
}
