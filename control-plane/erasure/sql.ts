import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { EnvironmentRow } from '../projects/projects.js';
import type { OwnedTable } from './tables.js';

/** An environment with both its id and its number, because rows refer to it by either. */
export interface ErasedEnvironment extends EnvironmentRow {
  readonly number: number;
}

/** Returns the tables that hold the rows: the partitions of a partitioned table, or the table itself. Names are quoted as needed in SQL. */
export async function listPartitions(database: Queryable, table: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>({
    text: `SELECT format('%I', leaf.relid::regclass::text) AS name FROM pg_partition_tree($1::regclass) AS leaf WHERE leaf.isleaf
           UNION ALL
           SELECT format('%I', $1) WHERE NOT EXISTS (SELECT 1 FROM pg_partition_tree($1::regclass))`,
    values: [table],
  });
  return rows.map(({ name }) => name);
}

/**
 * Deletes the environment's rows from `partition`, which is one of `listPartitions`, or those of them for which `condition` holds. Returns
 * how many there were.
 */
export async function deleteOwned(
  database: Queryable,
  { owner }: OwnedTable,
  partition: string,
  environment: ErasedEnvironment,
  condition = 'true',
): Promise<number> {
  const { rowCount } = await database.query(
    owner === 'environment_number'
      ? { text: `DELETE FROM ${partition} WHERE environment_number = $1 AND ${condition}`, values: [environment.number] }
      : {
          text:
            owner === 'environment_id'
              ? `DELETE FROM ${partition} WHERE environment_id = $1 AND ${condition}`
              : `DELETE FROM ${partition} WHERE ${owner.column} IN (SELECT id FROM ${owner.through} WHERE environment_id = $1) AND ${condition}`,
          values: [environment.id],
        },
  );
  return rowCount;
}

/** Inserts feed rows by which engines remove everything of the environment, with that of the environment itself last. */
export async function feedRemoval(database: Queryable, { id, number }: ErasedEnvironment): Promise<void> {
  await database.query({
    text: `${FEED_INSERT}
           SELECT kind, $1, object_id, object_key FROM (
             SELECT 1 AS turn, 'link' AS kind, id AS object_id, path AS object_key FROM links WHERE environment_id = $1
             UNION ALL SELECT 1, 'url_template', id, id FROM url_templates WHERE environment_id = $1
             UNION ALL SELECT 1, 'metadata_api', id, resource_type_id FROM metadata_apis WHERE environment_id = $1
             UNION ALL SELECT 1, 'resource_type', id, id FROM resource_types WHERE environment_id = $1
             UNION ALL SELECT 1, 'campaign', id, id FROM campaigns WHERE environment_id = $1
             UNION ALL SELECT 1, 'domain', id, id FROM domains WHERE environment_id = $1
             UNION ALL SELECT 2, 'environment', $1, $2::text
           ) AS removed ORDER BY turn`,
    values: [id, String(number)],
  });
}

/** Marks the environment as erased, so that engines store nothing of its visitors any more. */
export async function markErased(database: Queryable, { number }: ErasedEnvironment): Promise<void> {
  await database.query({
    text: 'INSERT INTO erased_environments (number, erased_at) VALUES ($1, now()) ON CONFLICT (number) DO NOTHING',
    values: [number],
  });
}

export async function deleteEnvironment(database: Queryable, { id }: ErasedEnvironment): Promise<void> {
  await database.query({ text: 'DELETE FROM environments WHERE id = $1', values: [id] });
}

/** Deletes the project. Has no effect while one of its environments exists. */
export async function deleteProject(database: Queryable, projectId: string): Promise<void> {
  await database.query({ text: 'DELETE FROM projects WHERE id = $1', values: [projectId] });
}
