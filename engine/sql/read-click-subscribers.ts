import type { ClientBase } from 'pg';

/** An active endpoint that wants `click.created`. */
export interface ClickSubscriber {
  /** Number of its environment. */
  readonly number: number;
  readonly webhook_id: string;
  /** Its deliveries of clicks that are not over. */
  readonly queued: number;
}

export async function readClickSubscribers(client: ClientBase): Promise<readonly ClickSubscriber[]> {
  const { rows } = await client.query<ClickSubscriber>({
    name: 'read_click_subscribers',
    text: `
      SELECT environment.number, endpoint.id AS webhook_id, coalesce(backlog.queued, 0)::float8 AS queued
      FROM webhook_endpoints AS endpoint
      JOIN environments AS environment ON environment.id = endpoint.environment_id
      LEFT JOIN webhook_backlogs AS backlog ON backlog.webhook_id = endpoint.id
      WHERE endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)`,
  });
  return rows;
}
