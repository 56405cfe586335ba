import { idTimeMs, idToUuid } from '../../shared/base/ids.js';
import { type ClickIdKeys, isSignedClickId } from '../../shared/secrets/click-id-keys.js';
import type { Queryable } from '../db/database.js';

/**
 * Returns the id if a link host has issued it, and null otherwise, so that a made-up id counts as none. The signature shows it even if
 * the click is not stored yet. An id from before ids were signed is looked up where visitors' clicks are stored.
 */
export async function knownClickId(
  database: Queryable,
  environmentId: string,
  keys: ClickIdKeys,
  clickId: string | null | undefined,
): Promise<string | null> {
  if (clickId === null || clickId === undefined) return null;
  return isSignedClickId(keys, clickId) || (await isStored(database, environmentId, clickId)) ? clickId : null;
}

async function isStored(database: Queryable, environmentId: string, clickId: string): Promise<boolean> {
  const clickedMs = idTimeMs('click', clickId);
  if (clickedMs === null) return false;
  const { rows } = await database.query<{ stored: boolean }>({
    name: 'is_click_stored',
    text: `SELECT EXISTS (
             SELECT 1 FROM open_clicks JOIN environments ON environments.number = open_clicks.environment_number
             WHERE environments.id = $1 AND open_clicks.id = $2 AND open_clicks.occurred_at = $3
           ) OR EXISTS (SELECT 1 FROM installs WHERE environment_id = $1 AND click_id = $2) AS stored`,
    values: [environmentId, idToUuid('click', clickId), new Date(clickedMs).toISOString()],
  });
  return rows[0]?.stored === true;
}
