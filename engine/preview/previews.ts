import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../shared/base/clock.js';
import type { EngineReport } from '../../shared/base/engine-report.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { type ConfigReader, openConfigReader } from '../config/config-reader.js';
import { LookupConnection } from '../database/lookup-connection.js';
import type { RoundLoopStats } from '../database/round-loop.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import { Actors } from './actors.js';
import { CallNotes } from './call-notes.js';
import { Figures } from './figures.js';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.js';
import type { EngineDuties } from './membership/engine-rows.js';
import { Membership } from './membership/membership.js';
import { MembershipSnapshot } from './membership/membership-snapshot.js';
import type { Ask, Reply } from './messages.js';
import { MinuteWindow } from './minute-window.js';
import { PreviewServer } from './preview-server.js';
import { SharedAnswers, type SharedAnswersStats } from './shared-answers.js';
import { readListedKeys, readMetadataAnswers } from './sql.js';
import { WriteBehind, type WriteBehindStats } from './write-behind.js';

export interface PreviewsOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly secretsKeys: string;
  readonly serviceName: string;
  readonly outboundAllow: readonly string[];
  readonly answers: AnswerWriter;
  readonly duties: EngineDuties;
  readonly log: Logger;
  /** How far the feed is followed, with everything that it invalidated forgotten. */
  readonly applied: () => FeedCursor | null;
  /** What the engine says of itself in its row; null before it knows. */
  readonly report: () => EngineReport | null;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly schedule?: Scheduler;
}

export interface PreviewsStats {
  readonly askers: number;
  readonly actors: number;
  readonly fetches: number;
  readonly calls_under_way: number;
  readonly breakers_open: number;
  readonly engines: number;
  readonly stores_thrown_away: number;
  readonly shared: SharedAnswersStats;
  readonly heartbeat: RoundLoopStats;
  readonly write_behind: WriteBehindStats;
}

/** How often the configuration and the store are looked at. */
const LOOK_MS = 20;
const INSPECT_MS = 1000;
/** What is under way at a stop may end by itself for this long. */
const CALLS_END_MS_MAX = 2000;

/**
 * The one place of a host where metadata APIs are called. Redirect processes ask over a socket; here the questions meet the
 * actors of their types. It goes on with PostgreSQL away, and starts without it where it has run before.
 */
export class Previews {
  readonly #options: PreviewsOptions;
  readonly #config: ConfigReader;
  readonly #sender: OutboundClient;
  readonly #lookup: LookupConnection;
  readonly #shared: SharedAnswers;
  readonly #figures = new Figures();
  readonly #membership: Membership;
  readonly #membershipSnapshot: MembershipSnapshot;
  readonly #actors: Actors;
  readonly #heartbeat: Heartbeat;
  readonly #writeBehind: WriteBehind;
  readonly #service: PreviewServer;
  #tableVersion: number | null = null;
  #looking: NodeJS.Timeout | null = null;
  #inspecting: NodeJS.Timeout | null = null;

