import type { EventType } from '../../shared/contract/schemas/events.js';
import type { Queryable } from '../db/database.js';
import type { CursorPlace } from '../http/cursor.js';
import { bounds, type CreatedBetween, type DeliveryFilter } from './sql.js';

/**
 * Blocks other replays of failures of the endpoint until the transaction ends. The row of the endpoint is not locked: a long log is read
 * for seconds, and the dispatcher, which writes the outcomes of many endpoints at once, would wait for that row.
 */
export async function lockReplays(database: Queryable, webhookId: string): Promise<void> {
  await database.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('replays/' || $1, 0))`, values: [webhookId] });
}

/** The last attempt for an event, which failed. */
export interface Failure {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly created_at: Date;
}

export interface FailureFilter extends Omit<DeliveryFilter, 'status'> {
  readonly statuses: readonly string[];
  /** The attempt after which the list begins, and its time in milliseconds; null for the whole list. */
  readonly after: CursorPlace | null;
}

/**
 * Lists events whose last attempt failed, oldest first, without samples that were not replayed. It sorts the endpoint's rows of the window:
 * only this function looks for them by event, and an index would cost every delivery. An anti-join would avoid the sort, but becomes a nested
 * loop over all failures when the planner knows too little about a new partition.
 */
export async function listFailures(
  database: Queryable,
  webhookId: string,
  filter: FailureFilter,
  rowsMax: number,
): Promise<readonly Failure[]> {
  const { rows } = await database.query<Failure>({
    text: `SELECT id, event_id, event_type, created_at FROM (
             SELECT DISTINCT ON (event_id) event_id, event_type, created_at, id, status, kind FROM webhook_deliveries
             WHERE webhook_id = $1 AND created_at >= $2::timestamptz AND ($5::text IS NULL OR event_type = $5)
             ORDER BY event_id, created_at DESC, id DESC) attempt
           WHERE status = ANY ($4) AND kind <> 'test' AND ($3::timestamptz IS NULL OR created_at <= $3)
             AND ($7::text IS NULL OR (date_trunc('milliseconds', created_at), id) > ($8::timestamptz, $7))
           ORDER BY date_trunc('milliseconds', created_at), id LIMIT $6`,
    values: [
      webhookId,
      new Date(filter.fromMs).toISOString(),
      filter.toMs === null ? null : new Date(filter.toMs).toISOString(),
      filter.statuses,
      filter.eventType,
      rowsMax,
      filter.after?.id ?? null,
      filter.after === null ? null : new Date(filter.after.place ?? 0).toISOString(),
    ],
  });
  return rows;
}

/** Stored events by id, and whether each of them is a sample. */
export type KeptEvents = ReadonlyMap<string, { readonly isSample: boolean }>;

/**
 * The events that are still stored among these. The label of a sample is before the data (`eventRow`). Bodies are not parsed, because
 * PostgreSQL cannot parse all of them: the data may have escapes of NUL and of halves of surrogate pairs.
 */
export async function listKeptEvents(database: Queryable, eventIds: readonly string[], created: CreatedBetween): Promise<KeptEvents> {
  const { rows } = await database.query<{ id: string; is_sample: boolean }>({
    text: `SELECT id, strpos(split_part(body, '"data":', 1), '"test":true') > 0 AS is_sample FROM events
           WHERE id = ANY ($1) AND created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
    values: [eventIds, ...bounds(created)],
  });
  return new Map(rows.map(({ id, is_sample }) => [id, { isSample: is_sample }]));
}

/** Inserts single attempts for events that are already stored, due at once. */
export async function insertReplays(
  database: Queryable,
  webhook: { readonly id: string; readonly environmentId: string },
  replays: readonly { readonly id: string; readonly event_id: string; readonly event_type: EventType }[],
  nowMs: number,
): Promise<void> {
  await database.query({
    text: `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
           SELECT replay.id, $1, $2, $3, replay.event_id, replay.event_type, 'replay', 1, 'pending', clock_timestamp()
           FROM unnest($4::text[], $5::text[], $6::text[]) AS replay (id, event_id, event_type)`,
    values: [
      new Date(nowMs).toISOString(),
      webhook.id,
      webhook.environmentId,
      replays.map(({ id }) => id),
      replays.map(({ event_id }) => event_id),
      replays.map(({ event_type }) => event_type),
    ],
  });
}
