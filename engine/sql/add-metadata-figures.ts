import type { ClientBase } from 'pg';
import { FIGURE_COLUMNS, type FigureColumn } from '../preview/figures.js';

/** Counts of one resource type in one quarter of an hour. */
export interface IntervalFigures {
  readonly resource_type_id: string;
  readonly interval_start_ms: number;
  readonly counts: { readonly [Column in FigureColumn]?: number };
}

/** Names of columns of ours: nothing in them comes from outside. */
const COLUMNS = FIGURE_COLUMNS.join(', ');
const GIVEN = FIGURE_COLUMNS.map((column) => `coalesce((counts->>'${column}')::bigint, 0)`).join(', ');
const ADDED = FIGURE_COLUMNS.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ');

/**
 * Adds a batch, in the statement that notes its number in the engine's row: one that was added already, though the answer
 * was lost, is not added again. Figures of types that are gone are dropped. Rows are written in the order of their keys.
 */
export async function addMetadataFigures(
  client: ClientBase,
  batch: { readonly engineId: string; readonly number: number; readonly figures: readonly IntervalFigures[] },
): Promise<void> {
  await client.query({
    name: 'add_metadata_figures',
    text: `
      WITH noted AS (
        UPDATE engines SET figures_batch = $2 WHERE id = $1 AND figures_batch < $2 RETURNING 1
      )
      INSERT INTO metadata_figures AS stored (resource_type_id, interval_start, ${COLUMNS})
      SELECT given.resource_type_id, to_timestamp(interval_start_ms / 1000), ${GIVEN}
      FROM json_to_recordset($3) AS given (resource_type_id text, interval_start_ms float8, counts json)
      JOIN resource_types ON resource_types.id = given.resource_type_id
      WHERE EXISTS (SELECT FROM noted)
      ORDER BY given.resource_type_id COLLATE "C", interval_start_ms
      ON CONFLICT (resource_type_id, interval_start) DO UPDATE SET ${ADDED}`,
    values: [batch.engineId, batch.number, JSON.stringify(batch.figures)],
  });
}
