import type { Clock } from '../../shared/base/clock.js';
import { InvariantError } from '../../shared/base/invariant.js';
import { WEBHOOK_BACKLOG_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import type { CountryDatabase } from '../countries/country-database.js';
import { DatabaseSession } from '../database/database-session.js';
import { PassLoop } from '../database/pass-loop.js';
import { readDroppedClicks } from '../spool/drop-counters.js';
import { listFolder } from '../spool/segment-folder.js';
import type { SpoolKeys } from '../spool/spool-keys.js';
import { ClickHouseShipper } from './clickhouse-shipper.js';
import { FlushRound, type RoundTotals } from './flush-round.js';
import { PostgresShipper } from './postgres-shipper.js';

export interface FlusherSettings {
  readonly databaseUrl: string;
  /** Where clicks are stored; without it they are stored in PostgreSQL too. */
  readonly clickHouse?: ClickHouse | null;
  /** The spool's folder. */
  readonly dir: string;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  readonly log: Logger;
  /** Limit on the deliveries of clicks that may wait for one webhook endpoint; WEBHOOK_BACKLOG_MAX by default. */
  readonly webhookBacklogMax?: number;
  /** Locates addresses; without it, only what a proxy reports is known. */
  readonly countries?: Pick<CountryDatabase, 'placeOf'> | null;
  /** Called after a commit of clicks that queued deliveries. */
  readonly onEvents?: () => void;
  /** Whether to notify the hosts that deliver, for a host that does not deliver itself. */
  readonly tellsDeliverers?: boolean;
  /** How long to keep the files of stored segments; by default the default of SPOOL_KEEP_SECONDS. */
  readonly keepMs?: number;
  readonly random?: () => number;
}

export interface FlusherStats extends RoundTotals {
  /** Over all processes that ever wrote into this folder. */
  readonly clicks_dropped_bound: number;
  readonly clicks_dropped_disk: number;
  /** Files in the spool's folder. */
  readonly files: number;
  readonly failures: number;
}

export interface Flusher {
  start(): void;
  /** Ships what is there and ends, within `STOP_DEADLINE_MS`. The next start ships what is left. */
  stop(): Promise<void>;
  stats(): FlusherStats;
  health(): PartHealth;
}

/** How often growing segments are checked, and so how long a click waits at most before it is shipped. */
const INTERVAL_MS = 100;
/** Every insertion creates a part, which ClickHouse has to merge. It is designed for one insertion per second and host. */
const CLICKHOUSE_INTERVAL_MS = 1_000;
const BACKOFF_MS_MAX = 5_000;
/**
 * No statement of the flusher takes a hundredth of this time. A session that is stuck on the server ends after it, and releases its
 * locks. The second limit is for a flusher that was suspended in the middle of a transaction.
 */
const SESSION_LIMITS = { statementMs: 30_000, idleInTransactionMs: 10_000 };
/** A round that takes longer hangs on a connection that is dead without reporting it. The connection is discarded. */
const ROUND_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 5_000;
const KEEP_MS = 600_000;
/** After this time clicks are late, and `/health/ready` reports it. */
const UNHEALTHY_AFTER_MS = 10_000;

export function createFlusher(settings: FlusherSettings): Flusher {
  return new SegmentFlusher(settings);
}

/**
 * Runs one round after the other: immediately while there is a backlog, every 100 ms while there is none, and with growing
 * waits while PostgreSQL or ClickHouse cannot be reached. A failed round loses nothing: the next one asks the click log where
 * each segment stands.
 */
class SegmentFlusher implements Flusher {
  readonly #settings: FlusherSettings;
  readonly #session: DatabaseSession;
  readonly #round: FlushRound;
  /** Null if clicks are stored in PostgreSQL. */
  readonly #clickHouseShipper: ClickHouseShipper | null;
  readonly #loop: PassLoop;
  readonly #intervalMs: number;
  #started = false;
  #failures = 0;
  #tellsNextAt = 0;
  #lastError = '';
  #lastSuccessMs: number;

  constructor(settings: FlusherSettings) {
    this.#settings = settings;
    const { databaseUrl, log } = settings;
    this.#session = new DatabaseSession({ databaseUrl, name: 'click-flusher', limits: SESSION_LIMITS, log });
    const { clock, clickHouse, countries = null, webhookBacklogMax: backlogMax = WEBHOOK_BACKLOG_MAX } = settings;
    this.#clickHouseShipper = clickHouse ? new ClickHouseShipper({ clickHouse, clock, backlogMax, countries }) : null;
    this.#round = new FlushRound({
      dir: settings.dir,
      keys: settings.keys,
      clock,
      log: settings.log,
      session: this.#session,
      keepMs: settings.keepMs ?? KEEP_MS,
      shipper: this.#clickHouseShipper ?? new PostgresShipper(clock, backlogMax, countries),
    });
    this.#intervalMs = this.#clickHouseShipper === null ? INTERVAL_MS : CLICKHOUSE_INTERVAL_MS;
    this.#loop = new PassLoop({
      pass: async () => ((await this.#ship()) === 'more' ? 0 : this.#intervalMs),
      onFailure: (error, failuresInARow) => this.#noteFailure(error, failuresInARow),
      gapMs: 0,
      backoffMsMax: BACKOFF_MS_MAX,
      ...(settings.random === undefined ? {} : { random: settings.random }),
    });
    this.#lastSuccessMs = settings.clock();
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  async stop(): Promise<void> {
    const stopAtMs = performance.now() + STOP_DEADLINE_MS;
    const deadline = setTimeout(() => this.#giveUp(), STOP_DEADLINE_MS);
    await this.#loop.stop();
    if (this.#started && performance.now() < stopAtMs) await this.#shipTheRest(stopAtMs);
    clearTimeout(deadline);
    await this.#round.stop();
    this.#session.discard();
  }

  stats(): FlusherStats {
    const { dir } = this.#settings;
    const dropped = readDroppedClicks(dir);
    return {
      ...this.#round.totals,
      clicks_dropped_bound: dropped.bound,
      clicks_dropped_disk: dropped.disk,
      files: listFolder(dir).length,
      failures: this.#failures,
    };
  }

  health(): PartHealth {
    const lateMs = this.#settings.clock() - this.#lastSuccessMs;
    if (lateMs <= UNHEALTHY_AFTER_MS) return { part: 'clicks', ok: this.#round.trouble === '', reason: this.#round.trouble };
    return { part: 'clicks', ok: false, reason: `no click has been stored for ${Math.floor(lateMs / 1000)} s: ${this.#lastError}` };
  }

  async #shipTheRest(stopAtMs: number): Promise<void> {
    try {
      while ((await this.#ship()) === 'more' && performance.now() < stopAtMs);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#noteFailure(error, this.#loop.failures + 1);
    }
  }

  async #ship(): Promise<'more' | 'idle'> {
    const watchdog = setTimeout(() => this.#giveUp(), ROUND_DEADLINE_MS);
    try {
      const outcome = await this.#round.run();
      if (outcome.deliveries > 0) await this.#tellOfDeliveries();
      this.#lastSuccessMs = this.#settings.clock();
      return outcome.more ? 'more' : 'idle';
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** Aborts whatever the round is waiting for. */
  #giveUp(): void {
    this.#session.discard();
    this.#clickHouseShipper?.abort();
  }

  /**
   * Only a hint: they also look every second. Sent outside the transaction that queues, because PostgreSQL has one lock for all
   * notifications.
   */
  async #tellOfDeliveries(): Promise<void> {
    this.#settings.onEvents?.();
    if (this.#settings.tellsDeliverers !== true || performance.now() < this.#tellsNextAt) return;
    this.#tellsNextAt = performance.now() + INTERVAL_MS;
    const client = await this.#session.client();
    await client.query('SELECT pg_notify($1, $2)', [WEBHOOK_CHANNEL, '{}']);
  }

  /** Logs and counts any failure of the outside world, and reports it by `health`. The next round starts from what the click log says. */
  #noteFailure(error: unknown, failuresInARow: number): void {
    this.#failures++;
    this.#lastError = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    this.#round.recover(error);
    this.#session.discard();
    const level = failuresInARow === 1 || failuresInARow % 20 === 0 ? 'warn' : 'debug';
    this.#settings.log[level](
      { code: 'clicks_unstored', err: error, in_a_row: failuresInARow },
      'clicks could not be stored; they wait in the spool',
    );
  }
}
