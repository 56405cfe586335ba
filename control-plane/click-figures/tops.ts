import type { Queryable } from '../db/database.js';
import { daysOf } from '../stats/window.js';
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
  /** Of an environment, or of a campaign: its links are the list that it has. */
  readonly scope: Omit<FigureScope, 'link'>;
  readonly lists: readonly LongList[];
  /** Entries of each list; the items of each type are one, as are the links of each campaign. */
  readonly top: number;
}

/**
 * What people clicked on most, over the window of the scope: exact, whatever the number of links or items. Most clicks
 * first, then by key.
 *
 * Heads of the lists are kept over most days (top-windows.ts), and with each how many clicks whatever is not in it has at
 * most, its floor. What is known of an entry is the sum of the heads that have it, with the days that have no head and with
 * the tail of the log; more than that and the floors of the other heads it cannot have. So none but those that reach the
 * last of the first ones by that much are looked up day by day, and nothing that is in no head at all is missed as long as
 * the sum of the floors lies below the last of the first ones. Where it does not, more is read: the idea of the algorithms
 * NRA and CA (Fagin, Lotem, Naor 2001) over lists that are cut off, read by the steps of `readingsOf`.
 */
export async function readTops(snapshot: Queryable, tail: Tail | null, wanted: TopsWanted): Promise<readonly TopEntry[]> {
  const found: TopEntry[] = [];
  let lists = wanted.lists;
  for (const reading of readingsOf(await readHeads(snapshot, wanted.scope.window))) {
    const read = await readOnce(snapshot, tail, { ...wanted, lists }, reading);
    const unsettled = new Set(read.filter(({ is_settled }) => !is_settled).map(({ entry }) => entry.dimension));
    // A list without entries has a row of nulls.
    found.push(...read.flatMap(({ entry }) => (entry.subject_id === null || unsettled.has(entry.dimension) ? [] : [entry])));
    lists = lists.filter((dimension) => unsettled.has(dimension));
    if (lists.length === 0) break;
  }
  return found;
}

/** Days whose heads are kept. */
interface Head {
  readonly from: string;
  readonly until: string;
}

/** Which heads are read, and how far. Days that are in none of them are read in full. */
interface Reading {
  readonly heads: readonly Head[];
  /** Entries; all of them where it is null. */
  readonly depth: number | null;
}

/** Deep enough for ten of a list in which some are clicked on far more than most, which is the rule. */
const FIRST_DEPTH = 200;

/** Each reads more than the one before it, the last one everything. */
function readingsOf(heads: readonly Head[]): readonly Reading[] {
  const ranges = heads.filter(({ from, until }) => from < until);
  return [
    { heads, depth: FIRST_DEPTH },
    { heads, depth: null },
    { heads: ranges, depth: null },
    { heads: [], depth: null },
  ];
}

/** The heads over the window: one of the range, and of the days that it does not have. */
async function readHeads(snapshot: Queryable, window: FigureScope['window']): Promise<readonly Head[]> {
  const { rows } = await snapshot.query<Head>({
    name: 'read_click_heads',
    text: `
      WITH head AS (
        SELECT from_day, until_day FROM click_top_windows
        WHERE environment_number = $1 AND from_day >= $2::date AND until_day <= $3::date
      ), range AS (
        SELECT from_day, until_day FROM head WHERE from_day = $2::date AND until_day > from_day
      )
      SELECT from_day::text AS "from", until_day::text AS until FROM range
      UNION ALL
      SELECT from_day::text, until_day::text FROM head
      WHERE from_day = until_day AND NOT EXISTS (SELECT FROM range WHERE head.from_day <= range.until_day)`,
    values: [window.environment_number, window.from, window.to],
  });
  return rows;
}

interface Read {
  readonly entry: TopEntry;
  /** False where the reading did not go far enough for the entry's list. */
  readonly is_settled: boolean;
}

async function readOnce(snapshot: Queryable, tail: Tail | null, wanted: TopsWanted, reading: Reading): Promise<readonly Read[]> {
  const parameters = createParameters();
  const { rows } = await snapshot.query<TopEntry & { is_settled: boolean }>({
    text: topsStatement(wanted, tail, reading, parameters),
    values: parameters.values,
  });
  return rows.map(({ is_settled, ...entry }) => ({ entry, is_settled }));
}

/**
 * Expressions of the statement, in the order they are made of each other:
 *
 *     rest       the days that no head has, and the tail of the log
 *     entry      what is read of the heads
 *     reach      each head with what an entry that was not read there has at most
 *     known      what the parts say together of each entry, and how much of the reaches that is instead of
 *     bound      each list with the sum of its reaches, and its last place by what is known
 *     contender  what may come among the first ones
 *     missing    the heads in which a contender was not found, so that the figures of their days are asked
 */
