import { CLICK_FILTERS, type ClickFilter, type ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../db/database.js';
import { dayPartitionsSql } from '../db/day-partitions.js';
import { createParameters, type Parameters } from './parameters.js';
import { IS_WAITING } from './shards.js';
import { readSpan, type Span } from './span.js';
import { type ClickCounts, mostFirst } from './sums.js';
import { taggedSql, taggingsSql } from './tagged-links.js';
import type { StatsWindow } from './window.js';

/** Clicks of an environment within a span of time. */
export interface LogRange extends Span {
  readonly environment_number: number;
}

/** Returns the clicks of the window's days. */
export async function readLogRange(database: Queryable, window: StatsWindow): Promise<LogRange> {
  return { environment_number: window.environment_number, ...(await readSpan(database, window)) };
}

/** Clicks of one group, which is identified by a value. */
export interface CountedGroup extends ClickCounts {
  readonly value: string | null;
}

/** A condition that a click must meet to be counted. Links and types are given as `uuid`. */
export type ClickCondition =
  /** The field has the value; null means that it has none. */
  | { readonly field: ClickFilter; readonly value: string | null }
  /** The field has one of the values. */
  | { readonly field: ClickFilter; readonly among: readonly string[] }
  /** Clicks on links of the environment that have the tag now. For null, clicks on links without tags and on anything but links. */
  | { readonly tagOf: string; readonly tag: string | null }
  /** Clicks that the sums of the click store include as well, if it keeps any. */
  | 'counted'
  | 'never';

/**
 * How clicks are grouped: not at all; by item, with the `uuid` of its type before it (`itemKey`); by the value of a field; by time, where
 * the group is the position, starting at 1, of the last of the `starts` that is not after the click; or by the current tags of the
 * environment's links, where a click is in the group of each tag of its link.
 */
export type GroupKey =
  | 'nothing'
  | 'item of type'
  | { readonly field: ClickFilter }
  | { readonly starts: readonly string[] }
  | { readonly tagsOf: string };

/** An item of a type; the type is given as `uuid`. */
export interface TypedItem {
  readonly type: string;
  readonly item: string;
}

export function itemKey({ type, item }: TypedItem): string {
  return `${type}/${item}`;
}

/** The inverse of `itemKey`. */
export function typedItem(key: string): TypedItem {
  const slash = key.indexOf('/');
  return { type: key.slice(0, slash), item: key.slice(slash + 1) };
}

/** One way to group the clicks. */
export interface Grouping {
  readonly key: GroupKey;
  /** Maximum number of groups: those with the most clicks by people, or the most by the measure. */
  readonly limit: number;
  readonly measure?: ClickMeasure | undefined;
}

export interface GroupsWanted {
  readonly range: LogRange;
  readonly conditions: readonly ClickCondition[];
  readonly groupings: readonly Grouping[];
}

/** The SQL expression of each field in a table of clicks: the column of the same name, unless `others` has a different one. */
export function fieldColumns(others: Partial<Record<ClickFilter, string>>): Readonly<Record<ClickFilter, string>> {
  const columns = Object.fromEntries(CLICK_FILTERS.map((field) => [field, field])) as Record<ClickFilter, string>;
  return { ...columns, ...others };
}

const FIELD_COLUMNS = fieldColumns({
  link: `CASE WHEN kind = 'link' THEN subject_id END`,
  resource_type: 'resource_type_id',
  item: 'item_id',
  // Null for clicks that are older than the column, and for most others, because nearly all rows would hold the same text.
  source: `coalesce(source, 'link')`,
});

const UUID_FIELDS: ReadonlySet<ClickFilter> = new Set(['link', 'resource_type']);

/** The condition as SQL over the columns of `clicks`; its values become parameters. */
export function conditionSql(condition: ClickCondition, parameters: Parameters): string {
  const { add } = parameters;
  if (condition === 'never') return 'false';
  if (condition === 'counted') return `NOT ${IS_WAITING}`;
  if ('tagOf' in condition) {
    const { tagOf: environmentId, tag } = condition;
    const links = tag === null ? taggingsSql(environmentId, parameters) : taggedSql({ environmentId, tag }, parameters);
    return `${tag === null ? 'NOT ' : ''}EXISTS (SELECT FROM ${links} AS tagged WHERE kind = 'link' AND tagged.link = subject_id)`;
  }
  const { field } = condition;
  // The planner can only estimate, and use indexes for, a plain column.
  const column = field === 'link' ? `kind = 'link' AND subject_id` : FIELD_COLUMNS[field];
  const type = UUID_FIELDS.has(field) ? 'uuid' : 'text';
  if ('among' in condition) return `${column} = ANY (${add(condition.among)}::${type}[])`;
  return condition.value === null ? `${FIELD_COLUMNS[field]} IS NULL` : `${column} = ${add(condition.value)}::${type}`;
}

function keySql(key: Exclude<GroupKey, 'nothing'>, { add }: Parameters): string {
  if (key === 'item of type') return `resource_type_id || '/' || item_id`;
  if ('tagsOf' in key) return 'tagging.tag';
  return 'field' in key ? FIELD_COLUMNS[key.field] : `width_bucket(occurred_at, ${add(key.starts)}::timestamptz[])`;
}

function isByTag(key: GroupKey): key is Extract<GroupKey, { readonly tagsOf: string }> {
  return typeof key === 'object' && 'tagsOf' in key;
}

/** The clicks; if grouped by tag, each click once for each tag of its link. */
function clicksSql(keys: readonly GroupKey[], parameters: Parameters): string {
  const byTag = keys.find(isByTag);
  if (byTag === undefined) return 'clicks';
  return `clicks LEFT JOIN ${taggingsSql(byTag.tagsOf, parameters)} AS tagging ON kind = 'link' AND subject_id = tagging.link`;
}

/**
 * Counts the clicks of the log by each grouping. All groupings share one reading of the log except the one by tag, because a click may have
 * many tags. A visitor counts once in each group per day, because a visitor's hash changes every day. The statement is not prepared, so
 * that PostgreSQL plans it with the actual instants and opens only the partitions of their days.
 */
export async function countGroups(snapshot: Queryable, wanted: GroupsWanted): Promise<readonly (readonly CountedGroup[])[]> {
  const { groupings } = wanted;
  const byTag = groupings.findIndex(({ key }) => isByTag(key));
  if (byTag !== -1 && groupings.length > 1) {
    const others = await countGroups(snapshot, { ...wanted, groupings: groupings.toSpliced(byTag, 1) });
    return others.toSpliced(byTag, 0, ...(await countGroups(snapshot, { ...wanted, groupings: groupings.slice(byTag, byTag + 1) })));
  }
  await snapshot.query({ name: 'plan_log', text: PLAN_LOG, values: [] });
  const parameters = createParameters();
  const { rows } = await snapshot.query<CountedGroup & { readonly grouping: number }>({
    text: groupsSql(wanted, parameters),
    values: parameters.values,
  });
  return groupings.map((_, place) => rows.flatMap(({ grouping, ...group }) => (grouping === place ? [group] : [])));
}

/**
 * Sets the planner's cost of passing a row from one process to another, for the rest of the transaction. The default is so high that one
 * process alone reads all clicks of an environment: counting five million by browser took 3.8 s that way, and 2.8 s with two processes.
 */
const PLAN_LOG = `SELECT set_config('parallel_tuple_cost', '0.02', true)`;

function groupsSql({ range, conditions, groupings }: GroupsWanted, parameters: Parameters): string {
  const { add } = parameters;
  const where = [
    `occurred_at >= ${add(range.from)}`,
    `occurred_at < ${add(range.to)}`,
    `environment_number = ${add(range.environment_number)}`,
    ...conditions.map((condition) => conditionSql(condition, parameters)),
  ];
  const keyed = groupings.flatMap(({ key }, place) => (key === 'nothing' ? [] : [{ column: `key${place}`, sql: keySql(key, parameters) }]));
  const columns = keyed.map(({ column }) => column);
  const own = groupings.map(({ key }, place) => (key === 'nothing' ? [] : [`key${place}`]));
  const sets = own.map((column) => `(${[...column, 'visitor_hash'].join(', ')})`);
  // The value of GROUPING for each set: a bit for each column, which is 1 if the column is not in the set.
  const marks = own.map(([column]) => columns.reduce((mark, each) => mark * 2 + (each === column ? 0 : 1), 0));
  const mark = columns.length === 0 ? '0' : `GROUPING(${columns.join(', ')})`;
  const counts = { all: 'clicks', human: 'human', unique: 'visitors' };
  return `
    WITH visit AS (
      SELECT ${[`${mark} AS mark`, ...columns].join(', ')}, visitor_hash, count(*) AS clicks, count(*) FILTER (WHERE NOT bot) AS human
      FROM (
        SELECT ${[...keyed.map(({ column, sql }) => `${sql} AS ${column}`), 'visitor_hash', 'bot'].join(', ')}
        FROM ${clicksSql(
          groupings.map(({ key }) => key),
          parameters,
        )}
        WHERE ${where.join(' AND ')}
      ) AS click
      GROUP BY GROUPING SETS (${sets.join(', ')})
    ), counted AS MATERIALIZED (
      SELECT ${['mark', ...columns].join(', ')}, sum(clicks) AS clicks, sum(human) AS human, count(*) FILTER (WHERE human > 0) AS visitors
      FROM visit
      GROUP BY ${['mark', ...columns].join(', ')}
    )
    ${groupings
      .map(
        ({ limit, measure = 'human' }, place) => `(
      SELECT ${place} AS grouping, ${own[place]?.[0] ?? `''`}::text AS value, clicks::float8 AS "all", human::float8 AS human, visitors::float8 AS "unique"
      FROM counted WHERE mark = ${marks[place]}
      ORDER BY ${[mostFirst(measure, counts), ...(own[place] ?? [])].join(', ')} LIMIT ${add(limit)}
    )`,
      )
      .join(' UNION ALL ')}`;
}

/** Returns the days of the log that are read for the range with their sizes in bytes, latest first. */
export async function readLogSizes(snapshot: Queryable, { from, to }: Span): Promise<readonly { day: string; bytes: number }[]> {
  const { rows } = await snapshot.query<{ day: string; bytes: number }>({
    name: 'read_log_sizes',
    text: `
      SELECT day::text, pg_relation_size(oid)::float8 AS bytes
      FROM ${dayPartitionsSql("'clicks'")} AS partition
      WHERE day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
      ORDER BY day DESC`,
    values: [from, to],
  });
  return rows;
}
