import { DIMENSION_NAMES, type Dimension, NO_SUBJECT, selectKeys } from './dimensions.js';
import { growDayPrefixes } from './top-prefixes.js';

/** Which clicks are counted, as SQL over the columns of `clicks`, and which days of projects. */
export interface ClickSource {
  readonly condition: string;
  /** Over `day`; every day where it is absent. */
  readonly days?: string;
  readonly dimensions?: readonly Dimension[];
  /** Days of the source whose visitors are not remembered any more; absent if there are none. */
  readonly closed?: ClosedDays;
}

export interface ClosedDays {
  /** The clicks of those days that were counted before, as SQL over the columns of `clicks`. */
  readonly condition: string;
  /** Over `day`. */
  readonly days: string;
}

export const FIGURE_COLUMNS = 'environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors';

/** What a visitor was counted for; the columns of `click_visits`. */
const VISIT_COLUMNS = `environment_number, day, hour_at, kind, subject_id, resource_type_id, item_id, platform, country, referrer_host,
    campaign, visitor_hash`;

/** A click's part of them, straight from the log. */
const LOGGED_COLUMNS = `environment_number, date_bin('15 minutes', occurred_at, 'epoch') AS slot_at, kind, subject_id,
        coalesce(resource_type_id, '${NO_SUBJECT}') AS resource_type_id, coalesce(item_id, '') AS item_id, platform,
        coalesce(country, '') AS country, coalesce(referrer_host, '') AS referrer_host, coalesce(campaign, '') AS campaign, visitor_hash`;

/**
 * The one place where clicks become figures. Common table expressions, of which the last, `counted`, has the rows by
 * which figures grow when the clicks of the source are added to those that were counted before:
 *
 *     source   the clicks, each with its quarter of an hour
 *     click    clicks of one visitor that differ in nothing that is counted, with the project's day and hour
 *     seen     what the visitors of these clicks were counted for before: as it is remembered (click_visits), and for
 *              days too old for that from the log itself
 *     counted  environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors
 *
 * The merge adds `counted` to the figures, a reader adds it to what it shows: both say the same number, one of them
 * later. A visitor is new in a group when `seen` does not have him there: with B the visitors of the clicks and S those
 * seen, both in the group, that is |B \ S| = |B ∪ S| - |S|.
 *
 * Each dimension is a branch of its own over the same rows. GROUPING SETS would sort out rows that a dimension does not
 * have only after grouping them; LATERAL VALUES builds its expressions again for each click: 9 µs a click, where the
 * branches take 3 (PostgreSQL 18, 200,000 clicks).
 */
export function countClicks({ condition, days = 'true', dimensions = DIMENSION_NAMES, closed }: ClickSource): string {
  return `
    source AS MATERIALIZED (
      SELECT ${LOGGED_COLUMNS}, bot FROM clicks WHERE ${condition}
    ), ${closed === undefined ? '' : earlierClicks(closed)} hour AS (
      SELECT DISTINCT environment_number, date_bin('1 hour', slot_at, 'epoch') AS at
      FROM ${closed === undefined ? 'source' : '(SELECT environment_number, slot_at FROM source UNION ALL SELECT environment_number, slot_at FROM earlier) AS moment'}
    ), slot AS MATERIALIZED (
      SELECT hour.environment_number, local.slot_at, local.day, local.hour_at
      FROM hour
      JOIN environments AS environment ON environment.number = hour.environment_number
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL local_slots(hour.at, hour.at + interval '45 minutes', project.time_zone) AS local
    ), click AS MATERIALIZED (
      SELECT ${VISIT_COLUMNS}, count(*) AS clicks, count(*) FILTER (WHERE NOT bot) AS human
      FROM source JOIN slot USING (environment_number, slot_at)
      WHERE ${days}
      GROUP BY ${VISIT_COLUMNS}
    ), seen AS MATERIALIZED (
      SELECT ${VISIT_COLUMNS} FROM click_visits
      WHERE visitor_hash = ANY (ARRAY(SELECT visitor_hash FROM click WHERE human > 0))
      ${closed === undefined ? '' : `UNION SELECT ${VISIT_COLUMNS} FROM earlier JOIN slot USING (environment_number, slot_at) WHERE ${closed.days}`}
    ), visited AS (
      SELECT ${VISIT_COLUMNS}, clicks, human, false AS seen FROM click
      UNION ALL
      SELECT ${VISIT_COLUMNS}, 0, 0, true FROM seen
    ), keyed AS (
      ${dimensions.map((dimension) => selectKeys(dimension, 'visited')).join('\n      UNION ALL ')}
    ), counted AS (
      SELECT environment_number, day, dimension, subject_id, campaign, value, sum(clicks)::integer AS clicks, sum(human)::integer AS human,
        (count(DISTINCT visitor_hash) FILTER (WHERE human > 0 OR seen) - count(DISTINCT visitor_hash) FILTER (WHERE seen))::integer AS visitors
      FROM keyed
      GROUP BY environment_number, day, dimension, subject_id, campaign, value
      HAVING sum(clicks) > 0
    )`;
}

function earlierClicks({ condition }: ClosedDays): string {
  return `earlier AS MATERIALIZED (
      SELECT ${LOGGED_COLUMNS} FROM clicks
      WHERE ${condition} AND NOT bot AND visitor_hash = ANY (ARRAY(SELECT visitor_hash FROM source WHERE NOT bot))
    ),`;
}

export interface Addition {
  /** A parameter, the first day whose visitors are remembered. */
  readonly openFrom: string;
  /** The prefixes of the days' long lists are updated too; otherwise there must be none. */
  readonly growsDayPrefixes: boolean;
}

/**
 * The statement that counts the clicks of the source for good. Returns the days it changed, with the clicks it counted on
 * each. Rows go in by the order of their key: half the time of any other.
 */
export function addFigures(source: ClickSource, { openFrom, growsDayPrefixes }: Addition): string {
  return `
    WITH ${countClicks(source)}, remembered AS (
      INSERT INTO click_visits (${VISIT_COLUMNS})
      SELECT ${VISIT_COLUMNS} FROM click WHERE human > 0 AND day >= ${openFrom}
      EXCEPT SELECT ${VISIT_COLUMNS} FROM seen
    ), added AS (
      INSERT INTO click_figures AS figure (${FIGURE_COLUMNS})
      SELECT ${FIGURE_COLUMNS} FROM counted
      ORDER BY day, environment_number, dimension, campaign, subject_id, value
      ON CONFLICT (environment_number, dimension, campaign, subject_id, value, day) DO UPDATE
      SET clicks = figure.clicks + excluded.clicks, human = figure.human + excluded.human, visitors = figure.visitors + excluded.visitors
      ${growsDayPrefixes ? `RETURNING ${FIGURE_COLUMNS}\n    ), ${growDayPrefixes('added')}` : ')'}
    SELECT environment_number, day::text, sum(clicks)::float8 AS clicks FROM click GROUP BY environment_number, day`;
}
