import type { ClientBase } from 'pg';

/** Numbers of the environments in which an active endpoint wants `click.created`. */
export async function readClickSubscribers(client: ClientBase): Promise<readonly number[]> {
  const { rows } = await client.query<{ number: number }>({
    name: 'read_click_subscribers',
    text: `
      SELECT DISTINCT environment.number
      FROM webhook_endpoints AS endpoint
      JOIN environments AS environment ON environment.id = endpoint.environment_id
      WHERE endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)`,
  });
  return rows.map((row) => row.number);
}
