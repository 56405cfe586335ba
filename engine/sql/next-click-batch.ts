import type { ClientBase } from 'pg';

/** A number for the clicks of one transaction, larger than those given out before. */
export async function nextClickBatch(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ batch_id: string }>({
    name: 'next_click_batch',
    text: `SELECT nextval(pg_get_serial_sequence('click_batches', 'batch_id')) AS batch_id`,
  });
  return rows[0]?.batch_id as string;
}
