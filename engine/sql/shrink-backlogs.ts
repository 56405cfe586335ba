import type { ClientBase } from 'pg';

/** Counts deliveries of clicks that are over, in the transaction that ended them. See `grow-backlogs.ts` for the order. */
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
