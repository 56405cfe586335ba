import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Clock, systemClock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { BOOTSTRAPS_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { FEED_CHANNEL } from '../../shared/feed/channel.js';
import { DatabaseSession } from '../database/database-session.js';
import { NotificationListener } from '../database/notification-listener.js';
import { PassLoop } from '../database/pass-loop.js';
import type { LinkIndexStats } from '../link-index/keeper.js';
import type { ConfigWriter } from '../store/config-writer.js';
import { applyRows, type RememberedItems } from './apply.js';
import { bootstrap } from './bootstrap.js';
import { continuation, whyNotFollowed } from './feed-reader.js';
import { HostCopy } from './host-copy.js';
import { readFeed, readFeedState } from './sql.js';
import { SubscriptionWatch } from './subscription-watch.js';

/**
 * Keeps this host's copy of the configuration equal to PostgreSQL's. There is one per host, which is the store's only writer.
 *
 * `stopped`        Until `start`, and after `stop`.
 * `connecting`     No connection yet. Exits: `following` after connecting; `waiting` if connecting fails.
 * `following`      The store has a cursor that the feed continues. Each round reads from the cursor until nothing is
 *                  left and applies it. A round runs at every hint of the listener, and also every second (the poll).
 *                  Correctness depends only on the poll: hints may be lost, duplicated or late. A poll also checks that
 *                  the cursor still belongs to the feed and that the store's folder is unchanged.
 *                  Exits: `bootstrapping` if either check fails; `waiting` on any error; `connecting` if the connection
 *                  broke between two rounds.
 * `bootstrapping`  A new generation is built when it is this host's turn. Readers keep what they have until it is whole.
 *                  Exits: `following`; `waiting` on any error; `connecting` as before. The next attempt continues what was copied.
 * `waiting`        Something failed: PostgreSQL away, disk full, store broken. After a growing time, the connection is
 *                  opened again and the cursor checked again. Exit: `connecting`.
 *
 * The listener runs beside the rounds and reconnects by itself. Each time it begins to listen, it gives a hint. So the order is
 * always the same: LISTEN, then read from the cursor, then trust notifications.
 */
type SyncState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'following' }
  | { readonly kind: 'bootstrapping'; readonly reason: string; readonly waits: boolean }
  | { readonly kind: 'waiting'; readonly reason: string };

export interface SyncStats {
  readonly state: SyncState['kind'];
  /** The store's position, and the feed's last one at the latest poll; null before they are known. */
  readonly position: number | null;
  readonly head_position: number | null;
  /** When the store was last known to equal PostgreSQL, in milliseconds since the epoch; 0 if never in this process. */
  readonly current_at_ms: number;
  readonly rows_applied: number;
  readonly bootstraps: number;
  readonly failures: number;
  readonly notifications: number;
  readonly listener_connections: number;
  /** Null before there is a store. */
  readonly link_index: LinkIndexStats | null;
}

export interface Sync {
  start(): void;
  stop(): Promise<void>;
  stats(): SyncStats;
  health(): PartHealth;
}

export interface SyncOptions {
  readonly databaseUrl: string;
  /** For connections that need no session of their own; `databaseUrl` by default. */
  readonly pooledUrl?: string;
  readonly dataDir: string;
  /** Remembered answers about items, which follow the feed too. */
  readonly remembered: RememberedItems;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly pollMs?: number;
}

const POLL_MS = 1000;
const LIMITS = { queryMs: 10_000 };
/** A page of a bootstrap may have to be read from a disk that is busy with other work. */
const BOOTSTRAP_LIMITS = { queryMs: 60_000 };
const ROWS_PER_READ = 1000;
const BACKOFF_MS_MAX = 5000;
/** How long work in progress at a stop may take to end by itself. */
const STOP_GRACE_MS = 1000;

export function createSync(options: SyncOptions): Sync {
  return new FeedSync(options);
}

