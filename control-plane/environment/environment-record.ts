import { ENVIRONMENT_RECORD_COLUMNS, type EnvironmentRow, environmentRecordFromRow } from '../../shared/feed/codec.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import type { OwnSchemes } from '../../shared/resolve/stored-destination.js';
import type { Queryable } from '../db/database.js';

/** The environment as the engine keeps it, for the rules that both halves share. It exists: callers come with a key of it. */
export async function readEnvironmentRecord(database: Queryable, environmentId: string): Promise<EnvironmentRecord> {
  const { rows } = await database.query<EnvironmentRow>({
    name: 'read_environment_record',
    text: `SELECT ${ENVIRONMENT_RECORD_COLUMNS} FROM environments JOIN projects ON projects.id = environments.project_id
           WHERE environments.id = $1`,
    values: [environmentId],
  });
  return environmentRecordFromRow(rows[0] as EnvironmentRow);
}

/** URI schemes of the environment's own apps, which its destinations may have. */
export function ownSchemes(record: EnvironmentRecord): OwnSchemes {
  const schemes = (apps: readonly { readonly uri_scheme: string | null }[]) =>
    apps.flatMap(({ uri_scheme }) => (uri_scheme === null ? [] : [uri_scheme.replace(/:.*$/s, '')]));
  return { ios: schemes(record.ios_apps), android: schemes(record.android_apps) };
}
