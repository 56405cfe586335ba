import type { Queryable } from '../../db/database.js';
import { shardSql } from '../shards.js';

/** Environments whose projects have the same time zone, so that their days begin at the same time. */
export interface Zone {
  readonly time_zone: string;
  readonly environment_numbers: readonly number[];
}

/** Returns all environments, or the one given, by time zone. */
export async function readZones(database: Queryable, environmentId: string | null): Promise<readonly Zone[]> {
  const { rows } = await database.query<Zone>({
    name: 'read_zones',
    text: `
      SELECT project.time_zone, array_agg(environment.number ORDER BY environment.number) AS environment_numbers
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      WHERE $1::text IS NULL OR environment.id = $1
      GROUP BY project.time_zone
      ORDER BY project.time_zone`,
    values: [environmentId],
  });
  return rows;
}

/** Returns the time zones of the shards' environments and of the environments given, by number. */
export async function readTimeZones(
  database: Queryable,
  { shards, environmentNumbers }: { readonly shards: readonly number[]; readonly environmentNumbers: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.query<{ number: number; time_zone: string }>({
    name: 'read_time_zones',
    text: `
      SELECT environment.number, project.time_zone
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      WHERE ${shardSql('environment.number')} = ANY ($1::integer[]) OR environment.number = ANY ($2::integer[])`,
    values: [shards, environmentNumbers],
  });
  return new Map(rows.map(({ number, time_zone }) => [number, time_zone]));
}
