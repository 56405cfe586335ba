import type { Period } from '../local-days/periods.js';
import type { Values } from './clickhouse-sql.js';

/** Days and hours as PostgreSQL computes them, by which clicks in ClickHouse are grouped. */

/** An expression for the last of the instants that is not after the click, in milliseconds. */
export function startSql(starts: readonly Pick<Period, 'start'>[], values: Values): string {
  const startsMs = starts.map(({ start }) => start.getTime());
  return `roundDown(toUnixTimestamp64Milli(occurred_at), ${values.add('Array(Int64)', startsMs)})`;
}

/** Days by the instants that `startSql` returns. */
export function datesOf(starts: readonly Period[]): ReadonlyMap<string, string> {
  return new Map(starts.map(({ start, date }) => [String(start.getTime()), date]));
}
