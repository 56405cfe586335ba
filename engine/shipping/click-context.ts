import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { clickTime, ENVIRONMENT_WORD } from '../spool/record-layout.js';
import { dayText, LocalDays, utcDay } from './rows/local-days.js';
import type { RecordMemory } from './rows/segment-scan.js';
import { DAY_KEY_BYTES, type DayKeys } from './rows/visitor-hashes.js';
import { addHashKeys, ensureDayPartitions, readClickEnvironments, readErasedEnvironments, readHashKeys } from './sql.js';

/** An environment as the shipper needs it. */
export interface ClickEnvironment {
  /** Null for a number that no environment has. Its clicks are stored nevertheless, unless it was erased. */
  readonly id: string | null;
  /** Whether it was deleted with its project. Then nothing of its visitors is stored. */
  readonly erased: boolean;
  readonly name: EnvironmentName;
  /** The project's calendar: a visitor is counted once per day in the project's time zone. */
  readonly days: LocalDays;
}

/** Days are numbers of days since the epoch; their text form is `2026-11-20`. */
interface Needs {
  readonly environments: ReadonlySet<number>;
  readonly partition_days: ReadonlySet<number>;
  readonly key_days: ReadonlySet<number>;
}

/** A changed time zone or a new environment is noticed after this time at the latest. */
const ENVIRONMENTS_KEPT_MS = 60_000;
/** Keys are read again after this time, so that keys destroyed in the database do not survive here. */
const KEYS_KEPT_MS = 3_600_000;
/** How many days to remember whose partitions are known to exist. A backlog may be older than any of them. */
const DAYS_KEPT_MAX = 16;

/**
 * What must be known and must exist before clicks can become rows: their environments, the keys of their days, and the
 * partitions of their days. All of it is remembered, so that a batch does not query the database for what an earlier batch had.
 */
