import type { ClientBase } from 'pg';

/** Somebody who wants `click.created`: an active endpoint, or whoever lists events at present. */
export interface ClickSubscriber {
  /** Number of the environment. */
  readonly number: number;
  /** null for who lists events: it is sent nothing, the events are only stored. */
  readonly webhook_id: string | null;
  /** The endpoint's deliveries of clicks that are not over. */
  readonly queued: number;
}

export async function readClickSubscribers(client: ClientBase, now: Date): Promise<readonly ClickSubscriber[]> {
  const { rows } = await client.query<ClickSubscriber>({
    name: 'read_click_subscribers',
    text: `
      SELECT environment.number, endpoint.id AS webhook_id, coalesce(backlog.queued, 0)::float8 AS queued
      FROM webhook_endpoints AS endpoint
      JOIN environments AS environment ON environment.id = endpoint.environment_id
      LEFT JOIN webhook_backlogs AS backlog ON backlog.webhook_id = endpoint.id
      WHERE endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)
      UNION ALL
      SELECT environment.number, NULL, 0
      FROM click_listeners AS listener
      JOIN environments AS environment ON environment.id = listener.environment_id
      WHERE listener.until > $1::timestamptz`,
    values: [now],
  });
  return rows;
}
