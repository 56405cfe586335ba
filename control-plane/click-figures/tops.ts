import type { Queryable } from '../db/database.js';
import { createParameters, type Parameters } from './parameters.js';
import { type FigureScope, selectFigures } from './reading.js';
import type { ClickCounts } from './sums.js';
import type { Tail } from './tail.js';
import { LIST_ID, type LONG_LISTS } from './top-windows.js';
import { daysOf } from './window.js';

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
 * NRA and CA (Fagin, Lotem, Naor 2001) over lists that are cut off.
 */
export async function readTops(snapshot: Queryable, tail: Tail | null, wanted: TopsWanted): Promise<readonly TopEntry[]> {
  const found: TopEntry[] = [];
  const heads = await readHeads(snapshot, wanted.scope.window);
  let lists = wanted.lists;
  let thresholds: readonly Threshold[] = [];
  for (const step of READINGS) {
    const reading = { depth: step.depth, heads: step.heads ? heads : [], thresholds: step.thresholds ? thresholds : [] };
    const read = await readOnce(snapshot, tail, { ...wanted, lists }, reading);
    thresholds = read.flatMap(({ threshold }) => threshold ?? []);
    const unsettled = new Set(thresholds.map(({ dimension }) => dimension));
    found.push(...read.flatMap(({ entry }) => (entry === null || unsettled.has(entry.dimension) ? [] : [entry])));
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

/**
 * A list whose first ones the reading before left open, with the clicks of people above which an entry of a single day has
 * to be known, so that all that are not known come after them.
 */
interface Threshold {
  readonly dimension: LongList;
  readonly list_id: string;
  readonly above: number;
}

interface Reading {
  /** Days that are in none of them are read in full. */
  readonly heads: readonly Head[];
  /** Entries of each head; all of them where it is null. */
  readonly depth: number | null;
  /** Lists whose single days are read from the figures of the day, which go further than the head. */
  readonly thresholds: readonly Threshold[];
}

/**
 * Each reads more than the one before it, for what that left open, the last one everything. Two hundred are enough for ten
 * of a list in which some are clicked on far more than most, which is the rule; where all are clicked on alike, all that
 * is kept may not be.
 */
const READINGS = [
  { depth: 200, heads: true, thresholds: false },
  { depth: null, heads: true, thresholds: false },
  { depth: null, heads: true, thresholds: true },
  { depth: null, heads: false, thresholds: false },
] as const;

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
  /** Null for a list that has none. */
  readonly entry: TopEntry | null;
  /** Null where the entry's list is settled. */
  readonly threshold: Threshold | null;
}

async function readOnce(snapshot: Queryable, tail: Tail | null, wanted: TopsWanted, reading: Reading): Promise<readonly Read[]> {
  const parameters = createParameters();
  const { rows } = await snapshot.query<TopEntry & { list_id: string; above: number | null }>({
    text: topsStatement(wanted, tail, reading, parameters),
    values: parameters.values,
  });
  return rows.map(({ list_id, above, ...entry }) => ({
    entry: entry.subject_id === null ? null : entry,
    threshold: above === null ? null : { dimension: entry.dimension, list_id, above },
  }));
}

/**
 * Expressions of the statement, in the order they are made of each other:
 *
 *     rest       the days that no head has, and the tail of the log
 *     list       the lists of the heads
 *     entry      what is read of them
 *     reach      each head with what an entry that was not read there has at most
 *     known      what the parts say together of each entry, and how much of the reaches that is instead of
 *     bound      each list with the sum of its reaches, its last place by what is known, and its threshold
 *     contender  what may come among the first ones
 *     probe      some that are likeliest to; once they are looked up, their last place is a better bar
 *     finalist   what may come among the first ones still
 */
function topsStatement(
  { scope, lists, top }: TopsWanted,
  tail: Tail | null,
  { heads, depth, thresholds }: Reading,
  parameters: Parameters,
): string {
  const { window, campaign } = scope;
  const { add } = parameters;
  const storedDays = daysOf(window).filter((day) => !heads.some(({ from, until }) => from <= day && day <= until));
  const figures = selectFigures({ scope, dimensions: lists, storedDays }, tail, parameters);
  const environment = add(window.environment_number);
  const places = add(top);
  const depthMax = `${add(depth)}::bigint`;
  const singleDays = heads.flatMap(({ from, until }) => (from === until ? [from] : []));
  return `
    WITH ${figures}, rest AS MATERIALIZED (
      SELECT dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
      FROM figure
      GROUP BY dimension, subject_id, campaign, value
    ), list AS MATERIALIZED (
      SELECT list_number, list.dimension, list.list_id, from_day, until_day, coalesce(deeper.above, list.floor) AS floor, deeper.above
      FROM click_top_lists AS list
      JOIN unnest(${add(heads.map(({ from }) => from))}::date[], ${add(heads.map(({ until }) => until))}::date[]) AS head (from_day, until_day)
        USING (from_day, until_day)
      LEFT JOIN unnest(${add(thresholds.map(({ dimension }) => dimension))}::click_dimension[],
          ${add(thresholds.map(({ list_id }) => list_id))}::text[], ${add(thresholds.map(({ above }) => above))}::bigint[])
        AS deeper (dimension, list_id, above)
        ON (deeper.dimension, deeper.list_id) = (list.dimension, list.list_id) AND list.from_day = list.until_day AND deeper.above < list.floor
      WHERE environment_number = ${environment} AND list.dimension = ANY (${add(lists)}::click_dimension[])
        ${campaign === undefined ? '' : `AND list.list_id = ${add(campaign)}`}
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
      WHERE list.above IS NULL
      ${thresholds.length === 0 ? '' : selectAbove({ scope, lists, singleDays, thresholds }, parameters)}
    ), reach AS MATERIALIZED (
      SELECT list.list_number, list.dimension, list.list_id, from_day, until_day, from_day < until_day AS is_range,
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
      ${lastPlace('known', places)}
    ), bound AS MATERIALIZED (
      SELECT dimension, list_id, reach, coalesce(human, 0) AS human,
        CASE WHEN reach > 0 AND reach >= coalesce(human, 0)
          THEN greatest(-1, floor((coalesce(human, 0) - range_reach - 1) / ${Math.max(1, singleDays.length)}.0)) END AS above
      FROM (
        SELECT dimension, list_id, sum(reach) AS reach, coalesce(sum(reach) FILTER (WHERE is_range), 0) AS range_reach
        FROM (SELECT dimension, list_id, is_range, reach FROM reach UNION ALL SELECT dimension, list_id, false, 0 FROM known) AS part
        GROUP BY dimension, list_id
      ) AS reached
      LEFT JOIN bar USING (dimension, list_id)
    ), contender AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, clicks, known.human, visitors, known.human + bound.reach - known.reach AS human_max
      FROM known JOIN bound USING (dimension, list_id)
      WHERE above IS NULL AND known.human + bound.reach - known.reach >= bound.human
    ), probe AS MATERIALIZED (
      SELECT likely.*
      FROM bound
      CROSS JOIN LATERAL (
        SELECT * FROM contender
        WHERE contender.dimension = bound.dimension AND contender.list_id = bound.list_id
        ORDER BY human_max DESC
        LIMIT 3 * ${places}
      ) AS likely
    ), ${lookUp('probe', environment)}, probed_bar AS (
      ${lastPlace('probe_whole', places)}
    ), finalist AS MATERIALIZED (
      SELECT contender.*
      FROM contender LEFT JOIN probed_bar USING (dimension, list_id)
      WHERE human_max >= coalesce(probed_bar.human, 0)
    ), ${lookUp('finalist', environment)}
    SELECT bound.dimension, bound.list_id, above::float8 AS above, subject_id, campaign, value, clicks::float8 AS "all", first.human::float8 AS human, visitors::float8 AS "unique"
    FROM bound
    LEFT JOIN LATERAL (
      SELECT * FROM finalist_whole AS finalist
      WHERE finalist.dimension = bound.dimension AND finalist.list_id = bound.list_id AND human > 0
      ORDER BY human DESC, subject_id, campaign, value
      LIMIT ${places}
    ) AS first ON true
    ORDER BY bound.dimension, first.human DESC, subject_id, campaign, value`;
}

interface AboveThresholds extends Pick<TopsWanted, 'scope' | 'lists'>, Pick<Reading, 'thresholds'> {
  readonly singleDays: readonly string[];
}

/** Entries of the lists that have a threshold, from the figures of their day. The least threshold keeps most rows out of the join. */
function selectAbove({ scope, lists, singleDays, thresholds }: AboveThresholds, { add }: Parameters): string {
  return `UNION ALL
      SELECT list_number, list.dimension, list.list_id, subject_id, campaign, value, clicks, human, visitors
      FROM list
      JOIN (
        SELECT day, dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, clicks, human, visitors
        FROM click_figures
        WHERE environment_number = ${add(scope.window.environment_number)} AND day = ANY (${add(singleDays)}::date[])
          AND dimension = ANY (${add(lists)}::click_dimension[]) AND human > ${add(Math.min(...thresholds.map(({ above }) => above)))}::bigint
          ${scope.campaign === undefined ? '' : `AND campaign = ${add(scope.campaign)}`}
      ) AS figure ON (figure.day, figure.dimension, figure.list_id) = (list.from_day, list.dimension, list.list_id)
      WHERE human > list.above`;
}

/** Clicks of people of the last of the places of each list; no row for a list that has fewer entries. */
function lastPlace(from: string, places: string): string {
  return `SELECT dimension, list_id, human
      FROM (SELECT dimension, list_id, human, row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC) AS place FROM ${from}) AS placed
      WHERE place = ${places}`;
}

/**
 * Common table expressions: `_missing`, the heads in which something of `from` was not found; `_found`, what the figures of
 * their days say of it; `_whole`, both together.
 */
function lookUp(from: string, environment: string): string {
  return `${from}_missing AS (
      SELECT wanted.dimension, wanted.subject_id, wanted.campaign, wanted.value, reach.from_day, reach.until_day
      FROM ${from} AS wanted
      JOIN reach USING (dimension, list_id)
      LEFT JOIN entry ON (entry.list_number, entry.subject_id, entry.campaign, entry.value)
        = (reach.list_number, wanted.subject_id, wanted.campaign, wanted.value)
      WHERE NOT reach.is_whole AND entry.list_number IS NULL
    ), ${from}_found AS (
      SELECT dimension, subject_id, campaign, value, sum(figure.clicks) AS clicks, sum(figure.human) AS human, sum(figure.visitors) AS visitors
      FROM ${from}_missing AS missing
      CROSS JOIN LATERAL (
        SELECT sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
        FROM click_figures AS figure
        WHERE figure.environment_number = ${environment} AND figure.day BETWEEN missing.from_day AND missing.until_day
          AND figure.dimension = missing.dimension AND figure.subject_id = missing.subject_id
          AND figure.campaign = missing.campaign AND figure.value = missing.value
      ) AS figure
      GROUP BY dimension, subject_id, campaign, value
    ), ${from}_whole AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, wanted.clicks + coalesce(found.clicks, 0) AS clicks,
        wanted.human + coalesce(found.human, 0) AS human, wanted.visitors + coalesce(found.visitors, 0) AS visitors
      FROM ${from} AS wanted LEFT JOIN ${from}_found AS found USING (dimension, subject_id, campaign, value)
    )`;
}
