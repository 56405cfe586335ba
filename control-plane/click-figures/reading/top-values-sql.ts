import type { Parameters } from '../../db/parameters.js';
import { daysOf } from '../../local-days/window.js';
import { SUM_COLUMNS } from '../counts.js';
import { LIST_ID, type LongList } from '../dimensions.js';
import { type FigureScope, selectFigures } from './selected-figures.js';

export interface TopValuesWanted {
  /** An environment, or a campaign, whose only list is that of its links. */
  readonly scope: Omit<FigureScope, 'link'>;
  readonly lists: readonly LongList[];
  /** Number of entries of each list. The items of each type are a list of their own, as are the links of each campaign. */
  readonly top: number;
  /** Whether entries with the same clicks by people are ordered by all clicks, as in a breakdown, before they are ordered by key. */
  readonly byAllNext?: boolean;
}

/** A range of days, or a single day, over which prefixes are kept. */
export interface TopWindow {
  readonly from: string;
  readonly until: string;
}

/**
 * A list whose top values the previous pass left open. All entries of a single day with more clicks by people than `above` must
 * be read, so that no unread entry can be among the top values.
 */
export interface Threshold {
  readonly dimension: LongList;
  readonly list_id: string;
  readonly above: number;
}

export interface TopValuesPass {
  /** Days that are in no window are read in full. */
  readonly windows: readonly TopWindow[];
  /** Number of entries to read from each prefix; null for all of them. */
  readonly depth: number | null;
  /** Lists whose single days are read from the figures of the day, which have more entries than the prefix. */
  readonly thresholds: readonly Threshold[];
  /** From this number of entries on, all figures of their days are read, and entries are not looked up one by one. */
  readonly manyEntries: number;
}

/** Placeholders of parameters that several expressions of the statement use. */
interface Placeholders {
  readonly environment: string;
  readonly places: string;
  readonly depthMax: string;
  readonly lists: string;
}

/**
 * Expressions of the statement; each uses those above it:
 *
 *     rest        sums over the days without a prefix
 *     list        the lists of the windows
 *     entry       the entries read from their prefixes
 *     bound       each prefix with the most clicks that an entry not read from it may have
 *     known       the known clicks of each entry (its lower bound), with the sum of the bounds of the prefixes that have it
 *     threshold   each list with the sum of its bounds, the clicks of its last place as known, and the clicks above which to read on
 *     candidate   entries that may be among the top values
 *     probe       the most likely of these; once they are looked up, their last place excludes others
 *     finalist    other candidates that may still be among the top values
 *     whole       probes and finalists with all their clicks
 */
export function topValuesStatement(wanted: TopValuesWanted, pass: TopValuesPass, parameters: Parameters): string {
  const { scope, lists, top, byAllNext = false } = wanted;
  const { window } = scope;
  const { add } = parameters;
  const isKept = (day: string) => pass.windows.some(({ from, until }) => from <= day && day <= until);
  const [keptDays, storedDays] = [daysOf(window).filter(isKept), daysOf(window).filter((day) => !isKept(day))];
  const rest = `WITH figure AS (${selectFigures({ scope, dimensions: lists, storedDays }, parameters)}), rest AS MATERIALIZED (
      SELECT dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, ${SUM_COLUMNS}
      FROM figure
      GROUP BY dimension, subject_id, campaign, value
    )`;
  const places = add(top);
  const first = { places, order: `human DESC, ${byAllNext ? 'clicks DESC,' : ''} subject_id, campaign, value` };
  // Without prefixes, everything is known.
  if (keptDays.length === 0)
    return `${rest}, list AS (SELECT DISTINCT dimension, list_id, NULL::bigint AS above FROM rest) ${selectFirst('list', 'rest', first)}`;
  const placeholders: Placeholders = {
    environment: add(window.environment_number),
    places,
    depthMax: `${add(pass.depth)}::bigint`,
    lists: `${add(lists)}::click_dimension[]`,
  };
  const singleDays = pass.windows.flatMap(({ from, until }) => (from === until ? [from] : []));
  // With such a threshold, all entries of the single days may be candidates.
  const mayBeMany = pass.thresholds.some(({ above }) => above < 1);
  const selectFound = mayBeMany ? selectTogetherIfMany('finalist', pass.manyEntries, keptDays, parameters) : selectOneByOne;
  return `${rest}, ${selectPrefixes(wanted, pass, singleDays, placeholders, parameters)},
    ${selectThresholds(singleDays.length, placeholders)},
    ${selectFinalists(selectFound, placeholders)}
    ${selectFirst('threshold', 'whole', first)}`;
}

/** Selects the first places of each list, in order. A list without entries yields one row. */
function selectFirst(lists: string, entries: string, { places, order }: { readonly places: string; readonly order: string }): string {
  return `SELECT list.dimension, list.list_id, list.above::float8 AS above, subject_id, campaign, value, clicks::float8 AS "all",
      first.human::float8 AS human, visitors::float8 AS "unique"
    FROM ${lists} AS list
    LEFT JOIN LATERAL (
      SELECT * FROM ${entries} AS entry
      WHERE entry.dimension = list.dimension AND entry.list_id = list.list_id AND human > 0
      ORDER BY ${order}
      LIMIT ${places}
    ) AS first ON true
    ORDER BY list.dimension, first.${order}`;
}