export class ClickContext {
  readonly #clock: Clock;
  readonly #environments = new Map<number, ClickEnvironment>();
  #environmentsReadMs = 0;
  readonly #partitionDays = new Set<number>();
  #eventDay = -1;
  readonly #keys = new Map<number, DayKeys>();
  #keysForgottenMs = 0;
  /** The environment that was last asked for, because clicks of one environment come in runs. */
  #newest = -1;
  #newestEnvironment: ClickEnvironment | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get keys(): ReadonlyMap<number, DayKeys> {
    return this.#keys;
  }

  /** The numbers of the environments that are remembered. */
  get environmentNumbers(): readonly number[] {
    return [...this.#environments.keys()];
  }

  environment(number: number): ClickEnvironment | undefined {
    if (number !== this.#newest) {
      this.#newest = number;
      this.#newestEnvironment = this.#environments.get(number);
    }
    return this.#newestEnvironment;
  }

  /** Whether clicks can become rows without a query to the database. */
  isReadyFor(memory: RecordMemory, offsets: Int32Array, clicks: number): boolean {
    const needs = this.#survey(memory, offsets, clicks);
    return needs.environments.size === 0 && needs.partition_days.size === 0 && needs.key_days.size === 0;
  }

  /** Fetches and creates what the clicks lack. Must run outside any transaction. */
  async makeReadyFor(client: ClientBase, memory: RecordMemory, offsets: Int32Array, clicks: number): Promise<void> {
    const { environments } = this.#survey(memory, offsets, clicks);
    if (environments.size > 0) await this.#readEnvironments(client, [...environments]);
    // The days of the visitors depend on the environments' time zones.
    const { partition_days, key_days } = this.#survey(memory, offsets, clicks);
    if (key_days.size > 0) await this.#makeKeys(client, [...key_days]);
    if (partition_days.size > 0) await this.#makePartitions(client, [...partition_days]);
  }

  /** Creates the partitions for today and tomorrow of the tables that store events, because a batch may be under way at midnight. */
  async makeEventPartitions(client: ClientBase): Promise<void> {
    const today = utcDay(this.#clock());
    if (this.#eventDay === today) return;
    const days = [dayText(today), dayText(today + 1)];
    await ensureDayPartitions(client, 'events', days);
    await ensureDayPartitions(client, 'webhook_deliveries', days);
    this.#eventDay = today;
  }

  /** Discards environments and keys after a while, so that they are read again. Called between batches. */
  refresh(): void {
    const now = this.#clock();
    if (isOver(this.#environmentsReadMs, ENVIRONMENTS_KEPT_MS, now)) this.#forgetEnvironments();
    if (isOver(this.#keysForgottenMs, KEYS_KEPT_MS, now)) this.#forgetKeys();
    if (this.#partitionDays.size > DAYS_KEPT_MAX) this.#partitionDays.clear();
  }

  /** Discards everything: after an error or on a new connection, what was there may be missing. */
  forget(): void {
    this.#forgetEnvironments();
    this.#forgetKeys();
    this.#partitionDays.clear();
    this.#eventDay = -1;
  }

  #forgetEnvironments(): void {
    this.#environments.clear();
    this.#newest = -1;
    this.#environmentsReadMs = this.#clock();
  }

  #forgetKeys(): void {
    this.#keys.clear();
    this.#keysForgottenMs = this.#clock();
  }

  #survey(memory: RecordMemory, offsets: Int32Array, clicks: number): Needs {
    const environments = new Set<number>();
    const partition_days = new Set<number>();
    const key_days = new Set<number>();
    let lastDay = -1;
    let lastVisitorDay = -1;
    for (let index = 0; index < clicks; index++) {
      const at = offsets[index] as number;
      const number = memory.words[(at >> 2) + ENVIRONMENT_WORD] as number;
      const time = clickTime(memory.shorts, memory.words, at);
      const environment = this.environment(number);
      if (environment === undefined) environments.add(number);
      const day = utcDay(time);
      const visitorDay = environment === undefined ? day : environment.days.day(time);
      if (day === lastDay && visitorDay === lastVisitorDay) continue;
      lastDay = day;
      lastVisitorDay = visitorDay;
      if (!this.#partitionDays.has(day)) partition_days.add(day);
      if (!this.#keys.has(day)) key_days.add(day);
      if (!this.#keys.has(visitorDay)) key_days.add(visitorDay);
    }
    return { environments, partition_days, key_days };
  }

  async #readEnvironments(client: ClientBase, numbers: readonly number[]): Promise<void> {
    const nameless = { id: null, name: 'test', days: new LocalDays('UTC') } as const;
    for (const number of numbers) this.#environments.set(number, { ...nameless, erased: false });
    for (const row of await readClickEnvironments(client, numbers))
      this.#environments.set(row.number, { id: row.id, name: row.name, days: new LocalDays(row.time_zone), erased: false });
    // An environment that is being erased still exists.
    for (const number of await readErasedEnvironments(client, numbers)) this.#environments.set(number, { ...nameless, erased: true });
    this.#newest = -1;
  }

  async #makeKeys(client: ClientBase, days: readonly number[]): Promise<void> {
    const texts = days.map(dayText);
    await addHashKeys(
      client,
      texts.map((day) => ({ day, visitor_key: randomBytes(DAY_KEY_BYTES), address_key: randomBytes(DAY_KEY_BYTES) })),
    );
    const rows = new Map((await readHashKeys(client, texts)).map((row) => [row.day, row]));
    for (const day of days) {
      const row = rows.get(dayText(day));
      // The keys were destroyed between the two statements. The next attempt creates new ones.
      if (row !== undefined) this.#keys.set(day, { visitor_key: row.visitor_key, address_key: row.address_key });
    }
  }

  async #makePartitions(client: ClientBase, days: readonly number[]): Promise<void> {
    const texts = days.map(dayText);
    await ensureDayPartitions(client, 'clicks', texts);
    await ensureDayPartitions(client, 'open_clicks', texts);
    await ensureDayPartitions(client, 'click_devices', texts);
    for (const day of days) this.#partitionDays.add(day);
  }
}

/** Whether this much time has passed. Returns true for a clock that was set back, because it is unknown how long it takes to catch up. */
function isOver(sinceMs: number, milliseconds: number, nowMs: number): boolean {
  return nowMs < sinceMs || nowMs - sinceMs >= milliseconds;
}
