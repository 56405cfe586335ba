import { DAY_MS } from '../../shared/base/instant.js';
import type { Queryable } from '../db/database.js';
import type { OpenClick } from './sql.js';

/** Clicks with one match key that are looked through, the newest first: a flood from one network does not hold up the one who installs. */
const OLDER_CLICKS_MAX = 1000;

/**
 * The statement of `takeOpenClick`; a test looks at its plan. `own` has all match keys that the click may be found by: its own, the one its
 * page has told, and those of the open if the click has one of them, since every day has another key. Older clicks of the visit that
 * have one of them too lose theirs, unless their pages have told another version or model.
 * An older click that another transaction holds is passed over: that transaction takes it, retires it or deletes it.
 */
export const TAKE_OPEN_CLICK = `
  WITH taken AS (
    DELETE FROM open_clicks WHERE id = $1 AND occurred_at = $2
    RETURNING id, occurred_at, match_key, kind, subject_id, item_id, user_agent_hash, model
  ), own AS MATERIALIZED (
    SELECT taken.id, kind, subject_id, item_id, user_agent_hash, coalesce(taken.model, told.model) AS model, told.match_key AS told_key,
      ARRAY[taken.match_key, told.match_key]
        || CASE WHEN taken.match_key = ANY ($4::bigint[]) OR told.match_key = ANY ($4::bigint[]) THEN $4::bigint[] ELSE '{}' END AS keys
    FROM taken LEFT JOIN LATERAL (SELECT match_key, model FROM click_devices
      WHERE click_id = taken.id AND occurred_at = $2 AND seen_key = taken.match_key) AS told ON true
  ), older AS MATERIALIZED (
    SELECT click.id
    FROM own CROSS JOIN LATERAL (SELECT DISTINCT key FROM unnest(own.keys) AS key) AS keys CROSS JOIN LATERAL (
      (SELECT id, occurred_at, match_key, kind, subject_id, item_id, user_agent_hash, model FROM open_clicks
        WHERE match_key = key AND occurred_at >= $3::timestamptz AND occurred_at <= $2 ORDER BY occurred_at DESC LIMIT ${OLDER_CLICKS_MAX})
      UNION ALL
      (SELECT click.id, click.occurred_at, click.match_key, kind, subject_id, item_id, user_agent_hash, click.model
        FROM (SELECT click_id, occurred_at, seen_key FROM click_devices
          WHERE match_key = key AND occurred_at >= $3::timestamptz AND occurred_at <= $2 ORDER BY occurred_at DESC LIMIT ${OLDER_CLICKS_MAX}) AS device
        JOIN LATERAL (SELECT * FROM open_clicks
          WHERE id = device.click_id AND occurred_at = device.occurred_at AND match_key = device.seen_key) AS click ON true)
    ) AS click
    LEFT JOIN LATERAL (SELECT match_key, model FROM click_devices
      WHERE click_id = click.id AND occurred_at = click.occurred_at AND seen_key = click.match_key) AS told ON true
    WHERE click.user_agent_hash = own.user_agent_hash AND click.kind = own.kind AND click.subject_id = own.subject_id
      AND click.item_id IS NOT DISTINCT FROM own.item_id AND click.id <> own.id
      AND (own.told_key IS NULL OR told.match_key IS NULL OR told.match_key = ANY (own.keys))
      AND (own.model = coalesce(click.model, told.model)) IS NOT FALSE
  ), held AS MATERIALIZED (
    SELECT id FROM open_clicks WHERE id = ANY (ARRAY(SELECT id FROM older)) AND occurred_at >= $3::timestamptz AND occurred_at <= $2 FOR UPDATE SKIP LOCKED
  ), retired AS (
    UPDATE open_clicks SET match_key = NULL WHERE id = ANY (ARRAY(SELECT id FROM held)) AND occurred_at >= $3::timestamptz AND occurred_at <= $2
  ), untold AS (
    DELETE FROM click_devices WHERE click_id = ANY (ARRAY(SELECT id FROM held UNION ALL SELECT id FROM taken))
      AND occurred_at >= $3::timestamptz AND occurred_at <= $2
  )
  SELECT id FROM taken`;

/** What the open that takes a click is found by, as `listCandidates` has it: no keys where it is found by nothing. */
export interface TakingOpen {
  readonly sinceMs: number;
  readonly matchKeys: readonly string[];
}

/**
 * Takes the click away from all other installations, with what its page has told. False where one of them was faster; then this waited
 * for its commit. Older clicks of the same visit are candidates no more; an open that names one of them still finds it.
 */
export async function takeOpenClick(
  database: Queryable,
  { id, occurred_at }: Pick<OpenClick, 'id' | 'occurred_at'>,
  open: TakingOpen,
): Promise<boolean> {
  const takenMs = occurred_at.getTime();
  const sinceMs = Math.min(takenMs - (takenMs % DAY_MS), open.sinceMs);
  const { rowCount } = await database.query({
    name: 'take_open_click',
    text: TAKE_OPEN_CLICK,
    values: [id, occurred_at.toISOString(), new Date(sinceMs).toISOString(), open.matchKeys],
  });
  return rowCount === 1;
}