/** `list`, `entry` and `bound`. The column `floor` holds the bound of a prefix if all of it is read. */
function selectPrefixes(
  { scope }: TopValuesWanted,
  { windows, thresholds }: TopValuesPass,
  singleDays: readonly string[],
  { environment, depthMax, lists }: Placeholders,
  parameters: Parameters,
): string {
  const { add } = parameters;
  return `list AS MATERIALIZED (
      SELECT list_number, list.dimension, list.list_id, from_day, until_day, coalesce(deeper.above, list.floor) AS floor, deeper.above
      FROM click_top_lists AS list
      JOIN unnest(${add(windows.map(({ from }) => from))}::date[], ${add(windows.map(({ until }) => until))}::date[]) AS kept (from_day, until_day)
        USING (from_day, until_day)
      LEFT JOIN unnest(${add(thresholds.map(({ dimension }) => dimension))}::click_dimension[],
          ${add(thresholds.map(({ list_id }) => list_id))}::text[], ${add(thresholds.map(({ above }) => above))}::bigint[])
        AS deeper (dimension, list_id, above)
        ON (deeper.dimension, deeper.list_id) = (list.dimension, list.list_id) AND list.from_day = list.until_day AND deeper.above < list.floor
      WHERE environment_number = ${environment} AND list.dimension = ANY (${lists})
        ${scope.campaign === undefined ? '' : `AND list.list_id = ${add(scope.campaign)}`}
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
    ), bound AS MATERIALIZED (
      SELECT list.list_number, list.dimension, list.list_id, from_day, until_day, from_day < until_day AS is_range,
        CASE WHEN count(entry.list_number) = ${depthMax} THEN min(human) ELSE greatest(list.floor, 0) END AS bound,
        list.floor < 0 AND count(entry.list_number) IS DISTINCT FROM ${depthMax} AS is_whole
      FROM list LEFT JOIN entry USING (list_number)
      GROUP BY list.list_number, list.dimension, list.list_id, from_day, until_day, list.floor
    )`;
}

/** `known` and `threshold`. */
function selectThresholds(singleDays: number, { places }: Placeholders): string {
  return `known AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, ${SUM_COLUMNS},
        sum(bound) AS bound
      FROM (
        SELECT entry.dimension, entry.list_id, subject_id, campaign, value, clicks, human, visitors, bound
        FROM entry JOIN bound USING (list_number)
        UNION ALL
        SELECT dimension, list_id, subject_id, campaign, value, clicks, human, visitors, 0 FROM rest
      ) AS part
      GROUP BY dimension, list_id, subject_id, campaign, value
    ), last_known AS (
      ${lastPlace('known', places)}
    ), threshold AS MATERIALIZED (
      SELECT dimension, list_id, bound, coalesce(human, 0) AS human,
        CASE WHEN bound > 0 AND bound >= coalesce(human, 0)
          THEN greatest(-1, floor((coalesce(human, 0) - range_bound - 1) / ${Math.max(1, singleDays)}.0)) END AS above
      FROM (
        SELECT dimension, list_id, sum(bound) AS bound, coalesce(sum(bound) FILTER (WHERE is_range), 0) AS range_bound
        FROM (SELECT dimension, list_id, is_range, bound FROM bound UNION ALL SELECT dimension, list_id, false, 0 FROM known) AS part
        GROUP BY dimension, list_id
      ) AS summed
      LEFT JOIN last_known USING (dimension, list_id)
    )`;
}

/** `candidate`, `probe`, `finalist` and `whole`. */
function selectFinalists(selectFound: SelectFound, placeholders: Placeholders): string {
  const { places } = placeholders;
  return `candidate AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, clicks, known.human, visitors,
        known.human + threshold.bound - known.bound AS human_max
      FROM known JOIN threshold USING (dimension, list_id)
      WHERE above IS NULL AND known.human + threshold.bound - known.bound >= threshold.human
    ), probe AS MATERIALIZED (
      SELECT likely.*
      FROM threshold
      CROSS JOIN LATERAL (
        SELECT * FROM candidate
        WHERE candidate.dimension = threshold.dimension AND candidate.list_id = threshold.list_id
        ORDER BY human_max DESC
        LIMIT 3 * ${places}
      ) AS likely
    ), ${lookUp('probe', placeholders, selectOneByOne)}, last_probed AS (
      ${lastPlace('probe_whole', places)}
    ), finalist AS MATERIALIZED (
      SELECT candidate.*
      FROM candidate
      LEFT JOIN last_probed USING (dimension, list_id)
      LEFT JOIN probe USING (dimension, subject_id, campaign, value)
      WHERE candidate.human_max >= coalesce(last_probed.human, 0) AND probe.list_id IS NULL
    ), ${lookUp('finalist', placeholders, selectFound)}, whole AS MATERIALIZED (
      TABLE probe_whole UNION ALL TABLE finalist_whole
    )`;
}

