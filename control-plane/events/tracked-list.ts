import type { TrackedEvent } from '../../shared/contract/schemas/tracked-event.js';
import type { Queryable } from '../db/database.js';
import type { PagedList, PageRequest } from '../http/cursor.js';
import type { Call } from '../http/operation.js';
import { type DeliveryWindow, deliveryWindow } from '../webhooks/rules.js';

export async function listTrackedEvents(call: Call<'listTrackedEvents'>, database: Queryable, list: PagedList) {
  const { query, caller, nowMs } = call;
  const wanted = { installId: query.install_id ?? null, ...deliveryWindow(query, nowMs) };
  const select = (page: PageRequest) => selectTrackedEvents(database, caller.environment.id, wanted, page);
  return { body: await list.page(call, select, (row) => trackedOf(row, caller.environment.name)) };
}

type TrackedRow = Omit<TrackedEvent, 'environment' | 'properties' | 'occurred_at' | 'created_at'> & {
  /** JSON text. */
  readonly properties: string | null;
  readonly occurred_at: Date;
  readonly created_at: Date;
};

function trackedOf({ properties, occurred_at, created_at, ...row }: TrackedRow, environment: TrackedEvent['environment']): TrackedEvent {
  return {
    ...row,
    environment,
    properties: properties === null ? null : JSON.parse(properties),
    occurred_at: occurred_at.toISOString(),
    created_at: created_at.toISOString(),
  };
}

/** Lists tracked events, newest first, by keyset; the window prunes the day partitions. */
async function selectTrackedEvents(
  database: Queryable,
  environmentId: string,
  { installId, fromMs, toMs }: DeliveryWindow & { readonly installId: string | null },
  page: PageRequest,
): Promise<readonly TrackedRow[]> {
  const { rows } = await database.query<TrackedRow>({
    text: `SELECT id, name, source, install_id, click_id, link_id, campaign, resource_type, item_id, value, currency,
             properties::text AS properties, occurred_at, created_at
           FROM tracked_events
           WHERE environment_id = $1 AND created_at >= $2::timestamptz AND ($3::timestamptz IS NULL OR created_at <= $3)
             AND ($4::text IS NULL OR install_id = $4) AND ($5::text IS NULL OR id < $5)
           ORDER BY id DESC LIMIT $6`,
    values: [
      environmentId,
      new Date(fromMs).toISOString(),
      toMs === null ? null : new Date(toMs).toISOString(),
      installId,
      page.belowId,
      page.limit + 1,
    ],
  });
  return rows;
}
