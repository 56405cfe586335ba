import type { Queryable } from '../db/database.js';
import { createParameters, type Parameters } from './parameters.js';
import { type FigureScope, selectFigures } from './reading.js';
import type { ClickCounts } from './sums.js';
import type { Tail } from './tail.js';
import { FLOOR, LIST_ID, type LONG_LISTS } from './top-windows.js';

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
  /** Entries of each list; the items of each type are one. At most `CLICK_TOPS_PLACES`. */
  readonly top: number;
}

/**
 * What people clicked on most, over the window of the scope: exact, whatever the number of links or items. Most clicks
 * first, then by key.
 *
 * Where the days that are over are added up already (`click_tops`, which holds the head of each list), their sums and
 * those of the days since have to be put together without looking at everything. Where the head was cut off, what is not
 * in it has no more clicks in those days than a floor. The last of the `top` places of the head, with the clicks since, is
 * a bar: whatever is not in the head and had `recent` clicks since can only come before it with recent + floor > bar, or
 * with as many and a key that comes before. Those few are looked up day by day. It is the idea of the threshold algorithm
 * (Fagin, Lotem, Naor 2001) with a sorted list cut off.
 *
 * Where they are not, every day counts as recent: there is no head, no floor and no bar.
 *
 * Each list is gone through for its first ones alone: to sort a day's 50,000 links and items takes 0.2 s, this a tenth.
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
  const topPlace = add(top);
  return `
    WITH ${figures}, recent AS MATERIALIZED (
      SELECT dimension, subject_id, campaign, value, ${LIST_ID} AS list_id, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
      FROM figure
      GROUP BY dimension, subject_id, campaign, value
    ), head AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC, subject_id, campaign, value) AS place
      FROM (
        SELECT dimension, subject_id, campaign, value, ${LIST_ID} AS list_id, top.human AS head_human, top.clicks + coalesce(recent.clicks, 0) AS clicks,
          top.human + coalesce(recent.human, 0) AS human, top.visitors + coalesce(recent.visitors, 0) AS visitors
        FROM click_tops AS top LEFT JOIN recent USING (dimension, subject_id, campaign, value)
        WHERE top.environment_number = ${environment} AND top.from_day = ${fromDay} AND dimension = ANY (${add(lists)}::click_dimension[])
      ) AS whole
    ), list AS (
      SELECT dimension, list_id, ${FLOOR} AS floor FROM head GROUP BY dimension, list_id
    ), bar AS (
      SELECT dimension, list_id, human, subject_id, campaign, value FROM head WHERE place = ${topPlace}
    ), contender AS MATERIALIZED (
      SELECT dimension, subject_id, campaign, value, list_id, clicks, human, visitors, false AS is_cut_off FROM head WHERE place <= ${topPlace}
      UNION ALL
      SELECT recent.dimension, recent.subject_id, recent.campaign, recent.value, recent.list_id, recent.clicks, recent.human, recent.visitors,
        list.floor IS NOT NULL
      FROM recent
      LEFT JOIN list USING (dimension, list_id)
      LEFT JOIN bar USING (dimension, list_id)
      LEFT JOIN head ON (head.dimension, head.subject_id, head.campaign, head.value) = (recent.dimension, recent.subject_id, recent.campaign, recent.value)
      WHERE head.place IS NULL AND recent.human > 0
        AND (bar.human IS NULL OR recent.human + coalesce(list.floor, 0) > bar.human OR (recent.human + coalesce(list.floor, 0) = bar.human
          AND (recent.subject_id, recent.campaign, recent.value) < (bar.subject_id, bar.campaign, bar.value)))
    ), whole AS MATERIALIZED (
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
    )
    SELECT first.dimension, subject_id, campaign, value, clicks::float8 AS "all", human::float8 AS human, visitors::float8 AS "unique"
    FROM (SELECT DISTINCT dimension, list_id FROM whole) AS list
    CROSS JOIN LATERAL (
      SELECT * FROM whole
      WHERE whole.dimension = list.dimension AND whole.list_id = list.list_id AND human > 0
      ORDER BY human DESC, subject_id, campaign, value
      LIMIT ${topPlace}
    ) AS first
    ORDER BY first.dimension, human DESC, subject_id, campaign, value`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
