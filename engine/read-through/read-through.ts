import {
  PATH_CHARACTERS_MAX,
  READ_THROUGH_DEADLINE_MS,
  READ_THROUGH_REMEMBERED_MAX,
  READ_THROUGH_REMEMBERED_MS,
  READ_THROUGH_SHORT_DEADLINE_MS,
} from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { linkRecordFromRow } from '../../shared/feed/codec.js';
import type { LinkRecord } from '../../shared/records/records.js';
import { AdaptiveTimeout, Wait } from '../database/adaptive-timeout.js';
import { LookupConnection, LookupUnavailableError } from '../database/lookup-connection.js';
import { type FoundLinks, type PathQuestion, PathRounds, type PathVisitor } from './path-rounds.js';
import { ShortMemory } from './short-memory.js';
import { readLinksByPath } from './sql.js';

export interface ReadThroughStats {
  readonly connection: 'opening' | 'ready' | 'away' | 'stopped';
  /** PostgreSQL has missed the deadline and has not responded since, so visitors wait only briefly. */
  readonly shortened: boolean;
  /** Number of paths looked up in PostgreSQL, number of statements for that, and number of paths by outcome. */
  readonly asked: number;
  readonly statements: number;
  readonly found: number;
  readonly missing: number;
  readonly unavailable: number;
  /**
   * Number of visits that waited for the whole deadline, that came when too many paths were waiting, and that were answered
   * from memory.
   */
  readonly late: number;
  readonly refused: number;
  readonly remembered: number;
}

/**
 * The result of a look-up: the link, whatever its state; null if there is none; undefined if PostgreSQL could not be queried (it
 * cannot be reached, it is too slow, or too many visitors wait) but the host's copy is complete, so that a link that is not in
 * the copy almost certainly does not exist.
 */
export type LookedUp = LinkRecord | null | undefined;

/**
 * Looks up paths in PostgreSQL that the store does not know. So a link works as soon as its creation returns.
 */
export interface ReadThrough {
  /**
   * Settles within `READ_THROUGH_DEADLINE_MS`, or within `READ_THROUGH_SHORT_DEADLINE_MS` after a visit has waited for the
   * whole deadline in vain. Rejects with `LookupUnavailableError` if PostgreSQL could not be queried and the copy is not whole,
   * because then nothing is known.
   */
  lookUp(environmentId: string, environmentNumber: number, path: string): Promise<LookedUp>;
  stop(): void;
  stats(): ReadThroughStats;
}

export interface ReadThroughOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Whether the host's store contains the whole configuration. */
  readonly copyIsWhole: () => boolean;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly deadlineMs?: number;
  readonly shortDeadlineMs?: number;
  readonly schedule?: Scheduler;
}

/** A path is 1 to 64 of these characters, so nothing else is worth a look-up. */
const PATH = new RegExp(`^[A-Za-z0-9_-]{1,${PATH_CHARACTERS_MAX}}$`);

export function createReadThrough(options: ReadThroughOptions): ReadThrough {
  const { databaseUrl, log, random = Math.random } = options;
  const connection = new LookupConnection({ databaseUrl, part: 'read-through', log, random });
  return new SharedReadThrough(linkLookup(connection), options);
}

function linkLookup(connection: LookupConnection): LinkLookup {
  return {
    async lookUp(questions) {
      const rows = await connection.ask((client) => readLinksByPath(client, questions));
      const byPath = new Map(rows.map((row) => [placeOf(row.environment_id, row.path), row] as const));
      const found = new Map<string, LinkRecord>();
      for (const { key, environmentId, path } of byPath.size === 0 ? [] : questions) {
        const row = byPath.get(placeOf(environmentId, path));
        if (row !== undefined) found.set(key, linkRecordFromRow(row));
      }
      return found;
    },
    kind: () => connection.kind(),
    stop: () => connection.stop(),
  };
}

function placeOf(environmentId: string, path: string): string {
  return `${environmentId}/${path}`;
}

/** What the read-through needs from its connection. */
export interface LinkLookup {
  /** Returns the links of all paths that have one. */
  lookUp(questions: readonly PathQuestion[]): Promise<FoundLinks>;
  kind(): ReadThroughStats['connection'];
  stop(): void;
}

