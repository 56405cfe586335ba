import type { ClickFilter, ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../db/database.js';
import { createParameters, type Parameters } from './parameters.js';
import { type ClickCounts, mostFirst } from './sums.js';
import { taggedSql, taggingsSql } from './tagged-links.js';
import type { StatsWindow } from './window.js';

/** From the first instant on, before the second. */
export interface LogRange {
  readonly environment_number: number;
  readonly start: Date;
  readonly end: Date;
}

/** The instants at which the days of the window begin and end. */
export async function readLogRange(database: Queryable, window: StatsWindow): Promise<LogRange> {
  const { rows } = await database.query<{ start: Date; end: Date }>({
    name: 'read_log_range',
    text: `
      SELECT min(slot_at) FILTER (WHERE day >= $4::date) AS start, min(slot_at) FILTER (WHERE day > $5::date) AS end
      FROM local_slots($1, $2, $3)`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to],
  });
  return { environment_number: window.environment_number, ...(rows[0] as { start: Date; end: Date }) };
}

/** Clicks of one group, told apart by a value. */
export interface CountedGroup extends ClickCounts {
  readonly value: string | null;
}

/** What a click has to be, to be counted. Links and types are named by `uuid`. */
export type ClickCondition =
  /** The value of a field; null for none. */
  | { readonly field: ClickFilter; readonly value: string | null }
  /** One of the values. */
  | { readonly field: ClickFilter; readonly among: readonly string[] }
  /** Clicks on links of the environment that have the tag now; for null those on links without a tag, and on what is no link. */
  | { readonly tagOf: string; readonly tag: string | null }
  | 'never';

/**
 * What tells the groups apart: nothing, the value of a field, an item with the `uuid` of its type before it (`itemKey`), the place, from 1, of the last of these instants that is not after the click, or
 * the tags that the links of the environment have now, of which each has the click in its group.
 */
export type GroupKey =
  | 'nothing'
  | 'item of type'
  | { readonly field: ClickFilter }
  | { readonly starts: readonly string[] }
  | { readonly tagsOf: string };

/** An item of a type, which is named by `uuid`. */
export interface TypedItem {
  readonly type: string;
  readonly item: string;
}

export function itemKey({ type, item }: TypedItem): string {
  return `${type}/${item}`;
}

export interface GroupsWanted {
  readonly range: LogRange;
  readonly conditions: readonly ClickCondition[];
  readonly key: GroupKey;
  /** The groups with most clicks of people, or most by the measure. */
  readonly limit: number;
  readonly measure?: ClickMeasure;
}

/** What a field is in the click log. */
const FIELD_COLUMNS: Readonly<Record<ClickFilter, string>> = {
  link: `CASE WHEN kind = 'link' THEN subject_id END`,
  campaign: 'campaign',
  resource_type: 'resource_type_id',
  item: 'item_id',
  host: 'host',
  path: 'path',
  platform: 'platform',
  os: 'os',
  os_version: 'os_version',
  browser: 'browser',
  browser_version: 'browser_version',
  country: 'country',
  region: 'region',
  city: 'city',
  // Null of clicks that are older than the column, and of most others: it would be the same text in nearly all rows.
  source: `coalesce(source, 'link')`,
  referrer_host: 'referrer_host',
  in_app_browser: 'in_app_browser',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  bot_reason: 'bot_reason',
};

const UUID_FIELDS: ReadonlySet<ClickFilter> = new Set(['link', 'resource_type']);

