import type { ClientBase } from 'pg';

export interface ClickEnvironmentRow {
  readonly number: number;
  readonly id: string;
  readonly name: 'test' | 'live';
  readonly time_zone: string;
}

/** What the shipper needs of the environments with these numbers. */
export async function readClickEnvironments(client: ClientBase, numbers: readonly number[]): Promise<readonly ClickEnvironmentRow[]> {
  const { rows } = await client.query<ClickEnvironmentRow>({
    name: 'read_click_environments',
    text: `
      SELECT environment.number, environment.id, environment.name, project.time_zone
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      WHERE environment.number = ANY ($1::integer[])`,
    values: [numbers],
  });
  return rows;
}