interface AboveThresholds extends Pick<TopValuesWanted, 'scope'>, Pick<TopValuesPass, 'thresholds'>, Pick<Placeholders, 'lists'> {
  readonly singleDays: readonly string[];
}

/** Entries of the lists that have a threshold, from the figures of their day. The lowest threshold keeps most rows out of the join. */
function selectAbove({ scope, lists, singleDays, thresholds }: AboveThresholds, { add }: Parameters): string {
  return `UNION ALL
      SELECT list_number, list.dimension, list.list_id, subject_id, campaign, value, clicks, human, visitors
      FROM list
      JOIN (
        SELECT day, dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, clicks, human, visitors
        FROM click_figures
        WHERE environment_number = ${add(scope.window.environment_number)} AND day = ANY (${add(singleDays)}::date[])
          AND dimension = ANY (${lists}) AND human > ${add(Math.min(...thresholds.map(({ above }) => above)))}::bigint
          ${scope.campaign === undefined ? '' : `AND campaign = ${add(scope.campaign)}`}
      ) AS figure ON (figure.day, figure.dimension, figure.list_id) = (list.from_day, list.dimension, list.list_id)
      WHERE human > list.above`;
}

/** Clicks by people of the last place of each list; no row for a list with fewer entries. */
function lastPlace(from: string, places: string): string {
  return `SELECT dimension, list_id, human
      FROM (SELECT dimension, list_id, human, row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC) AS place FROM ${from}) AS placed
      WHERE place = ${places}`;
}

/**
 * Common table expressions: `_missing`, the entries of `from` with the days of each prefix that lacks them; `_found`, their sums
 * in the figures of those days; `_whole`, the entries of `from` with these sums added.
 */
function lookUp(from: string, placeholders: Placeholders, selectFound: SelectFound): string {
  return `${from}_missing AS (
      SELECT wanted.dimension, wanted.subject_id, wanted.campaign, wanted.value, bound.from_day, bound.until_day
      FROM ${from} AS wanted
      JOIN bound USING (dimension, list_id)
      LEFT JOIN entry ON (entry.list_number, entry.subject_id, entry.campaign, entry.value)
        = (bound.list_number, wanted.subject_id, wanted.campaign, wanted.value)
      WHERE NOT bound.is_whole AND entry.list_number IS NULL
    ), ${from}_found AS (
      SELECT dimension, subject_id, campaign, value, sum(figure.clicks) AS clicks, sum(figure.human) AS human, sum(figure.visitors) AS visitors
      FROM (${selectFound(`${from}_missing`, placeholders)}) AS figure
      GROUP BY dimension, subject_id, campaign, value
    ), ${from}_whole AS MATERIALIZED (
      SELECT dimension, list_id, subject_id, campaign, value, wanted.clicks + coalesce(found.clicks, 0) AS clicks,
        wanted.human + coalesce(found.human, 0) AS human, wanted.visitors + coalesce(found.visitors, 0) AS visitors
      FROM ${from} AS wanted LEFT JOIN ${from}_found AS found USING (dimension, subject_id, campaign, value)
    )`;
}

/** Returns a statement that selects figures of the missing entries on their days, or sums of these figures. */
type SelectFound = (missing: string, placeholders: Placeholders) => string;

const FOUND_COLUMNS =
  'missing.dimension, missing.subject_id, missing.campaign, missing.value, figure.clicks, figure.human, figure.visitors';

/** Looks up each entry by the index of the figures. */
function selectOneByOne(missing: string, { environment }: Placeholders): string {
  return `SELECT ${FOUND_COLUMNS}
      FROM ${missing} AS missing
      CROSS JOIN LATERAL (
        SELECT ${SUM_COLUMNS}
        FROM click_figures AS figure
        WHERE figure.environment_number = ${environment} AND figure.day BETWEEN missing.from_day AND missing.until_day
          AND figure.dimension = missing.dimension AND figure.subject_id = missing.subject_id
          AND figure.campaign = missing.campaign AND figure.value = missing.value
      ) AS figure`;
}

/** Looks up each entry, or reads all figures of the days if `entries` has `many` or more. */
function selectTogetherIfMany(entries: string, many: number, days: readonly string[], { add }: Parameters): SelectFound {
  const [keptDays, manyEntries] = [`${add(days)}::date[]`, `${add(many)}::bigint`];
  // PostgreSQL runs only the branch whose condition is true, because it does not depend on the rows.
  const count = `(SELECT count(*) FROM ${entries})`;
  return (missing, placeholders) => `${selectOneByOne(missing, placeholders)}
      WHERE ${count} < ${manyEntries}
      UNION ALL
      SELECT ${FOUND_COLUMNS}
      FROM ${missing} AS missing
      JOIN click_figures AS figure USING (dimension, subject_id, campaign, value)
      WHERE ${count} >= ${manyEntries} AND figure.environment_number = ${placeholders.environment}
        AND figure.day = ANY (${keptDays}) AND figure.dimension = ANY (${placeholders.lists})
        AND figure.day BETWEEN missing.from_day AND missing.until_day`;
}
