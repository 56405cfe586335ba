import type { LogRange } from '../click-figures/click-groups.js';
import type { Queryable } from '../db/database.js';
import { createParameters, type Parameters } from '../db/parameters.js';

/** Which conversions are counted. A filter that is null does not restrict them. */
export interface ConversionsWanted {
  readonly environmentId: string;
  readonly range: LogRange;
  /** `lnk_...` */
  readonly link: string | null;
  /** Key of a campaign. */
  readonly campaign: string | null;
  /** Key of a resource type. */
  readonly resource_type: string | null;
  readonly item: string | null;
  /** Maximum number of names, campaigns, links, types and items, each. */
  readonly limit: number;
}

/** A count of one thing. By `part`, `key` is the name of an event, a campaign, a link, a resource type or an item; '' for none. */
export interface ConversionCount {
  readonly part: 'total' | 'event' | 'campaign' | 'link' | 'resource_type' | 'item';
  readonly key: string;
  /** The key of the item's resource type, if `part` is `item`. */
  readonly type_key: string;
  /** The rule that matched the installations, if `part` is `total`. */
  readonly what: 'install' | 'organic' | 'open' | 'event';
  readonly match_type: string;
  readonly currency: string | null;
  readonly count: number;
  /** Sum of the values; null if there are none. */
  readonly value: number | null;
}

/** Larger values count as this, so that the sum of any number of them can still be represented as a JSON number. */
const VALUE_MAX = '1e290';
/** Decimals of a sum. */
const DECIMALS = 6;
/** Values below this are whole numbers of millionths that a double represents exactly. */
const MILLIONTHS_BELOW = '1e9';
/**
 * Adds values as whole millionths, which is exact in any order and as fast as adding doubles. Large ones are added as decimals, which takes
 * twice as long as all the rest, with the digits that their doubles are written with.
 */
const SUM_OF_VALUES = `CASE WHEN count(value) > 0 THEN round(
          coalesce(sum(round(value * 1e${DECIMALS})::bigint) FILTER (WHERE abs(value) < ${MILLIONTHS_BELOW}), 0) / 1e${DECIMALS}
          + coalesce(sum((CASE WHEN abs(value) > ${VALUE_MAX} THEN sign(value) * ${VALUE_MAX} ELSE value END)::text::numeric)
            FILTER (WHERE abs(value) >= ${MILLIONTHS_BELOW}), 0), ${DECIMALS}) END`;
/** By how much the time of an event may be ahead of the clock when the event is stored. */
const AHEAD = `interval '10 minutes'`;

/** Conversions of links, or of items: the columns by which they are counted, their condition, and their parts. Each has its own indexes. */
interface Counted {
  readonly one: 'link_id' | 'resource_type';
  readonly other: 'campaign' | 'item_id';
  readonly where: readonly string[];
  readonly parts: readonly Part[];
}

interface Part {
  readonly part: ConversionCount['part'];
  readonly key: 'one' | 'other' | 'name' | `''`;
  readonly typeKey?: 'one';
  readonly matchType?: string;
  /** A condition that selects the conversions of the part; all by default. */
  readonly among?: string;
}

/** An installation's `name` is the rule that matched. */
const OF_ALL: readonly Part[] = [
  { part: 'total', key: `''`, matchType: `CASE what WHEN 'install' THEN name ELSE '' END` },
  { part: 'event', key: 'name', among: `what = 'event'` },
];
const LED = `what <> 'organic'`;
const OF_LINKS: readonly Part[] = [
  { part: 'campaign', key: 'other', among: LED },
  { part: 'link', key: 'one', among: LED },
];
const OF_ITEMS: readonly Part[] = [
  { part: 'resource_type', key: 'one', among: LED },
  { part: 'item', key: 'other', typeKey: 'one', among: LED },
];

