import type { ClientBase } from 'pg';
import type { EventRow } from '../../../shared/webhooks/body.js';
import { columnsOf } from '../../database/columns.js';

/** What a page has learnt about the device behind a click. */
export interface ClickDeviceRow {
  /** As `uuid` text. */
  readonly click_id: string;
  readonly occurred_at: string;
  readonly environment_number: number;
  readonly seen_key: string;
  readonly match_key: string;
  readonly model: string | null;
}

/**
 * Adds the rows that do not exist yet: only the first report of a click from a network counts. Rows are written in the order of
 * their keys, so that shippers cannot deadlock.
 */
export async function addClickDevices(client: ClientBase, rows: readonly ClickDeviceRow[]): Promise<void> {
  await client.query({
    name: 'add_click_devices',
    text: `
      INSERT INTO click_devices (click_id, occurred_at, environment_number, seen_key, match_key, model)
      SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[], $4::bigint[], $5::bigint[], $6::text[])
        AS given (click_id, occurred_at, environment_number, seen_key, match_key, model)
      ORDER BY click_id, seen_key
      ON CONFLICT (click_id, occurred_at, seen_key) DO NOTHING`,
    values: columnsOf(rows, 'click_id', 'occurred_at', 'environment_number', 'seen_key', 'match_key', 'model'),
  });
}

/** An event of a click, with the index of the click among its environment's clicks in this batch, starting at 0. */
export interface ClickEvent {
  readonly row: EventRow;
  readonly number: number;
}

/** An endpoint that receives clicks, and how many of its environment's in this batch. */
export interface ClickReceiver {
  readonly webhook_id: string;
  readonly room: number;
}

/** Stores events of clicks and queues their deliveries, in the caller's transaction. Returns how many were queued, by endpoint. */
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
      ...columnsOf(receivers, 'webhook_id', 'room'),
    ],
  });
  return new Map(rows.map((row) => [row.webhook_id, row.queued]));
}

/** Returns the keys of the resource types with these ids, by id. */
export async function readResourceTypeKeys(client: ClientBase, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; key: string }>({
    name: 'read_resource_type_keys',
    text: 'SELECT id, key FROM resource_types WHERE id = ANY ($1::text[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, key }) => [id, key]));
}