export class SharedReadThrough implements ReadThrough {
  readonly #connection: LinkLookup;
  readonly #now: () => number;
  readonly #timeout: AdaptiveTimeout;
  readonly #rounds: PathRounds;
  readonly #waiting: WaitingParts;
  readonly #found: ShortMemory<LinkRecord>;
  readonly #counts = { asked: 0, statements: 0, found: 0, missing: 0, unavailable: 0, late: 0, refused: 0, remembered: 0 };

  constructor(connection: LinkLookup, options: Omit<ReadThroughOptions, 'databaseUrl' | 'log' | 'random'>) {
    const now = options.now ?? (() => performance.now());
    this.#connection = connection;
    this.#now = now;
    this.#timeout = new AdaptiveTimeout({
      longMs: options.deadlineMs ?? READ_THROUGH_DEADLINE_MS,
      shortMs: options.shortDeadlineMs ?? READ_THROUGH_SHORT_DEADLINE_MS,
      now,
      ...(options.schedule === undefined ? {} : { schedule: options.schedule }),
    });
    this.#rounds = new PathRounds({ lookUp: (questions) => this.#ask(questions), schedule: options.schedule ?? systemScheduler, now });
    const onLate = (): void => {
      this.#counts.late += 1;
    };
    this.#waiting = { timeout: this.#timeout, rounds: this.#rounds, copyIsWhole: options.copyIsWhole, onLate };
    this.#found = new ShortMemory(READ_THROUGH_REMEMBERED_MAX, READ_THROUGH_REMEMBERED_MS, now);
  }

  lookUp(environmentId: string, environmentNumber: number, path: string): Promise<LookedUp> {
    if (!PATH.test(path)) return NONE;
    const key = `${environmentNumber}/${path}`;
    const remembered = this.#found.get(key);
    if (remembered !== undefined) {
      this.#counts.remembered += 1;
      return Promise.resolve(remembered);
    }
    return new Promise((resolve, reject) => {
      const visit = new LookUp(this.#waiting, resolve, reject);
      if (this.#connection.kind() === 'away') {
        visit.failed(new LookupUnavailableError('PostgreSQL is away'));
        return;
      }
      this.#timeout.begin(visit);
      visit.question = this.#rounds.join(key, environmentId, path, visit);
      if (visit.question !== null) return;
      this.#counts.refused += 1;
      visit.failed(new LookupUnavailableError('too many paths wait to be looked up'));
    });
  }

  stop(): void {
    this.#connection.stop();
  }

  stats(): ReadThroughStats {
    return { connection: this.#connection.kind(), shortened: this.#timeout.shortened, ...this.#counts };
  }

  async #ask(questions: readonly PathQuestion[]): Promise<FoundLinks> {
    this.#counts.asked += questions.length;
    this.#counts.statements += 1;
    const askedAt = this.#now();
    try {
      const found = await this.#connection.lookUp(questions);
      this.#timeout.answered(this.#now() - askedAt);
      this.#counts.found += found.size;
      this.#counts.missing += questions.length - found.size;
      for (const [key, link] of found) this.#found.put(key, link);
      return found;
    } catch (error) {
      this.#counts.unavailable += questions.length;
      throw error;
    }
  }
}

/** The answer for a path that no link can have. */
const NONE = Promise.resolve(null);

interface WaitingParts {
  readonly timeout: AdaptiveTimeout;
  readonly rounds: PathRounds;
  readonly copyIsWhole: () => boolean;
  /** Called when a visit has waited in vain. */
  readonly onLate: () => void;
}

/**
 * One visit that waits for its path, until its deadline. It costs one object and one promise, because a client that tries out
 * paths causes one for each of them.
 */
class LookUp extends Wait implements PathVisitor {
  /** Null until it is asked. */
  question: PathQuestion | null = null;
  readonly #parts: WaitingParts;
  readonly #resolve: (link: LookedUp) => void;
  readonly #reject: (error: unknown) => void;

  constructor(parts: WaitingParts, resolve: (link: LookedUp) => void, reject: (error: unknown) => void) {
    super();
    this.#parts = parts;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  answered(link: LinkRecord | null): void {
    this.#parts.timeout.end(this);
    this.#resolve(link);
  }

  failed(error: unknown): void {
    this.#parts.timeout.end(this);
    if (error instanceof LookupUnavailableError && this.#parts.copyIsWhole()) this.#resolve(undefined);
    else this.#reject(error);
  }

  giveUp(): void {
    this.#parts.onLate();
    if (this.question !== null) this.#parts.rounds.leave(this.question, this);
    this.failed(new LookupUnavailableError('PostgreSQL did not answer within the deadline'));
  }
}