/**
 * Counts the conversions of a range of days. Events belong to the day on which they happened. They may be stored on any later day, so only
 * the partitions of earlier days are left out. An item belongs to no link, and has no campaign. The statements are not prepared, so that
 * they are planned with the actual days.
 */
export async function readConversions(snapshot: Queryable, wanted: ConversionsWanted): Promise<readonly ConversionCount[]> {
  const { link, campaign, resource_type, item } = wanted;
  const read = async (counted: Counted) => {
    const parameters = createParameters();
    const { rows } = await snapshot.query<ConversionCount>({ text: statement(counted, wanted, parameters), values: parameters.values });
    return rows;
  };
  const areLinks = link !== null || campaign !== null;
  const areItems = resource_type !== null || item !== null;
  const ofLinks = { one: 'link_id', other: 'campaign', where: [], parts: [...OF_ALL, ...OF_LINKS] } as const;
  const ofItems = { one: 'resource_type', other: 'item_id', where: ['resource_type IS NOT NULL'] } as const;
  return [
    ...(areItems ? [] : await read(ofLinks)),
    ...(areLinks ? [] : await read({ ...ofItems, parts: areItems ? [...OF_ALL, ...OF_ITEMS] : OF_ITEMS })),
  ];
}

function statement({ one, other, where, parts }: Counted, wanted: ConversionsWanted, { add }: Parameters): string {
  const { environmentId, range, limit } = wanted;
  const start = `${add(range.from)}::timestamptz`;
  const end = `${add(range.to)}::timestamptz`;
  const environment = add(environmentId);
  const filters = FILTERS.flatMap(([column, name]) => (wanted[name] === null ? [] : [`${column} = ${add(wanted[name])}`]));
  const within = (time: string, ...more: readonly string[]): string =>
    [`environment_id = ${environment}`, `${time} >= ${start}`, `${time} < ${end}`, ...more, ...where, ...filters].join(' AND ');
  const limited = add(limit);
  const top = (columns: string, among: string): string =>
    `(${columns}) IN (SELECT ${columns} FROM conversion WHERE ${among} GROUP BY ${columns}
      ORDER BY coalesce(sum(count) FILTER (WHERE what = 'install'), 0) DESC, sum(count) DESC, ${columns} LIMIT ${limited})`;
  const partSql = ({ part, key, typeKey, matchType = `''`, among }: Part): string => `
    SELECT '${part}' AS part, ${key} AS key, ${typeKey ?? `''`} AS type_key, what, ${matchType} AS match_type, currency,
      sum(count)::float8 AS count, sum(value)::float8 AS value
    FROM conversion WHERE ${among === undefined ? 'true' : `${among} AND ${top(typeKey === undefined ? key : `${typeKey}, ${key}`, among)}`}
    GROUP BY 2, 3, 4, 5, 6`;
  const keys = `coalesce(${one}, '') AS one, coalesce(${other}, '') AS other`;
  return `
    WITH conversion AS MATERIALIZED (
      SELECT CASE WHEN match_type IS NULL THEN 'organic' ELSE 'install' END AS what, ${keys}, coalesce(match_type, '') AS name,
        NULL::text AS currency, count(*) AS count, NULL::numeric AS value
      FROM installs WHERE ${within('opened_at')}
      GROUP BY 1, 2, 3, 4
      UNION ALL
      SELECT 'open', ${keys}, '', NULL, count(*), NULL
      FROM app_opens WHERE ${within('created_at')} GROUP BY 2, 3
      UNION ALL
      SELECT 'event', ${keys}, name, currency, count(*),
        ${SUM_OF_VALUES}
      FROM tracked_events WHERE ${within('occurred_at', `created_at >= ${start} - ${AHEAD}`)} GROUP BY 2, 3, 4, 5
    )
    ${parts.map(partSql).join(' UNION ALL ')}`;
}

const FILTERS = [
  ['link_id', 'link'],
  ['campaign', 'campaign'],
  ['resource_type', 'resource_type'],
  ['item_id', 'item'],
] as const;
