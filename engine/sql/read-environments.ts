import type { ClientBase } from 'pg';
import { ENVIRONMENT_RECORD_COLUMNS, type EnvironmentRow } from '../../shared/feed/codec.js';

const SELECT_ENVIRONMENTS = `SELECT ${ENVIRONMENT_RECORD_COLUMNS}
  FROM environments JOIN projects ON projects.id = environments.project_id`;

/** The environments of these ids that exist, in no order. */
export async function readEnvironmentsById(client: ClientBase, ids: readonly string[]): Promise<readonly EnvironmentRow[]> {
  const { rows } = await client.query<EnvironmentRow>({
    name: 'read_environments_by_id',
    text: `${SELECT_ENVIRONMENTS} WHERE environments.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every environment, for a cursor, in the order of the store's keys. */
export const SCAN_ENVIRONMENTS = `${SELECT_ENVIRONMENTS} ORDER BY environments.number`;