  constructor(options: PreviewsOptions) {
    const { databaseUrl, dataDir, answers, log, clock = systemClock, random = Math.random, schedule = systemScheduler } = options;
    const now = () => performance.now();
    this.#options = options;
    this.#config = openConfigReader(dataDir, log);
    this.#sender = new OutboundClient({ allow: options.outboundAllow });
    this.#lookup = new LookupConnection({ databaseUrl, part: 'answers', log, random });
    this.#shared = new SharedAnswers({
      lookup: {
        isAway: () => this.#lookup.kind() === 'away',
        read: (keys) => this.#lookup.ask((client) => readMetadataAnswers(client, keys)),
        readListed: (keys) => this.#lookup.ask((client) => readListedKeys(client, keys)),
      },
      clock,
      now,
    });
    this.#membershipSnapshot = new MembershipSnapshot(answers, clock);
    const noted = this.#membershipSnapshot.read();
    this.#membership = new Membership(noted?.id ?? randomUUID(), now);
    if (noted?.holds) this.#membership.resume(noted.members);
    this.#heartbeat = this.#createHeartbeat({ databaseUrl, log, clock, random });
    this.#writeBehind = new WriteBehind({ databaseUrl, log, clock, random });
    this.#actors = new Actors({
      parts: {
        answers,
        shared: {
          read: (key) => this.#shared.read(key),
          store: (answer) => this.#writeBehind.store(answer),
          listedUrls: (urls) => this.#shared.listedUrls(urls),
        },
        sender: this.#sender,
        figures: this.#figures,
        log,
        clock,
        now,
        schedule,
      },
      secretKeys: parseSecretKeys(options.secretsKeys),
      serviceName: options.serviceName,
      shareOf: (limit, subject) => this.#membership.share(limit, subject),
      openWindow: (apiId) => new MinuteWindow({ journal: new CallNotes(answers, apiId), now, epochNow: clock }),
    });
    this.#service = new PreviewServer({
      dataDir,
      log,
      onAsk: (ask, reply) => this.#ask(ask, reply),
      onCounted: (rows) => this.#figures.add(rows),
    });
  }

  #createHeartbeat(parts: Pick<HeartbeatOptions, 'databaseUrl' | 'log' | 'clock' | 'random'>): Heartbeat {
    const { applied, report, duties } = this.#options;
    return new Heartbeat({
      ...parts,
      membership: this.#membership,
      duties,
      figures: this.#figures,
      applied,
      report,
      onMembership: () => this.#followMembership(),
      quietMs: () => this.#actors.quietMs(),
    });
  }

  async start(): Promise<void> {
    this.#followTable();
    await this.#service.start();
    this.#heartbeat.start();
    this.#writeBehind.start();
    this.#looking = setInterval(() => this.#followTable(), LOOK_MS);
    this.#inspecting = setInterval(() => this.#options.answers.inspect(), INSPECT_MS);
  }

  /** Resolves when every redirect process has said its last figures and is gone, or after the time. */
  async outliveAskers(milliseconds: number): Promise<void> {
    await waitUntil(() => this.#service.askers === 0, milliseconds);
  }

  async stop(): Promise<void> {
    await waitUntil(() => this.#actors.underWay() === 0, CALLS_END_MS_MAX);
    if (this.#looking !== null) clearInterval(this.#looking);
    if (this.#inspecting !== null) clearInterval(this.#inspecting);
    this.#service.stop();
    await Promise.all([this.#heartbeat.stop(), this.#writeBehind.stop()]);
    await this.#sender.close();
    this.#lookup.stop();
    await this.#config.close();
  }

  /** What is remembered of the item is forgotten in the store: what is under way goes too. */
  invalidate(resourceTypeId: string, itemId: string): void {
    this.#actors.invalidate(resourceTypeId, itemId);
  }

  /** The same of everything. */
  invalidateAll(): void {
    this.#actors.invalidateAll();
  }

  /** Everything invalidated up to `applied` is forgotten, and somebody waits to hear of it. */
  acknowledge(): void {
    this.#heartbeat.acknowledge();
  }

  /** Cards go on without the database; what is shared with other engines does not. */
  health(): PartHealth {
    const { state } = this.#heartbeat.stats();
    const ok = state === 'working';
    return { part: 'previews', ok, reason: ok ? '' : `answers and figures cannot be written: the connection is ${state}` };
  }

  stats(): PreviewsStats {
    const { actors, fetches, breakersOpen } = this.#actors.stats();
    return {
      askers: this.#service.askers,
      actors,
      fetches,
      calls_under_way: this.#actors.underWay(),
      breakers_open: breakersOpen,
      engines: this.#membership.members().length,
      stores_thrown_away: this.#options.answers.thrownAway,
      shared: this.#shared.stats(),
      heartbeat: this.#heartbeat.stats(),
      write_behind: this.#writeBehind.stats(),
    };
  }

  #ask(ask: Ask, reply: (reply: Reply) => void): void {
    this.#followTable();
    const untilMs = ask.wait_ms === 0 ? 0 : performance.now() + ask.wait_ms;
    const { resource_type_id, generation, item_id, ahead } = ask;
    this.#actors.ask(resource_type_id, generation, { item_id, untilMs, ahead, called: false, reply });
  }

  #followTable(): void {
    const version = this.#config.tableVersion();
    if (version === this.#tableVersion) return;
    const input = this.#config.readTableInput();
    // While the store is built again there is nothing to be followed.
    if (input.environments.length === 0) return;
    this.#tableVersion = version;
    this.#actors.update(input);
  }

  #followMembership(): void {
    this.#actors.setShares();
    this.#membershipSnapshot.write({
      id: this.#membership.self,
      members: this.#membership.members(),
      acting: this.#membership.kind() === 'acting',
    });
  }
}

const POLL_MS = 10;

async function waitUntil(done: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!done() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