const PREDECESSORS: Predecessors<SyncState['kind']> = {
  stopped: ['stopped', 'connecting', 'following', 'bootstrapping', 'waiting'],
  // From itself in the first round, because `start` has already set this state. From the next two if the connection broke between rounds.
  connecting: ['stopped', 'connecting', 'following', 'bootstrapping', 'waiting'],
  following: ['connecting', 'following', 'bootstrapping'],
  bootstrapping: ['connecting', 'following', 'bootstrapping'],
  // From itself if the store cannot be opened, which happens before connecting.
  waiting: ['connecting', 'following', 'bootstrapping', 'waiting'],
};

class FeedSync implements Sync {
  readonly #options: SyncOptions;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #loop: PassLoop;
  readonly #listener: NotificationListener;
  readonly #subscription: SubscriptionWatch;
  /** Reads the feed. */
  readonly #session: DatabaseSession;
  /** Holds the lock that is the host's turn to copy, so it must not come from a pool, which would share the session. */
  readonly #bootstrapSession: DatabaseSession;
  readonly #copy: HostCopy;
  #state: SyncState = { kind: 'stopped' };
  #stopping = false;
  // Times of `performance.now()`: a clock that is set back must not delay a poll.
  #nextPollAt = 0;
  #headPosition: number | null = null;
  #currentAtMs = 0;
  readonly #counts = { rows: 0, bootstraps: 0, failures: 0 };

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#pollMs = options.pollMs ?? POLL_MS;
    const { databaseUrl, pooledUrl = databaseUrl, log, random = Math.random } = options;
    this.#loop = new PassLoop({
      pass: () => this.#pass(),
      onFailure: (error, failuresInARow) => this.#failed(error, failuresInARow),
      gapMs: 0,
      backoffMsMax: BACKOFF_MS_MAX,
      random,
    });
    this.#listener = new NotificationListener({
      databaseUrl,
      channels: [FEED_CHANNEL],
      log,
      random,
      onHint: () => this.#loop.poke(),
    });
    this.#subscription = new SubscriptionWatch(this.#listener, options.log);
    this.#session = new DatabaseSession({ databaseUrl: pooledUrl, name: 'link-service sync', limits: LIMITS, log });
    this.#bootstrapSession = new DatabaseSession({ databaseUrl, name: 'link-service bootstrap', limits: BOOTSTRAP_LIMITS, log });
    this.#copy = new HostCopy({ dataDir: options.dataDir, log: options.log, clock: this.#clock, onDamage: () => this.#loop.poke() });
  }

  start(): void {
    invariant(this.#state.kind === 'stopped', 'the synchronisation is started once');
    this.#stopping = false;
    this.#become({ kind: 'connecting' });
    this.#listener.start();
    this.#copy.openFirst();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const timer = setTimeout(() => this.#disconnect(), STOP_GRACE_MS);
    await Promise.all([this.#loop.stop(), this.#listener.stop()]);
    clearTimeout(timer);
    this.#disconnect();
    await this.#copy.close();
    this.#become({ kind: 'stopped' });
  }

  stats(): SyncStats {
    const listener = this.#listener.stats();
    return {
      state: this.#state.kind,
      position: this.#copy.writer?.cursor()?.position ?? null,
      head_position: this.#headPosition,
      current_at_ms: this.#currentAtMs,
      rows_applied: this.#counts.rows,
      bootstraps: this.#counts.bootstraps,
      failures: this.#counts.failures,
      notifications: listener.notifications,
      listener_connections: listener.connections,
      link_index: this.#copy.linkIndexStats(),
    };
  }

  /** Ready means that there is a copy to answer from. A host stays in service while PostgreSQL is away. */
  health(): PartHealth {
    const ok = this.#copy.writer?.serves() ?? false;
    return { part: 'config-sync', ok, reason: ok ? '' : `no copy of the configuration yet: ${this.#whyNoCopy()}` };
  }

  #whyNoCopy(): string {
    const state = this.#state;
    if (state.kind === 'waiting') return state.reason;
    const waits = state.kind === 'bootstrapping' && state.waits;
    return waits ? `waiting while ${BOOTSTRAPS_MAX} other hosts copy it` : state.kind;
  }

  #become(state: SyncState): void {
    assertTransition('the configuration synchronisation', PREDECESSORS, this.#state.kind, state.kind);
    if (state.kind !== this.#state.kind)
      this.#log.info({ code: 'sync_state_changed', from: this.#state.kind, to: state.kind }, 'configuration synchronisation');
    this.#state = state;
  }

  /** Returns how many milliseconds to wait for the next one. */
  async #pass(): Promise<number> {
    await this.#round();
    return Math.max(0, Math.ceil(this.#nextPollAt - performance.now()));
  }

  async #round(): Promise<void> {
    const writer = this.#copy.open();
    const client = await this.#connection();
    const polls = performance.now() >= this.#nextPollAt || this.#state.kind !== 'following';
    const wrong = polls ? await this.#whyNotFollowed(client, writer) : null;
    const reason = wrong ?? (await this.#follow(client, writer));
    if (reason !== null) {
      await this.#bootstrap(writer, reason);
      this.#nextPollAt = 0; // the next round polls immediately
      return;
    }
    this.#currentAtMs = this.#clock();
    const cursor = writer.cursor();
    if (cursor !== null) this.#options.remembered.applied(cursor);
    if (!polls) return;
    this.#nextPollAt = performance.now() + this.#pollMs;
    this.#copy.removeOld();
    this.#subscription.polled(this.#counts.rows);
  }

  async #connection(): Promise<pg.Client> {
    if (!this.#session.isOpen) this.#become({ kind: 'connecting' });
    return this.#session.client();
  }

  /** Returns why the store cannot continue from its cursor, or null. */
  async #whyNotFollowed(client: pg.Client, writer: ConfigWriter): Promise<string | null> {
    const feed = await readFeedState(client);
    this.#headPosition = feed.head.position;
    const wrong = writer.inspect();
    const cursor = writer.cursor();
    return cursor === null ? (wrong ?? 'there is no copy yet') : whyNotFollowed(cursor, feed);
  }

  /** Applies everything after the cursor. Returns why that is impossible, or null. */
  async #follow(client: pg.Client, writer: ConfigWriter): Promise<string | null> {
    while (!this.#stopping) {
      const cursor = writer.cursor();
      if (cursor === null) return 'the store was found damaged';
      const read = await readFeed(client, cursor.position, ROWS_PER_READ);
      const reading = continuation(cursor, read);
      if (reading.kind === 'broken') return reading.reason;
      this.#become({ kind: 'following' });
      await applyRows({ client, writer, remembered: this.#options.remembered }, cursor.epoch, reading.rows);
      this.#counts.rows += reading.rows.length;
      if (read.length < ROWS_PER_READ) return null;
    }
    return null;
  }

  async #bootstrap(writer: ConfigWriter, reason: string): Promise<void> {
    this.#become({ kind: 'bootstrapping', reason, waits: false });
    const whole = await bootstrap(await this.#bootstrapSession.client(), writer, {
      reason,
      cancelled: () => this.#stopping,
      onWaiting: (waits) => this.#become({ kind: 'bootstrapping', reason, waits }),
      // Does not wait for the signal: a hint that arrives meanwhile is for the following round.
      rest: (milliseconds) => delay(milliseconds),
      remembered: this.#options.remembered,
      log: this.#log,
    });
    this.#bootstrapSession.discard();
    if (!whole) return;
    // Feed rows that named answers to forget may be among those that were skipped.
    this.#options.remembered.invalidateAll();
    this.#counts.bootstraps += 1;
    this.#copy.swapped();
  }

  #disconnect(): void {
    this.#session.discard();
    this.#bootstrapSession.discard();
  }

  /** The next round connects again. A hint does not bring it forward, because the listener may connect when this connection cannot. */
  #failed(error: unknown, attempts: number): void {
    if (this.#stopping) return;
    this.#counts.failures += 1;
    this.#disconnect();
    this.#become({ kind: 'waiting', reason: String(error) });
    const facts = { err: error, attempts };
    this.#log.warn({ code: 'sync_failed', ...facts }, 'synchronisation of the configuration failed; the existing copy stays in use');
  }
}
