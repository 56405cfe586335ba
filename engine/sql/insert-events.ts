import type { ClientBase } from 'pg';
import { type EventRow, eventColumns } from '../../shared/webhooks/body.js';

/** Stores events and queues their deliveries, in the caller's transaction; answers how many deliveries were queued. */
export async function insertEvents(client: ClientBase, events: readonly EventRow[]): Promise<number> {
  const { rows } = await client.query<{ queued: number }>({
    name: 'insert_events',
    text: 'SELECT insert_events($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])::integer AS queued',
    values: eventColumns(events),
  });
  return rows[0]?.queued ?? 0;
}
