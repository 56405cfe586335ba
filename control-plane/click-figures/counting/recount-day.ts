import { invariant } from '../../../shared/base/invariant.js';
import { sqlIntegers } from '../../db/copied-rows.js';
import type { Database, Queryable } from '../../db/database.js';
import { LocalQuarters } from '../../local-days/quarters.js';
import { readDaySpan } from '../../local-days/span.js';
import { DayCount } from '../day-count/day-count.js';
import { readLoggedClicks } from '../day-count/logged-clicks.js';
import { changeShards } from '../locks/shard-locks.js';
import { forgetColumns } from '../prepared/begun-days.js';
import { forgetLinkSums } from '../prepared/link-clicks.js';
import { forgetPrefixes } from '../prepared/top-prefixes.js';
import { IS_WAITING, shardOf } from '../shards.js';
import { replaceBreakdowns } from './store-breakdowns.js';
import { replaceFigures } from './store-figures.js';
import type { Zone } from './zones.js';

/** A day of environments whose projects have one time zone. */
export interface ZoneDay extends Zone {
  /** `2026-11-20`. */
  readonly day: string;
}

export interface Recount {
  /** Clicks that the figures of the day hold now. */
  readonly clicks: number;
  /** Number of environments whose figures were different before. */
  readonly changed: number;
}

/** What the click log has of a day. */
export interface DayOfLog {
  readonly zoneDay: ZoneDay;
  readonly count: DayCount;
  readonly clicks: number;
}

/** Counts a day again from the click log, in a transaction that has locked the environments' shards. The day's partition must exist. */
export async function recountDay(database: Database, zoneDay: ZoneDay): Promise<Recount> {
  return replaceDay(database, await countDay(database, zoneDay));
}

/**
 * Reads a day of the click log, and changes nothing. Clicks of batches that are not counted yet are left out, because they are counted
 * with their batch. The shards of the environments must stay locked from this call until the day is replaced.
 */
export async function countDay(database: Database, zoneDay: ZoneDay): Promise<DayOfLog> {
  const { environment_numbers, time_zone, day } = zoneDay;
  const span = await readDaySpan(database, day, time_zone);
  const quarters = new LocalQuarters();
  await quarters.fetch(database, new Set([time_zone]), span);
  const local = quarters.of(time_zone);
  const count = new DayCount();
  let clicks = 0;
  const condition = `environment_number = ANY (${sqlIntegers(environment_numbers, 'integer')}) AND NOT ${IS_WAITING}`;
  await readLoggedClicks(database, span, condition, (click) => {
    const quarter = local.get(click.quarter);
    invariant(quarter !== undefined, 'the quarters of the day were fetched');
    if (quarter.day !== day) return;
    clicks++;
    count.add(click, quarter.hour);
  });
  return { zoneDay, count, clicks };
}

/** Replaces the figures of the day with what was counted. Call it in the transaction that has locked the shards. */
export async function replaceDay(transaction: Queryable, { zoneDay, count, clicks }: DayOfLog): Promise<Recount> {
  const { environment_numbers, day } = zoneDay;
  await forgetColumns(transaction, zoneDay);
  const figures = await replaceFigures(transaction, zoneDay, count.takeFigures());
  const changed = new Set(figures.changed);
  const unchanged = new Set(environment_numbers.filter((number) => !changed.has(number)));
  for (const number of await replaceBreakdowns(transaction, zoneDay, count.takeBreakdowns(), unchanged)) changed.add(number);
  await forgetPrefixes(
    transaction,
    figures.grown.map((environment_number) => ({ environment_number, day })),
  );
  await forgetLinkSums(transaction, figures.changed);
  await changeShards(transaction, [...new Set(environment_numbers.map(shardOf))]);
  return { clicks, changed: changed.size };
}
