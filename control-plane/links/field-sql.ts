import { LINK_FIELD_NAMES, LINK_FIELDS, type LinkFieldName } from '../../shared/records/link-fields.js';
import { arrayLiteral } from '../db/array-literal.js';
import type { StoredLinkFields } from './link-row.js';

/** How the fields of a link are read from columns of `links` and written into them. */

/** The column of a field. A link holds the numbers of its tags, so that renaming a tag changes one row. */
export function columnOf(name: LinkFieldName): string {
  return name === 'tags' ? 'tag_numbers' : name;
}

export const FIELD_COLUMNS = LINK_FIELD_NAMES.map(columnOf).join(', ');

/** Part of a select list over `links` under the alias. */
export function readField(name: LinkFieldName, alias: string): string {
  if (name !== 'tags') return `${alias}.${name}`;
  return `CASE WHEN ${alias}.tag_numbers = '{}' THEN '{}' ELSE ARRAY(
      SELECT tags.name FROM unnest(${alias}.tag_numbers) WITH ORDINALITY AS given (number, place) JOIN tags USING (number) ORDER BY place
    ) END AS tags`;
}

/** The SQL type of a field's column. */
const STORED_AS = {
  ...{ text: 'text', password: 'text', boolean: 'boolean', timestamptz: 'timestamptz', integer: 'integer' },
  ...{ json: 'json', destinations: 'json', card: 'json', tags: 'json', aliases: 'json', geo: 'json' },
} as const;

/**
 * The value to which the column of a field is set. `given` is its parameter, or the column of parameters that holds it. Creates tags that
 * are new.
 */
export function storedValue(name: LinkFieldName, given: string, environment: string): string {
  const value = `${given}::${STORED_AS[LINK_FIELDS[name].type]}`;
  return name === 'tags' ? `number_tags(${environment}, ${value})` : value;
}

export type Parameter = string | boolean | number | null;

/** The fields as parameters, in the order of `LINK_FIELD_NAMES`. */
export function fieldParameters(row: StoredLinkFields): readonly Parameter[] {
  return LINK_FIELD_NAMES.map((name) => parameterOf(row[name]));
}

function parameterOf(value: StoredLinkFields[LinkFieldName]): Parameter {
  if (value instanceof Date) return value.toISOString();
  // Objects are sent as text, because what the driver makes of an object or an array depends on its type.
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Parameter);
}

/**
 * The fields of many rows, as one PostgreSQL array per field, in the order of `LINK_FIELD_NAMES`. The tags of a link are an array of their
 * numbers. `unnest` fills up a short column with nulls, so for a column of nulls alone, an empty array is sent.
 */
export function fieldColumns(rows: readonly StoredLinkFields[], tagNumbers: ReadonlyMap<string, number>): readonly string[] {
  const numbersOf = ({ tags }: StoredLinkFields) => `{${tags.flatMap((name) => tagNumbers.get(name) ?? []).join(',')}}`;
  return LINK_FIELD_NAMES.map((name) => {
    if (name === 'tags') return arrayLiteral(rows.map(numbersOf));
    return arrayLiteral(rows.every((row) => row[name] === null) ? [] : rows.map((row) => parameterOf(row[name])));
  });
}
