import { DAY_MS } from '../../shared/base/instant.js';
import type { Queryable } from '../db/database.js';
import type { OpenClick } from './sql.js';

/** Maximum number of clicks with a match key to search, newest first, so that a flood from one network does not delay an install. */
const OLDER_CLICKS_MAX = 1000;

/**
 * The statement of `takeOpenClick`; a test checks its plan. `own` has all match keys by which the click may be found: its own, the one that
 * its page has reported, and those of the open if the click has one of them, because every day has a different key. Older clicks of the
 * visit that also have one of them lose their key, unless their pages have reported a different version or model.
 * Older clicks that another transaction has locked are skipped: that transaction takes, retires or deletes them.
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

/** By what an open that takes a click searches for clicks, as in `listCandidates`. It has no keys if it cannot search. */
export interface TakingOpen {
  readonly sinceMs: number;
  readonly matchKeys: readonly string[];
}

/**
 * Takes the click, and what its page has reported, so that no other installation can. Returns false if another one was faster, after
 * waiting for its commit. Older clicks of the same visit are no longer candidates; an open that names one of them still finds it.
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
