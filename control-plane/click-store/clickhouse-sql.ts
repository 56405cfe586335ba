import type { ClickHouse, QueryValues } from '../../shared/clickhouse/connection.js';
import type { ClickFilter, ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { ClickCondition, LogRange, Tagging } from '../click-figures/log-query.js';
import { type ClickCounts, mostFirst } from '../click-figures/sums.js';

/** Statements on the clicks of ClickHouse. Values are parameters of the statement, and never in its text. */

/** What a field is in the table; '' is none. Links and types are told as 32 hexadecimal digits. */
export const FIELDS: Readonly<Record<ClickFilter, string>> = {
  link: `if(kind = 'link', lower(hex(subject_id)), '')`,
  campaign: 'campaign',
  resource_type: `if(resource_type_id = unhex('00000000000000000000000000000000'), '', lower(hex(resource_type_id)))`,
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
  source: `if(source = '', 'link', source)`,
  referrer_host: 'referrer_host',
  in_app_browser: 'in_app_browser',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  bot_reason: 'bot_reason',
};

/** Values of a statement under construction. */
export class Values {
  readonly values: Record<string, QueryValues[string]> = {};
  #count = 0;

  /** Returns how the statement names the value. */
  add(type: string, value: QueryValues[string]): string {
    const name = `v${this.#count++}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }

  addUuids(uuids: readonly string[]): string {
    return `arrayMap(digits -> toFixedString(unhex(digits), 16), ${this.add('Array(String)', uuids.map(digitsOf))})`;
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

/** Of 32 hexadecimal digits; '' stays as it is. */
export function uuidOf(digits: string): string {
  return digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function rangeSql({ environment_number, start, end }: LogRange, values: Values): string {
  return `environment_number = ${values.add('Int32', environment_number)} AND occurred_at >= ${values.addTime(start)} AND occurred_at < ${values.addTime(end)}`;
}

export function conditionSql(condition: ClickCondition, values: Values): string {
  if (condition === 'never') return 'false';
  if ('links' in condition) return `kind = 'link' AND has(${values.addUuids(condition.links)}, subject_id)`;
  if ('otherThan' in condition) return `NOT (kind = 'link' AND has(${values.addUuids(condition.otherThan)}, subject_id))`;
  if ('campaigns' in condition) return `campaign IN ${values.add('Array(String)', condition.campaigns)}`;
  const { field, value } = condition;
  // No click is without a source.
  if (value === null) return `${FIELDS[field]} = ''`;
  if (field === 'link') return `kind = 'link' AND subject_id = ${values.addUuid(value)}`;
  if (field === 'resource_type') return `resource_type_id = ${values.addUuid(value)}`;
  return `${FIELDS[field]} = ${values.add('String', value)}`;
}

/** The clicks, each as often as its link has tags: as `tag`, which is '' for one without. */
export function taggedClicksSql(taggings: readonly Tagging[], values: Values): string {
  const links = values.addUuids(taggings.map(({ link }) => link));
  const tags = values.add(
    'Array(String)',
    taggings.map(({ tag }) => tag),
  );
  return `clicks LEFT JOIN (SELECT arrayJoin(arrayZip(${links}, ${tags})) AS tagging, tagging.1 AS tagged_link, tagging.2 AS tag) AS taggings
     ON clicks.subject_id = taggings.tagged_link`;
}

/** Groups of clicks, told apart by two expressions. */
export interface GroupsSelected {
  /** Of 32 hexadecimal digits, or ''. */
  readonly subject: string;
  readonly value: string;
  /** The table, with what is joined to it; that of all clicks if it is absent. */
  readonly from?: string;
  readonly where: readonly string[];
  /** The groups with most clicks of people, or most by the measure; null for all. */
  readonly limit: number | null;
  readonly measure?: ClickMeasure | undefined;
  /** Whether the limit is that of each subject. */
  readonly perSubject?: boolean;
  /** Whether only groups that people have clicked on are meant, those of as many clicks of people in the order of their names. */
  readonly ofPeople?: boolean;
  /** Whether the group without a value comes after those that have as many clicks, as null does in PostgreSQL. */
  readonly noneLast?: boolean;
}

export interface SelectedGroup extends ClickCounts {
  /** As `uuid`, or ''. */
  readonly subject: string;
  readonly value: string;
}

/** Counts clicks. A visitor counts once in each group: the hash of one is another one on every day. */
export async function selectGroups(clickHouse: ClickHouse, selected: GroupsSelected, values: Values): Promise<readonly SelectedGroup[]> {
  const { subject, value, from = 'clicks', where, limit, measure = 'human', perSubject, ofPeople, noneLast } = selected;
  const order = ofPeople === true ? 'human DESC' : mostFirst(measure, { human: 'human', unique: 'visitors', all: 'clicks' });
  const limited = limit === null ? '' : `LIMIT ${values.add('UInt64', limit)}${perSubject === true ? ' BY subject' : ''}`;
  const rows = await clickHouse.rows<{ subject: string; value: string; clicks: string; human: string; visitors: string }>(
    `SELECT ${subject} AS subject, toString(${value}) AS value, count() AS clicks, countIf(NOT bot) AS human,
       uniqExactIf(visitor_hash, NOT bot) AS visitors
     FROM ${from} WHERE ${where.join(' AND ')}
     GROUP BY subject, value ${ofPeople === true ? 'HAVING human > 0' : ''}
     ORDER BY ${order}, subject, ${noneLast === true ? "value = '', " : ''}value ${limited}`,
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
