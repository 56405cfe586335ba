import { ENVIRONMENT_RECORD_COLUMNS, type EnvironmentRow, environmentRecordFromRow } from '../../shared/feed/codec.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';

/**
 * The environment as the engine keeps it, for the rules that the engine and the control plane share. It exists, because callers have a key
 * of it.
 */
export async function readEnvironmentRecord(database: Queryable, environmentId: string): Promise<EnvironmentRecord> {
  const { rows } = await database.query<EnvironmentRow>({
    name: 'read_environment_record',
    text: `SELECT ${ENVIRONMENT_RECORD_COLUMNS} FROM environments JOIN projects ON projects.id = environments.project_id
           WHERE environments.id = $1`,
    values: [environmentId],
  });
  return environmentRecordFromRow(rows[0] as EnvironmentRow);
}
