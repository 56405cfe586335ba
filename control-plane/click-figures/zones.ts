import type { Queryable } from '../db/database.js';

/** Environments whose projects have one time zone: their days begin together. */
export interface Zone {
  readonly time_zone: string;
  readonly environment_numbers: readonly number[];
}

/** All environments, or one, by time zone. */
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
