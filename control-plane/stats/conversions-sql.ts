import type { LogRange } from '../click-figures/log-query.js';
import { createParameters, type Parameters } from '../click-figures/parameters.js';
import type { Queryable } from '../db/database.js';

/** What is counted: the filters are null where all is. */
export interface ConversionsWanted {
  readonly environmentId: string;
  readonly range: LogRange;
  /** `lnk_...` */
  readonly link: string | null;
  /** Key of a campaign. */
  readonly campaign: string | null;
  /** Names, campaigns and links at most, each. */
  readonly limit: number;
}

/** A count of one thing. `key` is a link, a campaign or a name of an event, by `part`; '' for none. */
export interface ConversionCount {
  readonly part: 'total' | 'event' | 'campaign' | 'link';
  readonly key: string;
  /** Where `part` is `total`, an installation's is the rule that matched. */
  readonly what: 'install' | 'organic' | 'open' | 'event';
  readonly match_type: string;
  readonly currency: string | null;
  readonly count: number;
  /** Sum of the values; null for none. */
  readonly value: number | null;
}

/** Larger values count as this: the sum of any number of them is a number of JSON still. */
const VALUE_MAX = '1e290';
/** Decimals of a sum: cents add up, and what the binary sum of them is off by is cut off. */
const DECIMALS = 6;
/** An event may be ahead of the clock by so much when it is stored. */
const AHEAD = `interval '10 minutes'`;

/**
 * Counts of a range of days in one statement. Events are of the day on which they happened: those of a day may be stored on any
 * day after it, so that the partitions of earlier days alone are left out. Not prepared, so that it is planned with the days.
 */
export async function readConversions(snapshot: Queryable, wanted: ConversionsWanted): Promise<readonly ConversionCount[]> {
  const parameters = createParameters();
  const { rows } = await snapshot.query<ConversionCount>({ text: statement(wanted, parameters), values: parameters.values });
  return rows;
}

function statement({ environmentId, range, link, campaign, limit }: ConversionsWanted, { add }: Parameters): string {
  const start = `${add(range.start)}::timestamptz`;
  const end = `${add(range.end)}::timestamptz`;
  const environment = add(environmentId);
  const filters = [...(link === null ? [] : [`link_id = ${add(link)}`]), ...(campaign === null ? [] : [`campaign = ${add(campaign)}`])];
  const where = (time: string, ...more: readonly string[]): string =>
    [`environment_id = ${environment}`, `${time} >= ${start}`, `${time} < ${end}`, ...more, ...filters].join(' AND ');
  const limited = add(limit);
  const top = (column: 'link' | 'campaign' | 'name', among: string): string =>
    `(SELECT ${column} FROM conversion WHERE ${among} GROUP BY 1
      ORDER BY coalesce(sum(count) FILTER (WHERE what = 'install'), 0) DESC, sum(count) DESC, 1 LIMIT ${limited})`;
  const part = (name: string, key: string, matchType: string, among: string): string => `
    SELECT '${name}' AS part, ${key} AS key, what, ${matchType} AS match_type, currency, sum(count)::float8 AS count,
      sum(value)::float8 AS value
    FROM conversion WHERE ${among} GROUP BY 2, 3, 4, 5`;
  const led = `what <> 'organic'`;
  return `
    WITH conversion AS MATERIALIZED (
      SELECT CASE WHEN match_type IS NULL THEN 'organic' ELSE 'install' END AS what, coalesce(link_id, '') AS link,
        coalesce(campaign, '') AS campaign, coalesce(match_type, '') AS name, NULL::text AS currency, count(*) AS count, NULL::numeric AS value
      FROM installs WHERE ${where('opened_at')}
      GROUP BY 1, 2, 3, 4
      UNION ALL
      SELECT 'open', coalesce(link_id, ''), coalesce(campaign, ''), '', NULL, count(*), NULL
      FROM app_opens WHERE ${where('created_at')} GROUP BY 2, 3
      UNION ALL
      SELECT 'event', coalesce(link_id, ''), coalesce(campaign, ''), name, currency, count(*),
        -- Adding numbers as decimals takes twice as long as all the rest.
        round(sum(CASE WHEN abs(value) > ${VALUE_MAX} THEN sign(value) * ${VALUE_MAX} ELSE value END)::numeric, ${DECIMALS})
      FROM tracked_events WHERE ${where('occurred_at', `created_at >= ${start} - ${AHEAD}`)} GROUP BY 2, 3, 4, 5
    )
    ${part('total', `''`, `CASE what WHEN 'install' THEN name ELSE '' END`, 'true')}
    UNION ALL ${part('event', 'name', `''`, `what = 'event' AND name IN ${top('name', `what = 'event'`)}`)}
    UNION ALL ${part('campaign', 'campaign', `''`, `${led} AND campaign IN ${top('campaign', led)}`)}
    UNION ALL ${part('link', 'link', `''`, `${led} AND link IN ${top('link', led)}`)}`;
}
