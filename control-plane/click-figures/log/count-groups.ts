import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { createParameters, type Parameters } from '../../db/parameters.js';
import { type ClickCondition, type CountedGroup, fieldColumns, type GroupKey, type RangeGroupsWanted } from '../click-groups.js';
import { COUNT_COLUMNS, mostFirst } from '../counts.js';
import { taggedSql, taggingsSql } from './tagged-links.js';
import { readWaitingBatches } from './waiting.js';

const FIELD_COLUMNS = fieldColumns({
  link: `CASE WHEN kind = 'link' THEN subject_id END`,
  resource_type: 'resource_type_id',
  item: 'item_id',
  // Null for clicks that are older than the column, and for most others, because nearly all rows would hold the same text.
  source: `coalesce(source, 'link')`,
});

/** The value of the field in the row of a click, as SQL. For an item, it names the type too (`itemKey`). */
export function columnSql(field: ClickFilter): string {
  return field === 'item' ? ITEM_OF_TYPE : FIELD_COLUMNS[field];
}

const ITEM_OF_TYPE = `resource_type_id || '/' || item_id`;

const UUID_FIELDS: ReadonlySet<ClickFilter> = new Set(['link', 'resource_type']);

/** The condition as SQL over the columns of `clicks`; its values become parameters. */
export function conditionSql(condition: Exclude<ClickCondition, 'counted'>, parameters: Parameters): string {
  const { add } = parameters;
  if (condition === 'never') return 'false';
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
  if (key === 'item of type') return ITEM_OF_TYPE;
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
export async function countGroups(snapshot: Queryable, wanted: RangeGroupsWanted): Promise<readonly (readonly CountedGroup[])[]> {
  const { groupings } = wanted;
  const byTag = groupings.findIndex(({ key }) => isByTag(key));
  if (byTag !== -1 && groupings.length > 1) {
    const others = await countGroups(snapshot, { ...wanted, groupings: groupings.toSpliced(byTag, 1) });
    return others.toSpliced(byTag, 0, ...(await countGroups(snapshot, { ...wanted, groupings: groupings.slice(byTag, byTag + 1) })));
  }
  await snapshot.query({ name: 'plan_log', text: PLAN_LOG, values: [] });
  const isCounted = wanted.conditions.includes('counted');
  const waiting = isCounted ? await readWaitingBatches(snapshot, wanted.range.environment_number) : [];
  const parameters = createParameters();
  const { rows } = await snapshot.query<CountedGroup & { readonly grouping: number }>({
    text: groupsSql(wanted, waiting, parameters),
    values: parameters.values,
  });
  return groupings.map((_, place) => rows.flatMap(({ grouping, ...group }) => (grouping === place ? [group] : [])));
}

/**
 * Sets the planner's cost of passing a row from one process to another, for the rest of the transaction. The default is so high that one
 * process alone reads all clicks of an environment: on 28 November, counting five million by browser took 3.8 s that way, and 2.8 s with two
 * processes.
 */
const PLAN_LOG = `SELECT set_config('parallel_tuple_cost', '0.02', true)`;

function groupsSql({ range, conditions, groupings }: RangeGroupsWanted, waiting: readonly string[], parameters: Parameters): string {
  const { add } = parameters;
  const where = [
    `occurred_at >= ${add(range.from)}`,
    `occurred_at < ${add(range.to)}`,
    `environment_number = ${add(range.environment_number)}`,
    ...(waiting.length === 0 ? [] : [`batch_id <> ALL (${add(waiting)}::bigint[])`]),
    ...conditions.flatMap((condition) => (condition === 'counted' ? [] : [conditionSql(condition, parameters)])),
  ];
  const keyed = groupings.flatMap(({ key }, place) => (key === 'nothing' ? [] : [{ column: `key${place}`, sql: keySql(key, parameters) }]));
  const columns = keyed.map(({ column }) => column);
  const own = groupings.map(({ key }, place) => (key === 'nothing' ? [] : [`key${place}`]));
  const sets = own.map((column) => `(${column.join(', ')})`);
  // The value of GROUPING for each set: a bit for each column, which is 1 if the column is not in the set.
  const marks = own.map(([column]) => columns.reduce((mark, each) => mark * 2 + (each === column ? 0 : 1), 0));
  const mark = columns.length === 0 ? '0' : `GROUPING(${columns.join(', ')})`;
  const counts = { all: 'clicks', human: 'human', unique: 'visitors' };
  return `
    WITH counted AS MATERIALIZED (
      SELECT ${[`${mark} AS mark`, ...columns].join(', ')}, count(*) AS clicks, count(*) FILTER (WHERE NOT bot) AS human,
        count(DISTINCT visitor_hash) FILTER (WHERE NOT bot) AS visitors
      FROM (
        SELECT ${[...keyed.map(({ column, sql }) => `${sql} AS ${column}`), 'visitor_hash', 'bot'].join(', ')}
        FROM ${clicksSql(
          groupings.map(({ key }) => key),
          parameters,
        )}
        WHERE ${where.join(' AND ')}
      ) AS click
      GROUP BY GROUPING SETS (${sets.join(', ')})
    )
    ${groupings
      .map(
        ({ limit, measure = 'human' }, place) => `(
      SELECT ${place} AS grouping, ${own[place]?.[0] ?? `''`}::text AS value, ${COUNT_COLUMNS}
      FROM counted WHERE mark = ${marks[place]}
      ORDER BY ${[mostFirst(measure, counts), ...(own[place] ?? [])].join(', ')} LIMIT ${add(limit)}
    )`,
      )
      .join(' UNION ALL ')}`;
}
