import { CLICK_TOPS_KEPT } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { createParameters, type Parameters } from './parameters.js';
import { type FigureScope, selectFigures } from './reading.js';
import type { ClickCounts } from './sums.js';
import type { Tail } from './tail.js';
import { LIST_ID, type LONG_LISTS } from './top-windows.js';

export type LongList = (typeof LONG_LISTS)[number];

export interface TopEntry extends ClickCounts {
  readonly dimension: LongList;
  /** The link, or the type of an item, as `uuid`. */
  readonly subject_id: string;
  readonly campaign: string;
  readonly value: string;
}

export interface TopsWanted {
  readonly scope: FigureScope;
  readonly lists: readonly LongList[];
  /** Entries of each list; the items of each type are one. At most `CLICK_TOPS_KEPT`. */
  readonly top: number;
}

/**
 * What people clicked on most, over the window of the scope: exact, whatever the number of links or items. Most clicks
 * first, then by key.
 *
 * Where the days that are over are added up already (`click_tops`, which holds the head of each list), their sums and
 * those of the days since have to be put together without looking at everything. Where the head was cut off, its last sum
 * is a floor: whatever is not in it has at most as many clicks in those days. The `top`-th sum that is known is a bar:
 * whatever is not in the head and had `recent` clicks since can only reach it with recent + floor >= bar. Those few are
 * looked up day by day. It is the idea of the threshold algorithm (Fagin, Lotem, Naor 2001) with a sorted list cut off.
 *
 * Where they are not, every day counts as recent: there is no head, no floor and no bar.
 */
export async function readTops(snapshot: Queryable, tail: Tail | null, wanted: TopsWanted): Promise<readonly TopEntry[]> {
  const { window } = wanted.scope;
  const until = await readUntilDay(snapshot, window);
  const parameters = createParameters();
  const { rows } = await snapshot.query<TopEntry>({ text: topsStatement(wanted, tail, until, parameters), values: parameters.values });
  return rows;
}

/** Up to which day the window is added up; null where it is not. */
async function readUntilDay(snapshot: Queryable, window: FigureScope['window']): Promise<string | null> {
  const { rows } = await snapshot.query<{ until_day: string }>({
    name: 'read_click_top_window',
    text: 'SELECT until_day::text FROM click_top_windows WHERE environment_number = $1 AND from_day = $2::date',
    values: [window.environment_number, window.from],
  });
  return rows[0]?.until_day ?? null;
}

function topsStatement({ scope, lists, top }: TopsWanted, tail: Tail | null, until: string | null, parameters: Parameters): string {
  const { window } = scope;
  const { add } = parameters;
  const storedFrom = until === null ? window.from : dayAfter(until);
  const figures = selectFigures({ scope, dimensions: lists, storedFrom }, tail, parameters);
  const environment = add(window.environment_number);
  const fromDay = `${add(window.from)}::date`;
  const untilDay = `${add(until)}::date`;
  const kept = add(CLICK_TOPS_KEPT);
  const topPlace = add(top);
  return `
    WITH ${figures}, entry AS MATERIALIZED (
      SELECT dimension, subject_id, campaign, value, ${LIST_ID} AS list_id, sum(clicks) AS clicks, sum(human) AS human,
        sum(visitors) AS visitors, sum(human) FILTER (WHERE in_head) AS head_human
      FROM (
        SELECT dimension, subject_id, campaign, value, clicks, human, visitors, false AS in_head FROM figure
        UNION ALL
        SELECT dimension, subject_id, campaign, value, clicks, human, visitors, true
        FROM click_tops
        WHERE environment_number = ${environment} AND from_day = ${fromDay} AND ${untilDay} IS NOT NULL
          AND dimension = ANY (${add(lists)}::click_dimension[])
      ) AS either
      GROUP BY dimension, subject_id, campaign, value
    ), list AS MATERIALIZED (
      SELECT dimension, list_id, CASE WHEN count(head_human) >= ${kept} THEN min(head_human) END AS floor,
        (array_agg(human ORDER BY human DESC) FILTER (WHERE head_human IS NOT NULL))[${topPlace}] AS bar
      FROM entry
      GROUP BY dimension, list_id
    ), contender AS MATERIALIZED (
      SELECT entry.*, entry.head_human IS NULL AND list.floor IS NOT NULL AS is_cut_off
      FROM entry JOIN list USING (dimension, list_id)
      WHERE entry.head_human IS NOT NULL OR entry.human + coalesce(list.floor, 0) >= greatest(list.bar, 1)
    ), placed AS (
      SELECT dimension, subject_id, campaign, value, clicks, human, visitors,
        row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC, subject_id, campaign, value) AS place
      FROM (
        SELECT dimension, subject_id, campaign, value, list_id, contender.clicks + coalesce(before.clicks, 0) AS clicks,
          contender.human + coalesce(before.human, 0) AS human, contender.visitors + coalesce(before.visitors, 0) AS visitors
        FROM contender
        LEFT JOIN LATERAL (
          SELECT sum(figure.clicks) AS clicks, sum(figure.human) AS human, sum(figure.visitors) AS visitors
          FROM click_figures AS figure
          WHERE contender.is_cut_off AND figure.environment_number = ${environment} AND figure.day BETWEEN ${fromDay} AND ${untilDay}
            AND figure.dimension = contender.dimension AND figure.subject_id = contender.subject_id
            AND figure.campaign = contender.campaign AND figure.value = contender.value
        ) AS before ON true
      ) AS whole
      WHERE human > 0
    )
    SELECT dimension, subject_id, campaign, value, clicks::float8 AS "all", human::float8 AS human, visitors::float8 AS "unique"
    FROM placed
    WHERE place <= ${topPlace}
    ORDER BY dimension, place`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
