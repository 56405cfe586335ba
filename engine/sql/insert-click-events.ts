import type { ClientBase } from 'pg';
import type { EventRow } from '../../shared/webhooks/body.js';

/** An event of a click, and which of its environment's clicks in this batch it is, from 0. */
export interface ClickEvent {
  readonly row: EventRow;
  readonly number: number;
}

/** An endpoint that wants clicks, and how many of its environment's in this batch. */
export interface ClickReceiver {
  readonly webhook_id: string;
  readonly room: number;
}

/** Stores events of clicks and queues their deliveries, in the caller's transaction; answers how many were queued, by endpoint. */
export async function insertClickEvents(
  client: ClientBase,
  events: readonly ClickEvent[],
  receivers: readonly ClickReceiver[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ webhook_id: string; queued: number }>({
    name: 'insert_click_events',
    text: `
      SELECT webhook_id, queued::integer AS queued
      FROM insert_click_events($1::text[], $2::timestamptz[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::integer[])`,
    values: [
      events.map(({ row }) => row.id),
      events.map(({ row }) => new Date(row.created_at_ms)),
      events.map(({ row }) => row.environment_id),
      events.map(({ number }) => number),
      events.map(({ row }) => row.body),
      receivers.map((receiver) => receiver.webhook_id),
      receivers.map((receiver) => receiver.room),
    ],
  });
  return new Map(rows.map((row) => [row.webhook_id, row.queued]));
}
