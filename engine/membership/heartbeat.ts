import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connectionShortage } from '../../shared/base/database-connections.js';
import type { EngineReport } from '../../shared/base/engine-report.js';
import type { Logger } from '../../shared/base/log.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { RoundLoop, type RoundLoopStats } from '../database/round-loop.js';
import {
  acknowledgeFeed,
  beatEngine,
  type EngineOwner,
  type EngineProfile,
  type EngineRow,
  forgetLeftEngines,
  forgetSilentEngine,
  insertEngine,
  leaveEngines,
  lockEngines,
  readConnectionDemand,
  readEngines,
  removeOwnEngine,
  takeOverEngine,
} from './engine-rows.js';
import { type Membership, SETTLING_MS } from './membership.js';

/** Figures that are written over the connection of the row. The row has the number of the last batch, so that none is added twice. */
export interface EngineFigures {
  /** Sets the newest number that the row has. Before that, `write` writes nothing. */
  numberFrom(number: number): void;
  write(client: pg.ClientBase, engineId: string): Promise<void>;
}

export interface HeartbeatOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly membership: Membership;
  readonly profile: EngineProfile;
  readonly figures: EngineFigures;
  readonly random: () => number;
  /** How far the feed has been followed, with everything that it invalidated forgotten; null until that is known. */
  readonly applied: () => FeedCursor | null;
  /** Called after the set of engines was checked by which this one acts: shares may have changed. */
  readonly onMembership: () => void;
  /** Called with all current rows. */
  readonly onEngines?: ((self: string, rows: readonly EngineRow[]) => void) | undefined;
  /** Milliseconds since the last call to any API. */
  readonly quietMs: () => number;
  /** What the engine reports about itself; null until that is known. */
  readonly report: () => EngineReport | null;
  readonly beatMs?: number;
}

const BEAT_MS = 2000;
/** Figures are written this often. */
const ROUND_MS = 1000;
/** Least time between two statements that say how far the feed has been followed. A single change is acknowledged immediately. */
const ACKNOWLEDGE_GAP_MS = 10;