/** The condition over the columns of `clicks`; its values become parameters. */
export function conditionSql(condition: ClickCondition, parameters: Parameters): string {
  const { add } = parameters;
  if (condition === 'never') return 'false';
  if ('tagOf' in condition) {
    const { tagOf: environmentId, tag } = condition;
    const links = tag === null ? taggingsSql(environmentId, parameters) : taggedSql({ environmentId, tag }, parameters);
    return `${tag === null ? 'NOT ' : ''}EXISTS (SELECT FROM ${links} AS tagged WHERE kind = 'link' AND tagged.link = subject_id)`;
  }
  const { field } = condition;
  // The planner sees through a plain column alone.
  const column = field === 'link' ? `kind = 'link' AND subject_id` : FIELD_COLUMNS[field];
  const type = UUID_FIELDS.has(field) ? 'uuid' : 'text';
  if ('among' in condition) return `${column} = ANY (${add(condition.among)}::${type}[])`;
  return condition.value === null ? `${FIELD_COLUMNS[field]} IS NULL` : `${column} = ${add(condition.value)}::${type}`;
}

function keySql(key: GroupKey, { add }: Parameters): string {
  if (key === 'nothing') return `''`;
  if (key === 'item of type') return `resource_type_id || '/' || item_id`;
  if ('tagsOf' in key) return 'tagging.tag';
  return 'field' in key ? FIELD_COLUMNS[key.field] : `width_bucket(occurred_at, ${add(key.starts)}::timestamptz[])`;
}

/** The clicks, each as often as its link has tags. */
function clicksSql(key: GroupKey, parameters: Parameters): string {
  if (typeof key !== 'object' || !('tagsOf' in key)) return 'clicks';
  return `clicks LEFT JOIN ${taggingsSql(key.tagsOf, parameters)} AS tagging ON kind = 'link' AND subject_id = tagging.link`;
}

/**
 * Counts clicks of the log. A visitor counts once in each group: the hash of one is another one on every day. Not prepared: planned with
 * the instants at hand, PostgreSQL opens the partitions of their days alone.
 */
export async function countGroups(snapshot: Queryable, wanted: GroupsWanted): Promise<readonly CountedGroup[]> {
  const { range, conditions, limit, measure = 'human' } = wanted;
  const parameters = createParameters();
  const key = keySql(wanted.key, parameters);
  const where = [
    `occurred_at >= ${parameters.add(range.start)}`,
    `occurred_at < ${parameters.add(range.end)}`,
    `environment_number = ${parameters.add(range.environment_number)}`,
    ...conditions.map((condition) => conditionSql(condition, parameters)),
  ];
  const counts = { all: 'sum(clicks)', human: 'sum(human)', unique: 'count(*) FILTER (WHERE human > 0)' };
  const { rows } = await snapshot.query<CountedGroup>({
    text: `
      SELECT value::text, (${counts.all})::float8 AS "all", (${counts.human})::float8 AS human, (${counts.unique})::float8 AS "unique"
      FROM (
        SELECT ${key} AS value, visitor_hash, count(*) AS clicks, count(*) FILTER (WHERE NOT bot) AS human
        FROM ${clicksSql(wanted.key, parameters)}
        WHERE ${where.join(' AND ')}
        GROUP BY 1, 2
      ) AS visit
      GROUP BY value
      ORDER BY ${mostFirst(measure, counts)}, value
      LIMIT ${parameters.add(limit)}`,
    values: parameters.values,
  });
  return rows;
}

/** The days of the log that are read for the range, and how many bytes each has, latest first. */
export async function readLogSizes(snapshot: Queryable, { start, end }: LogRange): Promise<readonly { day: string; bytes: number }[]> {
  const { rows } = await snapshot.query<{ day: string; bytes: number }>({
    name: 'read_log_sizes',
    text: `
      SELECT day::text, pg_relation_size(oid)::float8 AS bytes
      FROM (
        SELECT relation.oid, to_date(right(relation.relname, 8), 'YYYYMMDD') AS day
        FROM pg_inherits AS link JOIN pg_class AS relation ON relation.oid = link.inhrelid
        WHERE link.inhparent = 'clicks'::regclass AND relation.relname ~ '^clicks_[0-9]{8}$'
      ) AS part
      WHERE day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
      ORDER BY day DESC`,
    values: [start, end],
  });
  return rows;
}
