import { dayBefore } from '../../../shared/base/day-ranges.js';
import { randomInt64 } from '../../../shared/base/random-text.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import type { Database } from '../../db/database.js';
import { readPeriods } from '../../local-days/periods.js';
import { readDaySpan, type Span } from '../../local-days/span.js';
import type { StatsWindow } from '../../local-days/window.js';
import { SUMMED_BY, type SummedBy } from './click-sums.js';
import { rangeSql, startSql, Values } from './sql.js';
import { beginDay, endDay, findDueDay, noteFewClicks } from './summed-days.js';

/** Fewer clicks of an environment on one day are read within milliseconds; a month of such days is a third of a million clicks. */
const SUMMED_CLICKS_MIN = 10_000;

/** A day that is being added up, by one kind of sums after the other. */
interface BegunDay {
  readonly window: StatsWindow;
  readonly span: Span;
  readonly version: string;
  readonly left: SummedBy[];
}

/** Adds up the clicks of past days, so that statistics only have to read today's. */
export class DaySums {
  readonly #clickHouse: ClickHouse;
  readonly #clicksMin: number;
  #begun: BegunDay | null = null;

  /** A day on which an environment has fewer than `clicksMin` clicks gets no sums. */
  constructor(clickHouse: ClickHouse, clicksMin = SUMMED_CLICKS_MIN) {
    this.#clickHouse = clickHouse;
    this.#clicksMin = clicksMin;
  }

  /** Begins a day, the latest first, or adds up its clicks for one kind of sums. Returns false if there is nothing to add up. */
  async step(database: Database, nowMs: number): Promise<boolean> {
    const begun = this.#begun;
    // If anything fails, the day is begun again later.
    this.#begun = null;
    if (begun === null) return this.#begin(database, nowMs);
    const next = begun.left.shift();
    if (next === undefined) await endDay(database, begun.window.environment_number, begun.version);
    else {
      await this.#addUp(database, begun, next);
      this.#begun = begun;
    }
    return true;
  }

  async #begin(database: Database, nowMs: number): Promise<boolean> {
    const oldest = await this.#oldestDay();
    // A project's day may begin before the first one of the log.
    const due = oldest === null ? undefined : await findDueDay(database, dayBefore(Date.parse(oldest), -1), nowMs);
    if (due === undefined) return false;
    const { day, time_zone, environments } = due;
    const span = await readDaySpan(database, day, time_zone);
    const noted = { day, time_zone, ...span };
    const withMany = await this.#environmentsWithMany(span);
    const [first] = environments.filter((environment) => withMany.has(environment));
    await noteFewClicks(database, { ...noted, environments: environments.filter((environment) => !withMany.has(environment)) });
    if (first === undefined) return true;
    const version = randomInt64();
    if (!(await beginDay(database, { ...noted, environments: [first] }, version))) return true;
    await this.#deleteBefore(first, day);
    const window = { environment_number: first, time_zone, from: day, to: day, from_at: span.from, to_at: span.to };
    this.#begun = { window, span, version, left: [...SUMMED_BY] };
    return true;
  }

  /** Returns the first day (UTC) with clicks, `2026-11-20`; null if there are no clicks. */
  async #oldestDay(): Promise<string | null> {
    const [oldest] = await this.#clickHouse.rows<{ day: string }>(
      `SELECT toString(toDate(min(partition))) AS day FROM system.parts
       WHERE active AND database = currentDatabase() AND table = 'clicks' HAVING count() > 0`,
    );
    return oldest?.day ?? null;
  }

  async #environmentsWithMany({ from, to }: Span): Promise<ReadonlySet<number>> {
    const values = new Values();
    const rows = await this.#clickHouse.rows<{ environment_number: number }>(
      `SELECT environment_number FROM clicks WHERE occurred_at >= ${values.addTime(from)} AND occurred_at < ${values.addTime(to)}
       GROUP BY environment_number HAVING count() >= ${values.add('UInt64', this.#clicksMin)}`,
      values.values,
    );
    return new Set(rows.map(({ environment_number }) => environment_number));
  }

  /** Deletes what an earlier count of the day has left. Nobody reads it: the day has not been recorded as counted for some minutes. */
  async #deleteBefore(environment: number, day: string): Promise<void> {
    const values = { environment, day, month: day.slice(0, 7).replace('-', '') };
    const where = 'environment_number = {environment:Int32} AND day = {day:Date}';
    const { left } = await this.#clickHouse.row<{ left: boolean }>(`SELECT count() > 0 AS left FROM click_sums WHERE ${where}`, values);
    if (left) await this.#clickHouse.run(`ALTER TABLE click_sums DELETE IN PARTITION {month:String} WHERE ${where}`, values);
  }

  async #addUp(database: Database, { window, span, version }: BegunDay, by: SummedBy): Promise<void> {
    const { dimension, groups, ofCampaigns } = by;
    const starts = groups === null ? await readPeriods(database, window, dimension === 'hour' ? 'hour' : 'day') : [];
    const values = new Values();
    const fixed = [
      values.add('Int32', window.environment_number),
      values.add('String', dimension),
      values.add('Date', window.from),
      values.add('Int64', version),
    ];
    const where = [
      rangeSql({ environment_number: window.environment_number, ...span }, values),
      ...(ofCampaigns ? [`campaign <> ''`] : []),
    ];
    await this.#clickHouse.run(
      `INSERT INTO click_sums (environment_number, dimension, day, version, campaign, subject, value, clicks, human, visitors)
       SELECT ${fixed.join(', ')}, ${ofCampaigns ? 'campaign' : `''`} AS of_campaign, ${groups?.subject ?? `''`} AS of_subject,
         toString(${groups?.value ?? startSql(starts, values)}) AS of_value, count(), countIf(NOT bot), uniqExactIf(visitor_hash, NOT bot)
       FROM clicks WHERE ${where.join(' AND ')}
       GROUP BY of_campaign, of_subject, of_value`,
      values.values,
    );
  }
}
