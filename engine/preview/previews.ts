import { type Clock, systemClock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { type ConfigReader, openConfigReader } from '../config/config-reader.js';
import { LookupConnection } from '../database/lookup-connection.js';
import { NotificationListener } from '../database/notification-listener.js';
import type { RoundLoopStats } from '../database/round-loop.js';
import { EngineMember, type EngineMemberOptions } from '../membership/engine-member.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import { Actors } from './actors.js';
import { CallNotes, dropPastCalls } from './call-notes.js';
import { Figures } from './figures.js';
import { FiguresWriter } from './figures-writer.js';
import { ItemOwners, ownerChannel, readOwnerAsks } from './item-owners.js';
import type { Ask, Reply } from './messages.js';
import { MinuteWindow } from './minute-window.js';
import { PreviewServer } from './preview-server.js';
import { SharedAnswers, type SharedAnswersStats } from './shared-answers.js';
import { notifyOwners, readListedKeys, readMetadataAnswers } from './sql.js';
import { WriteBehind, type WriteBehindStats } from './write-behind.js';

export interface PreviewsOptions extends Pick<EngineMemberOptions, 'profile' | 'applied' | 'report' | 'onEngines'> {
  readonly databaseUrl: string;
  /** The database to LISTEN on; `databaseUrl` if absent. */
  readonly listenUrl?: string;
  readonly dataDir: string;
  readonly secretsKeys: string;
  readonly serviceName: string;
  readonly outboundAllow: readonly string[];
  readonly answers: AnswerWriter;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly schedule?: Scheduler;
}

export interface PreviewsStats {
  readonly fetches: number;
  readonly calls_under_way: number;
  readonly breakers_open: number;
  readonly engines: number;
  readonly stores_thrown_away: number;
  readonly shared: SharedAnswersStats;
  readonly heartbeat: RoundLoopStats;
  readonly write_behind: WriteBehindStats;
}

/** How often the configuration and the store are checked. The configuration is also checked at every question. */
const INSPECT_MS = 1000;
/** How long calls that are under way at a stop may take to end by themselves. */
const CALLS_END_MS_MAX = 2000;

/**
 * The only place on a host where metadata APIs are called. Redirect processes ask over a socket, and the actors of the types
 * answer. It goes on while PostgreSQL is away, and starts without it if it has run before.
 */
export class Previews {
  readonly #options: PreviewsOptions;
  readonly #config: ConfigReader;
  readonly #sender: OutboundClient;
  readonly #lookup: LookupConnection;
  readonly #shared: SharedAnswers;
  readonly #figures = new Figures();
  readonly #member: EngineMember;
  readonly #actors: Actors;
  readonly #writeBehind: WriteBehind;
  readonly #service: PreviewServer;
  /** Receives the questions of other engines; null while there are none, or if this one does not call. */
  #listener: { readonly id: string; readonly listener: NotificationListener } | null = null;
  #tableVersion: number | null = null;
  #inspecting: NodeJS.Timeout | null = null;

  constructor(options: PreviewsOptions) {
    const { databaseUrl, dataDir, answers, log, clock = systemClock, random = Math.random, schedule = systemScheduler } = options;
    const now = () => performance.now();
    this.#options = options;
    this.#config = openConfigReader(dataDir, log);
    this.#sender = new OutboundClient({ allow: options.outboundAllow, purpose: 'metadata' });
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
    this.#member = this.#createMember({ databaseUrl, answers, log, clock, random });
    this.#writeBehind = new WriteBehind({ databaseUrl, log, clock, random });
    dropPastCalls(answers, clock());
    this.#actors = new Actors({
      parts: {
        answers,
        shared: {
          read: (key) => this.#shared.read(key),
          store: (answer) => this.#writeBehind.store(answer),
          listedUrls: (urls) => this.#shared.listedUrls(urls),
        },
        owners: new ItemOwners({
          order: (item, holders) => this.#member.ordered(item, holders),
          notify: (channels, texts) => this.#lookup.ask((client) => notifyOwners(client, channels, texts)),
          log,
          now,
        }),
        sender: this.#sender,
        figures: this.#figures,
        log,
        clock,
        now,
        schedule,
      },
      secretKeys: parseSecretKeys(options.secretsKeys),
      serviceName: options.serviceName,
      shareOf: (limit, subject) => this.#member.share(limit, subject),
      holdersOf: (limit, subject) => this.#member.holders(limit, subject),
      openWindow: (apiId) => new MinuteWindow({ journal: new CallNotes(answers, apiId), now, epochNow: clock }),
    });
    this.#service = new PreviewServer({
      dataDir,
      log,
      onAsk: (ask, reply) => this.#ask(ask, reply),
      onCounted: (rows) => this.#figures.add(rows),
    });
  }

  #createMember(parts: Pick<EngineMemberOptions, 'databaseUrl' | 'answers' | 'log' | 'clock' | 'random'>): EngineMember {
    const { applied, report, profile } = this.#options;
    return new EngineMember({
      ...parts,
      profile,
      figures: new FiguresWriter(this.#figures, parts.clock),
      applied,
      report,
      onEngines: (self, rows) => {
        this.#listenFor(self, rows.length > 1);
        this.#options.onEngines?.(self, rows);
      },
      onShares: () => this.#actors.setShares(),
      quietMs: () => this.#actors.quietMs(),
    });
  }

  async start(): Promise<void> {
    this.#followTable();
    await this.#service.start();
    this.#member.start();
    this.#writeBehind.start();
    this.#inspecting = setInterval(() => {
      this.#followTable();
      this.#options.answers.inspect();
      this.#actors.dropUnused();
    }, INSPECT_MS);
  }

  /** Resolves when every redirect process has sent its last figures and disconnected, or after the given time. */
  async outliveClients(milliseconds: number): Promise<void> {
    await waitUntil(() => this.#service.clients === 0, milliseconds);
  }

  /** Called before a stop if another process takes over the work of this one. */
  handOver(): void {
    this.#member.handOver();
  }

  async stop(): Promise<void> {
    await waitUntil(() => this.#actors.underWay() === 0, CALLS_END_MS_MAX);
    if (this.#inspecting !== null) clearInterval(this.#inspecting);
    this.#service.stop();
    await this.#listener?.listener.stop();
    await Promise.all([this.#member.stop(), this.#writeBehind.stop()]);
    await this.#sender.close();
    this.#lookup.stop();
    await this.#config.close();
  }

  /** The item was removed from the store. Drops what is under way about it too. */
  invalidate(resourceTypeId: string, itemId: string): void {
    this.#actors.invalidate(resourceTypeId, itemId);
  }

  /** Does the same for all items. */
  invalidateAll(): void {
    this.#actors.invalidateAll();
  }

  /** Acts by the configuration as it is now, and reports at once how far the host has followed the feed: API calls are waiting for that. */
  acknowledge(): void {
    this.#followTable();
    this.#member.acknowledge();
  }

  /** Cards work without the database; sharing answers with other engines does not. */
  health(): PartHealth {
    const { state } = this.#member.stats();
    const ok = state === 'working';
    return { part: 'previews', ok, reason: ok ? '' : `answers and figures cannot be written: the connection is ${state}` };
  }

  stats(): PreviewsStats {
    const { fetches, breakersOpen } = this.#actors.stats();
    return {
      fetches,
      calls_under_way: this.#actors.underWay(),
      breakers_open: breakersOpen,
      engines: this.#member.engines,
      stores_thrown_away: this.#options.answers.thrownAway,
      shared: this.#shared.stats(),
      heartbeat: this.#member.stats(),
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
    // While the store is rebuilt there is nothing to follow.
    if (input.environments.length === 0) return;
    this.#tableVersion = version;
    this.#actors.update(input);
  }

  /** A single engine receives no questions, so it opens no connection for them. */
  #listenFor(self: string, others: boolean): void {
    const { profile, databaseUrl, listenUrl = databaseUrl, log, random = Math.random } = this.#options;
    if (!others || !profile.roles.includes('background') || this.#listener?.id === self) return;
    void this.#listener?.listener.stop();
    const listener = new NotificationListener({
      databaseUrl: listenUrl,
      channels: [ownerChannel(self)],
      name: 'metadata',
      log,
      random,
      onHint: () => {},
      onText: (text) => this.#askedByOthers(text),
    });
    listener.start();
    this.#listener = { id: self, listener };
  }

  /** The answers go into the database that all engines share. The engines that ask look for them there. */
  #askedByOthers(text: string): void {
    this.#followTable();
    for (const { resource_type_id, generation, item_id, wait_ms } of readOwnerAsks(text)) {
      const untilMs = performance.now() + wait_ms;
      this.#actors.ask(resource_type_id, generation, { item_id, untilMs, ahead: false, forAnother: true, called: false, reply: () => {} });
    }
  }
}

const POLL_MS = 10;

async function waitUntil(done: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!done() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
