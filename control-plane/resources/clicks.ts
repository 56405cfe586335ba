import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import { STATS_TOP_MAX } from '../../shared/contract/schemas/link-stats.js';
import type { Queryable } from '../db/database.js';
import type { StatsWindow } from '../stats/window.js';

/** Clicks of people on the items of one type. */
export interface TypeClicks {
  readonly clicks: number;
  /** Most clicked first. */
  readonly top_items: readonly { readonly id: string; readonly clicks: number }[];
}

async function readTemplateIds(database: Queryable, environmentId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    text: 'SELECT id FROM url_templates WHERE environment_id = $1',
    values: [environmentId],
  });
  return rows.map((row) => row.id);
}

interface ItemRow {
  readonly resource_type_id: string;
  readonly item_id: string;
  readonly item_clicks: number;
  readonly type_clicks: number;
}

/**
 * The most clicked items of every type, with the type's sum, from the raw click log. It is found by the templates' ids
 * over the index that link statistics use, so that the log, which is written by COPY, carries no index for this. Not
 * prepared: planned with the instants at hand, PostgreSQL leaves the other days' partitions out.
 */
async function readItemRows(database: Queryable, templateIds: readonly string[], window: StatsWindow): Promise<readonly ItemRow[]> {
  const { rows } = await database.query<ItemRow>({
    text: `
      WITH item AS (
        SELECT resource_type_id, item_id, count(*) AS clicks
        FROM clicks
        WHERE subject_id = ANY ($1::uuid[]) AND environment_number = $2 AND kind = 'template' AND NOT bot
          AND occurred_at >= $3 AND occurred_at < $4
          AND (occurred_at AT TIME ZONE $5)::date BETWEEN $6::date AND $7::date
        GROUP BY resource_type_id, item_id
      ), placed AS (
        SELECT resource_type_id, item_id, clicks,
          sum(clicks) OVER (PARTITION BY resource_type_id) AS type_clicks,
          row_number() OVER (PARTITION BY resource_type_id ORDER BY clicks DESC, item_id COLLATE "C") AS place
        FROM item
      )
      SELECT resource_type_id, item_id, clicks::float8 AS item_clicks, type_clicks::float8 AS type_clicks
      FROM placed
      WHERE place <= $8
      ORDER BY resource_type_id, place`,
    values: [
      templateIds.map((id) => idToUuid('urlTemplate', id)),
      window.environment_number,
      window.from_at,
      window.to_at,
      window.time_zone,
      window.from,
      window.to,
      STATS_TOP_MAX,
    ],
  });
  return rows;
}

/** By the id of the resource type; a type nobody clicked on is not in it. */
export async function readTypeClicks(
  database: Queryable,
  environmentId: string,
  window: StatsWindow,
): Promise<ReadonlyMap<string, TypeClicks>> {
  const templateIds = await readTemplateIds(database, environmentId);
  const found = new Map<string, { clicks: number; top_items: { id: string; clicks: number }[] }>();
  if (templateIds.length === 0) return found;
  for (const { resource_type_id, item_id, item_clicks, type_clicks } of await readItemRows(database, templateIds, window)) {
    const typeId = uuidToId('resourceType', resource_type_id);
    const type = found.get(typeId) ?? { clicks: type_clicks, top_items: [] };
    type.top_items.push({ id: item_id, clicks: item_clicks });
    found.set(typeId, type);
  }
  return found;
}