function topsStatement({ scope, lists, top }: TopsWanted, tail: Tail | null, { heads, depth }: Reading, parameters: Parameters): string {
  const { window, campaign } = scope;
  const { add } = parameters;
  const storedDays = daysOf(window).filter((day) => !heads.some(({ from, until }) => from <= day && day <= until));
  const figures = selectFigures({ scope, dimensions: lists, storedDays }, tail, parameters);
  const environment = add(window.environment_number);
  const places = add(top);
  const depthMax = `${add(depth)}::bigint`;
  return `
    WITH ${figures}, rest AS MATERIALIZED (
      SELECT dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
      FROM figure
      GROUP BY dimension, subject_id, campaign, value
    ), list AS MATERIALIZED (
      SELECT list_number, dimension, list_id, from_day, until_day, floor
      FROM click_top_lists
      JOIN unnest(${add(heads.map(({ from }) => from))}::date[], ${add(heads.map(({ until }) => until))}::date[]) AS head (from_day, until_day)
        USING (from_day, until_day)
      WHERE environment_number = ${environment} AND dimension = ANY (${add(lists)}::click_dimension[])
        ${campaign === undefined ? '' : `AND list_id = ${add(campaign)}`}
    ), entry AS MATERIALIZED (
      SELECT list_number, dimension, list_id, top.*
      FROM list
      CROSS JOIN LATERAL (
        SELECT subject_id, campaign, value, clicks, human, visitors
        FROM click_tops
        WHERE click_tops.list_number = list.list_number
        ORDER BY human DESC
        LIMIT ${depthMax}
      ) AS top
    ), reach AS MATERIALIZED (
      SELECT list.list_number, list.dimension, list.list_id, from_day, until_day,
        CASE WHEN count(entry.list_number) = ${depthMax} THEN min(human) ELSE greatest(list.floor, 0) END AS reach,
        list.floor < 0 AND count(entry.list_number) IS DISTINCT FROM ${depthMax} AS is_whole
      FROM list LEFT JOIN entry USING (list_number)
      GROUP BY list.list_number, list.dimension, list.list_id, from_day, until_day, list.floor
    ), known AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors,
        sum(reach) AS reach
      FROM (
        SELECT entry.dimension, entry.list_id, subject_id, campaign, value, clicks, human, visitors, reach
        FROM entry JOIN reach USING (list_number)
        UNION ALL
        SELECT dimension, list_id, subject_id, campaign, value, clicks, human, visitors, 0 FROM rest
      ) AS part
      GROUP BY dimension, list_id, subject_id, campaign, value
    ), bar AS (
      SELECT dimension, list_id, human
      FROM (SELECT dimension, list_id, human, row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC) AS place FROM known) AS placed
      WHERE place = ${places}
    ), bound AS MATERIALIZED (
      SELECT dimension, list_id, reach, coalesce(human, 0) AS human, reach = 0 OR reach < coalesce(human, 0) AS is_settled
      FROM (
        SELECT dimension, list_id, sum(reach) AS reach
        FROM (SELECT dimension, list_id, reach FROM reach UNION ALL SELECT dimension, list_id, 0 FROM known) AS part
        GROUP BY dimension, list_id
      ) AS reached
      LEFT JOIN bar USING (dimension, list_id)
    ), contender AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, known.clicks, known.human, known.visitors
      FROM known JOIN bound USING (dimension, list_id)
      WHERE is_settled AND known.human + bound.reach - known.reach >= bound.human
    ), missing AS (
      SELECT contender.dimension, contender.subject_id, contender.campaign, contender.value, reach.from_day, reach.until_day
      FROM contender
      JOIN reach USING (dimension, list_id)
      LEFT JOIN entry ON (entry.list_number, entry.subject_id, entry.campaign, entry.value)
        = (reach.list_number, contender.subject_id, contender.campaign, contender.value)
      WHERE NOT reach.is_whole AND entry.list_number IS NULL
    ), looked_up AS (
      SELECT dimension, subject_id, campaign, value, sum(figure.clicks) AS clicks, sum(figure.human) AS human, sum(figure.visitors) AS visitors
      FROM missing
      CROSS JOIN LATERAL (
        SELECT sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
        FROM click_figures AS figure
        WHERE figure.environment_number = ${environment} AND figure.day BETWEEN missing.from_day AND missing.until_day
          AND figure.dimension = missing.dimension AND figure.subject_id = missing.subject_id
          AND figure.campaign = missing.campaign AND figure.value = missing.value
      ) AS figure
      GROUP BY dimension, subject_id, campaign, value
    ), whole AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, contender.clicks + coalesce(looked_up.clicks, 0) AS clicks,
        contender.human + coalesce(looked_up.human, 0) AS human, contender.visitors + coalesce(looked_up.visitors, 0) AS visitors
      FROM contender LEFT JOIN looked_up USING (dimension, subject_id, campaign, value)
    )
    SELECT bound.dimension, is_settled, subject_id, campaign, value, clicks::float8 AS "all", first.human::float8 AS human, visitors::float8 AS "unique"
    FROM bound
    LEFT JOIN LATERAL (
      SELECT * FROM whole
      WHERE whole.dimension = bound.dimension AND whole.list_id = bound.list_id AND human > 0
      ORDER BY human DESC, subject_id, campaign, value
      LIMIT ${places}
    ) AS first ON true
    ORDER BY bound.dimension, first.human DESC, subject_id, campaign, value`;
}
