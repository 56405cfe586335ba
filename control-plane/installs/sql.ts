import type { EventType } from '../../shared/contract/schemas/events.js';
import type { Queryable } from '../db/database.js';

/** Events that name an installation in `data.install_id`. */
const EVENTS_OF_INSTALLS: readonly EventType[] = ['install.attributed', 'install.organic', 'open.reengaged', 'event.tracked'];

/** Deletes the installation and the events that it reported. Returns how many rows there were. */
export async function deleteInstall(database: Queryable, environmentId: string, installId: string): Promise<number> {
  const { rows } = await database.query<{ deleted: number }>({
    text: `WITH install AS (
             DELETE FROM installs WHERE environment_id = $1 AND install_id = $2 RETURNING 1
           ), tracked AS (
             DELETE FROM tracked_events WHERE environment_id = $1 AND install_id = $2 RETURNING 1
           )
           SELECT ((SELECT count(*) FROM install) + (SELECT count(*) FROM tracked))::integer AS deleted`,
    values: [environmentId, installId],
  });
  return rows[0]?.deleted ?? 0;
}

/**
 * Deletes the day's events that name the installation. No index knows them by it: one day is read at a time, so that each
 * statement stays within its time. The text is looked for first, which spares most bodies the parsing.
 */
export async function deleteInstallEvents(database: Queryable, environmentId: string, installId: string, day: Date): Promise<void> {
  await database.query({
    text: `DELETE FROM events
           WHERE environment_id = $1 AND type = ANY ($2) AND created_at >= $3::timestamptz AND created_at < $3::timestamptz + interval '1 day'
             AND strpos(body, to_json($4::text)::text) > 0 AND body::json #>> '{data,install_id}' = $4`,
    values: [environmentId, EVENTS_OF_INSTALLS, day.toISOString(), installId],
  });
}
