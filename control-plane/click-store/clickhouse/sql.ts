import { compareBytes } from '../../../shared/base/compare-bytes.js';
import type { ClickHouse, QueryValues } from '../../../shared/clickhouse/connection.js';
import type { ClickMeasure } from '../../../shared/contract/schemas/clicks-query.js';
import { type ClickCondition, fieldColumns, type LogRange } from '../../click-figures/click-groups.js';
import { type ClickCounts, mostFirst } from '../../click-figures/counts.js';
import type { SummedDay } from './summed-days.js';

/**
 * Statements on the clicks in ClickHouse. Values are always parameters of the statement, except for bytes, as base64, and for numbers
 * of which there may be many. They are in its text: the server accepts 128 KiB for a parameter, and 1 MiB for all of them together.
 */

/** The expression of each field over the columns of the table; '' means no value. Links and types are 32 hexadecimal digits. */
export const FIELDS = fieldColumns({
  link: `if(kind = 'link', lower(hex(subject_id)), '')`,
  resource_type: `if(resource_type_id = unhex('00000000000000000000000000000000'), '', lower(hex(resource_type_id)))`,
  item: 'item_id',
  source: `if(source = '', 'link', source)`,
});

/** Values of a statement under construction. */
export class Values {
  readonly values: Record<string, QueryValues[string]> = {};
  #count = 0;