/** Keeps the engine's row up to date, from which engines learn of each other and of what each has forgotten, and writes figures. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #session = randomUUID();
  readonly #loop: RoundLoop;
  readonly #beatMs: number;
  #nextBeatAt = 0;
  #nextFiguresAt = 0;
  #nextAcknowledgementAt = 0;
  /** Whether API calls are waiting to read how far the feed has been followed. */
  #awaited = false;
  #client: pg.Client | null = null;
  #isHandedOver = false;
  /** Whether this process has taken the row over or inserted it. */
  #hasRow = false;
  /** Whether this process has tried to insert a row. If it does not know the outcome, its row is not that of the previous process. */
  #hasTriedToJoin = false;
  #demandIsKnown = false;
  /** The set of engines in the row. */
  #said = '';

  constructor(options: HeartbeatOptions) {
    const { databaseUrl, log, random } = options;
    this.#options = options;
    this.#beatMs = options.beatMs ?? BEAT_MS;
    this.#loop = new RoundLoop({
      databaseUrl,
      log,
      random,
      part: 'engines',
      round: (client) => this.#round(client),
      lastRound: (client) => this.#lastRound(client),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes the last figures, and that the engine has left, unless the row is handed over. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Leaves the row to the process that replaces this one: the host goes on serving, so calls wait until it acts by their changes. */
  handOver(): void {
    this.#isHandedOver = true;
  }

  /** Writes at once how far the feed has been followed, because API calls return only when every engine has written it. */
  acknowledge(): void {
    this.#awaited = true;
    this.#loop.raise();
  }

  stats(): RoundLoopStats {
    return this.#loop.stats();
  }

  async #round(client: pg.Client): Promise<number> {
    this.#use(client);
    const now = performance.now();
    if (now >= this.#nextBeatAt) await this.#beat(client);
    else if (this.#awaited && now >= this.#nextAcknowledgementAt) await this.#acknowledge(client);
    if (now >= this.#nextFiguresAt) await this.#writeFigures(client);
    const next = Math.min(this.#nextBeatAt, this.#nextFiguresAt, this.#awaited ? this.#nextAcknowledgementAt : Number.POSITIVE_INFINITY);
    return next - performance.now();
  }

  /** A server to which the connection is new may have taken over from another one, and lack what was written last. */
  #use(client: pg.Client): void {
    if (this.#client === client) return;
    this.#client = client;
    this.#said = '';
    this.#nextBeatAt = 0;
  }

  async #lastRound(client: pg.Client): Promise<void> {
    await this.#writeFigures(client);
    if (!this.#isHandedOver) await leaveEngines(client, this.#owner(), Math.min(this.#options.quietMs(), SETTLING_MS));
  }

  /** Takes one statement, because this may follow every change. */
  async #acknowledge(client: pg.Client): Promise<void> {
    this.#awaited = false;
    this.#nextAcknowledgementAt = performance.now() + ACKNOWLEDGE_GAP_MS;
    const applied = this.#options.applied();
    if (applied !== null && !(await acknowledgeFeed(client, this.#owner(), applied))) await this.#beat(client);
  }

  async #beat(client: pg.Client): Promise<void> {
    const { membership, onMembership, onEngines } = this.#options;
    this.#nextBeatAt = performance.now() + this.#beatMs;
    this.#awaited = false;
    if (!(await this.#takeOver(client)) || !(await this.#say(client))) await this.#join(client);
    await forgetLeftEngines(client, SETTLING_MS);
    const rows = await readEngines(client, membership.self);
    for (const row of membership.silent(rows)) await forgetSilentEngine(client, row);
    // Other engines wait until this row says that they are in the set.
    if (membership.observe(rows)) this.#beatAgain();
    onMembership();
    onEngines?.(membership.self, rows);
    if (!this.#demandIsKnown) await this.#compareConnections(client);
  }

  #beatAgain(): void {
    this.#nextBeatAt = 0;
    this.#loop.raise();
  }

  /** Runs once in a process. Logs a warning if the server cannot take the connections of all engines and control planes. */
  async #compareConnections(client: pg.Client): Promise<void> {
    const shortage = connectionShortage(await readConnectionDemand(client));
    if (shortage !== null) this.#options.log.warn({ code: 'connections_short' }, shortage);
    this.#demandIsKnown = true;
  }

  /** Runs once in a process. Takes over the row of the previous process if it still exists. */
  async #takeOver(client: pg.Client): Promise<boolean> {
    if (this.#hasRow) return true;
    if (this.#hasTriedToJoin) return false;
    const before = await takeOverEngine(client, this.#owner(), this.#options.profile);
    if (before === null) return false;
    this.#own(before.figures_batch);
    if (this.#options.membership.kind() === 'unknown') this.#options.membership.resume(before.members);
    return true;
  }

  #own(figuresBatch: number): void {
    this.#hasRow = true;
    this.#options.figures.numberFrom(figuresBatch);
  }

  async #say(client: pg.Client): Promise<boolean> {
    const { membership, applied, report } = this.#options;
    const members = membership.members();
    const isSaid = members.join() === this.#said;
    const said = await beatEngine(client, this.#owner(), {
      members: isSaid ? null : members,
      applied: applied(),
      report: report(),
    });
    if (said) this.#said = members.join();
    return said;
  }

  async #join(client: pg.Client): Promise<void> {
    if (this.#options.membership.kind() !== 'unknown') this.#options.membership.lost(randomUUID());
    this.#hasTriedToJoin = true;
    await client.query('BEGIN');
    await lockEngines(client);
    await removeOwnEngine(client, this.#owner());
    await forgetLeftEngines(client, SETTLING_MS);
    const { membership, profile } = this.#options;
    await insertEngine(client, this.#owner(), profile, membership.members());
    const rows = await readEngines(client, membership.self);
    await client.query('COMMIT');
    this.#own(0);
    this.#said = '';
    membership.joined(rows);
  }

  #owner(): EngineOwner {
    return { id: this.#options.membership.self, session: this.#session };
  }

  async #writeFigures(client: pg.Client): Promise<void> {
    this.#nextFiguresAt = performance.now() + ROUND_MS;
    await this.#options.figures.write(client, this.#options.membership.self);
  }
}
