import type { ClientBase } from 'pg';

export interface ClickBatchRow {
  readonly batch_id: string;
  readonly clicks: number;
  /** First and last click. */
  readonly from_at_ms: number;
  readonly to_at_ms: number;
}

/** Says, in the transaction that stores the clicks, that they are there to be counted. */
export async function addClickBatch(client: ClientBase, batch: ClickBatchRow): Promise<void> {
  await client.query({
    name: 'add_click_batch',
    text: 'INSERT INTO click_batches (batch_id, clicks, from_at, to_at) VALUES ($1, $2, $3, $4)',
    values: [batch.batch_id, batch.clicks, new Date(batch.from_at_ms), new Date(batch.to_at_ms)],
  });
}