  /** Adds a value. Returns its placeholder in the statement. */
  add(type: string, value: QueryValues[string]): string {
    const name = `v${this.#count++}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }

  addUuids(uuids: readonly string[]): string {
    return `arrayMap(digits -> toFixedString(unhex(digits), 16), ${this.add('Array(String)', uuids.map(digitsOf))})`;
  }

  /** Adds 64-bit numbers, however many. */
  addNumbers(numbers: readonly (number | bigint)[]): string {
    return `CAST('[${numbers.join(',')}]', 'Array(Int64)')`;
  }

  addBytes(bytes: Buffer): string {
    return `base64Decode('${bytes.toString('base64')}')`;
  }

  addUuid(uuid: string): string {
    return `unhex(${this.add('String', digitsOf(uuid))})`;
  }

  addTime(at: Date): string {
    return `fromUnixTimestamp64Milli(${this.add('Int64', at.getTime())}, 'UTC')`;
  }
}

export function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** Converts 32 hexadecimal digits to a `uuid`; leaves '' unchanged. */
export function uuidOf(digits: string): string {
  return digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A condition that selects the clicks of the range except those of the days in `without`. */
export function rangeSql({ environment_number, ...range }: LogRange, values: Values, without: readonly SummedDay[] = []): string {
  const bounds = [range.from, ...without.flatMap((day) => [day.from, day.to]), range.to];
  const parts: string[] = [];
  for (let at = 0; at < bounds.length; at += 2) {
    const [from, to] = bounds.slice(at, at + 2) as [Date, Date];
    if (from < to) parts.push(`occurred_at >= ${values.addTime(from)} AND occurred_at < ${values.addTime(to)}`);
  }
  const [only = 'false', ...others] = parts;
  const inParts = others.length === 0 ? only : `(${parts.map((part) => `(${part})`).join(' OR ')})`;
  return `environment_number = ${values.add('Int32', environment_number)} AND ${inParts}`;
}

/** A condition without tags, which only PostgreSQL knows. A condition on a tag becomes one on links, possibly very many. */
export type LinkCondition =
  | Exclude<ClickCondition, { readonly tagOf: string }>
  | { readonly manyLinks: readonly string[]; readonly isOther: boolean };

/** A tag of a link, which is given as `uuid`. */
export interface Tagging {
  readonly link: string;
  readonly tag: string;
}

export function conditionSql(condition: LinkCondition, values: Values): string {
  if (condition === 'never') return 'false';
  if (condition === 'counted') return 'true';
  if ('manyLinks' in condition) {
    const { manyLinks, isOther } = condition;
    const links = values.addBytes(Buffer.from(manyLinks.map(digitsOf).join(''), 'hex'));
    const set = `SELECT toFixedString(substring(${links}, 16 * number + 1, 16), 16) FROM numbers(${manyLinks.length})`;
    return `${isOther ? 'NOT ' : ''}(kind = 'link' AND subject_id IN (${set}))`;
  }
  if ('among' in condition) {
    const { field, among } = condition;
    if (field === 'link') return `kind = 'link' AND has(${values.addUuids(among)}, subject_id)`;
    if (field === 'resource_type') return `has(${values.addUuids(among)}, resource_type_id)`;
    return `${FIELDS[field]} IN ${values.add('Array(String)', among)}`;
  }
  const { field, value } = condition;
  // Every click has a source, so this is never true for `source`.
  if (value === null) return `${FIELDS[field]} = ''`;
  if (field === 'link') return `kind = 'link' AND subject_id = ${values.addUuid(value)}`;
  if (field === 'resource_type') return `resource_type_id = ${values.addUuid(value)}`;
  return `${FIELDS[field]} = ${values.add('String', value)}`;
}

/** The 16 bytes of a link, and the index of its tag in the order of tag names. */
const TAGGING_BYTES = 20;

export interface TaggedClicks {
  readonly sql: string;
  /** Returns the name of a tag for the statement's value of `tag`. */
  readonly nameOf: (tag: string) => string;
}

/** The clicks, each once for each tag of its link. The column `tag` is '' for a link without tags, and sorts as the names do. */
export function taggedClicks(taggings: readonly Tagging[], values: Values): TaggedClicks {
  const names = [...new Set(taggings.map(({ tag }) => tag))].sort(compareBytes);
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const bytes = Buffer.alloc(TAGGING_BYTES * taggings.length);
  for (const [index, { link, tag }] of taggings.entries()) {
    bytes.write(digitsOf(link), TAGGING_BYTES * index, 'hex');
    bytes.writeUInt32BE(placeOf.get(tag) as number, TAGGING_BYTES * index + 16);
  }
  const entries = `SELECT substring(${values.addBytes(bytes)}, ${TAGGING_BYTES} * number + 1, ${TAGGING_BYTES}) AS entry FROM numbers(${taggings.length})`;
  return {
    sql: `clicks LEFT JOIN (
       SELECT toFixedString(substring(entry, 1, 16), 16) AS tagged_link, hex(substring(entry, 17)) AS tag FROM (${entries})
     ) AS taggings ON clicks.subject_id = taggings.tagged_link`,
    nameOf: (tag) => names[Number.parseInt(tag, 16)] ?? '',
  };
}

/** The part of `ClickHouse` that runs a SELECT. */
export type ClickRows = Pick<ClickHouse, 'rows'>;

/** Sums that are read in place of clicks, as expressions over the columns of `click_sums`. */
export interface SumsRead {
  readonly dimension: string;
  /** '' for sums of the environment. */
  readonly campaign: string;
  readonly subject: string;
  readonly value: string;
  /** A condition that selects some of them; all by default. */
  readonly where?: string;
}

/** Sums that are read in place of the clicks of some days. */
export interface DaysSummed {
  readonly sums: SumsRead;
  readonly days: readonly SummedDay[];
}

/** Groups of clicks by two expressions. */
export interface GroupsSelected {
  readonly range: LogRange;
  /** Null if all clicks are read. */
  readonly summed?: DaysSummed | null;
  /** An expression for 32 hexadecimal digits, or ''. */
  readonly subject: string;
  readonly value: string;
  /** The table and what is joined to it; `clicks` by default. */
  readonly from?: string;
  /** Conditions that clicks of the range must meet. */
  readonly where: readonly string[];
  /** Maximum number of groups: those with the most clicks by people, or the most by the measure. Null for all. */
  readonly limit: number | null;
  readonly measure?: ClickMeasure | undefined;
  /** Whether the limit applies to each subject. */
  readonly perSubject?: boolean;
  /** Whether to return only groups that people have clicked on. Groups with the same clicks by people are then ordered by name. */
  readonly ofPeople?: boolean;
  /** Whether the group without a value comes after groups with the same number of clicks, as null does in PostgreSQL. */
  readonly noneLast?: boolean;
}

export interface SelectedGroup extends ClickCounts {
  /** As `uuid`, or ''. */
  readonly subject: string;
  readonly value: string;
}

/** Counts clicks. A visitor counts once in each group per day: a visitor's hash changes every day, so days can be added up. */
export async function selectGroups(clickHouse: ClickRows, selected: GroupsSelected, values: Values): Promise<readonly SelectedGroup[]> {
  const { limit, measure = 'human', perSubject, ofPeople, noneLast } = selected;
  const order = ofPeople === true ? 'human DESC' : mostFirst(measure, { human: 'human', unique: 'visitors', all: 'clicks' });
  const limited = limit === null ? '' : `LIMIT ${values.add('UInt64', limit)}${perSubject === true ? ' BY subject' : ''}`;
  const rows = await clickHouse.rows<{ subject: string; value: string; clicks: string; human: string; visitors: string }>(
    `${countedSql(selected, values)} ${ofPeople === true ? 'HAVING human > 0' : ''}
     ORDER BY ${order}, ${noneLast === true ? "value = '', " : ''}subject, value ${limited}`,
    values.values,
  );
  return rows.map((row) => ({
    subject: uuidOf(row.subject),
    value: row.value,
    all: Number(row.clicks),
    human: Number(row.human),
    unique: Number(row.visitors),
  }));
}

/** A statement that counts the groups, and ends with its GROUP BY. */
function countedSql({ range, summed = null, subject, value, from = 'clicks', where }: GroupsSelected, values: Values): string {
  const ofClicks = `SELECT ${subject} AS subject, toString(${value}) AS value, count() AS clicks, countIf(NOT bot) AS human,
       uniqExactIf(visitor_hash, NOT bot) AS visitors
     FROM ${from} WHERE ${[rangeSql(range, values, summed?.days), ...where].join(' AND ')}
     GROUP BY subject, value`;
  if (summed === null) return ofClicks;
  return `SELECT subject, value, sum(part.clicks) AS clicks, sum(part.human) AS human, sum(part.visitors) AS visitors
     FROM (${ofClicks} UNION ALL ${sumsSql(range, summed, values)}) AS part
     GROUP BY subject, value`;
}

function sumsSql({ environment_number }: LogRange, { sums, days }: DaysSummed, values: Values): string {
  const where = [
    `environment_number = ${values.add('Int32', environment_number)} AND dimension = ${values.add('String', sums.dimension)}`,
    `campaign = ${values.add('String', sums.campaign)}`,
    `day BETWEEN ${values.add('Date', days[0]?.day ?? '')} AND ${values.add('Date', days.at(-1)?.day ?? '')}`,
    `version IN ${values.add(
      'Array(Int64)',
      days.map(({ version }) => BigInt(version)),
    )}`,
    ...(sums.where === undefined ? [] : [sums.where]),
  ];
  return `SELECT ${sums.subject} AS of_subject, ${sums.value} AS of_value, clicks, human, visitors
     FROM click_sums WHERE ${where.join(' AND ')}`;
}

/** An expression for the last of the instants that is not after the click, in milliseconds. */
export function startSql(starts: readonly { readonly start: Date }[], values: Values): string {
  const startsMs = starts.map(({ start }) => start.getTime());
  return `roundDown(toUnixTimestamp64Milli(occurred_at), ${values.addNumbers(startsMs)})`;
}
