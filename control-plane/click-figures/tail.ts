import { CLICK_TAIL_CLICKS_MAX } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { refuseUnavailable } from '../http/problems.js';
import { openFrom } from './days.js';

/** The end of the click log that no figure holds yet: read from the log itself, so that figures are true to the last click. */
export interface Tail {
  readonly first_batch_id: string;
  /** Its clicks lie from `from_at` on and before `end_at`. */
  readonly from_at: Date;
  readonly end_at: Date;
  /** First day whose visitors are remembered. */
  readonly open_from: string;
}

interface TailRow {
  readonly clicks: number;
  readonly first_batch_id: string | null;
  readonly from_at: Date | null;
  readonly end_at: Date | null;
}

/** Where the tail lies, null where everything is counted. Refuses (503) where it is too long to be read for one answer. */
export async function readTail(snapshot: Queryable, nowMs: number): Promise<Tail | null> {
  const { rows } = await snapshot.query<TailRow>({
    name: 'read_click_tail',
    text: `SELECT coalesce(sum(clicks), 0)::float8 AS clicks, min(batch_id) AS first_batch_id, min(from_at) AS from_at,
             max(to_at) + interval '1 millisecond' AS end_at
           FROM click_batches`,
    values: [],
  });
  const { clicks, first_batch_id, from_at, end_at } = rows[0] as TailRow;
  if (clicks > CLICK_TAIL_CLICKS_MAX) throw refuseUnavailable('Clicks came faster than they could be counted; the figures catch up.');
  if (first_batch_id === null || from_at === null || end_at === null) return null;
  return { first_batch_id, from_at, end_at, open_from: openFrom(nowMs) };
}
