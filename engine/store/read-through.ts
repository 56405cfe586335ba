import type { Later } from '../../shared/base/later.js';
import {
  PATH_CHARACTERS_MAX,
  READ_THROUGH_DEADLINE_MS,
  READ_THROUGH_PER_SECOND,
  READ_THROUGH_REMEMBERED_MAX,
  READ_THROUGH_REMEMBERED_MS,
  READ_THROUGH_UNDER_WAY_MAX,
  READ_THROUGH_WARY_DEADLINE_MS,
} from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { linkRecordFromRow } from '../../shared/feed/codec.js';
import type { LinkRecord } from '../../shared/feed/records.js';
import { LookupConnection, LookupUnavailableError } from '../sql/lookup-connection.js';
import { readLinkByPath } from '../sql/read-link-by-path.js';
import { Patience } from './patience.js';
import { ShortMemory } from './short-memory.js';
import { TokenBucket } from './token-bucket.js';

export interface ReadThroughStats {
  readonly connection: 'opening' | 'ready' | 'away' | 'stopped';
  /** PostgreSQL has missed the deadline and has not answered since: nobody waits long for it. */
  readonly wary: boolean;
  /** Questions put to PostgreSQL, and their outcomes. */
  readonly asked: number;
  readonly found: number;
  readonly missing: number;
  readonly unavailable: number;
  /** Visits that waited for the whole deadline, that were over the rate, and that were answered from memory. */
  readonly late: number;
  readonly refused: number;
  readonly remembered: number;
}

/**
 * What makes a link work the moment its creation is answered: a path the store does not know is looked up in PostgreSQL.
 */
export interface ReadThrough {
  /**
   * The link, whatever its state, or null where there is none. Settles within `READ_THROUGH_DEADLINE_MS`, and within
   * `READ_THROUGH_WARY_DEADLINE_MS` once a visit has waited for all of it in vain.
   *
   * Where PostgreSQL cannot be asked (away, too slow, over the rate): null if the host's copy is whole, because what that
   * does not have almost certainly does not exist; else rejects with `LookupUnavailableError`, because nothing is known.
   */
  lookUp(environmentId: string, environmentNumber: number, path: string): Promise<LinkRecord | null>;
  stop(): void;
  stats(): ReadThroughStats;
}

export interface ReadThroughOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Whether the host's store holds the whole configuration. */
  readonly copyIsWhole: () => boolean;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly deadlineMs?: number;
  readonly waryDeadlineMs?: number;
  readonly later?: Later;
  readonly perSecond?: number;
}

/** A path is 1 to 64 of these characters, so nothing else is worth a question. */
const PATH = new RegExp(`^[A-Za-z0-9_-]{1,${PATH_CHARACTERS_MAX}}$`);

/** Below this level of the bucket somebody tries out paths, and remembered absences are used. See shared/decisions. */
const PRESSURE_LEVEL = 0.5;

export function createReadThrough(options: ReadThroughOptions): ReadThrough {
  const { databaseUrl, log, random = Math.random } = options;
  const connection = new LookupConnection({ databaseUrl, part: 'read-through', log, random });
  return new BoundedReadThrough(linkLookup(connection), options);
}

function linkLookup(connection: LookupConnection): LinkLookup {
  return {
    async lookUp(environmentId, path) {
      const row = await connection.ask((client) => readLinkByPath(client, environmentId, path));
      return row === null ? null : linkRecordFromRow(row);
    },
    kind: () => connection.kind(),
    stop: () => connection.stop(),
  };
}

/** What the read-through needs of its connection. */
export interface LinkLookup {
  lookUp(environmentId: string, path: string): Promise<LinkRecord | null>;
  kind(): ReadThroughStats['connection'];
  stop(): void;
}

export class BoundedReadThrough implements ReadThrough {
  readonly #connection: LinkLookup;
  readonly #copyIsWhole: () => boolean;
  readonly #now: () => number;
  readonly #patience: Patience;
  readonly #bucket: TokenBucket;
  readonly #found: ShortMemory<LinkRecord>;
  readonly #missing: ShortMemory<true>;
  readonly #underWay = new Map<string, Promise<LinkRecord | null>>();
  readonly #counts = { asked: 0, found: 0, missing: 0, unavailable: 0, late: 0, refused: 0, remembered: 0 };

  constructor(connection: LinkLookup, options: Omit<ReadThroughOptions, 'databaseUrl' | 'log' | 'random'>) {
    const now = options.now ?? (() => performance.now());
    const perSecond = options.perSecond ?? READ_THROUGH_PER_SECOND;
    this.#connection = connection;
    this.#copyIsWhole = options.copyIsWhole;
    this.#now = now;
    this.#patience = new Patience({
      patientMs: options.deadlineMs ?? READ_THROUGH_DEADLINE_MS,
      waryMs: options.waryDeadlineMs ?? READ_THROUGH_WARY_DEADLINE_MS,
      ...(options.later === undefined ? {} : { later: options.later }),
    });
    this.#bucket = new TokenBucket(perSecond, perSecond, now);
    this.#found = new ShortMemory(READ_THROUGH_REMEMBERED_MAX, READ_THROUGH_REMEMBERED_MS, now);
    this.#missing = new ShortMemory(READ_THROUGH_REMEMBERED_MAX, READ_THROUGH_REMEMBERED_MS, now);
  }

  async lookUp(environmentId: string, environmentNumber: number, path: string): Promise<LinkRecord | null> {
    if (!PATH.test(path)) return null;
    const key = `${environmentNumber}/${path}`;
    const remembered = this.#remembered(key);
    if (remembered !== undefined) {
      this.#counts.remembered += 1;
      return remembered;
    }
    try {
      return await this.#withinDeadline(this.#ask(key, environmentId, path));
    } catch (error) {
      if (!(error instanceof LookupUnavailableError) || !this.#copyIsWhole()) throw error;
      return null;
    }
  }

  stop(): void {
    this.#connection.stop();
  }

  stats(): ReadThroughStats {
    return { connection: this.#connection.kind(), wary: this.#patience.wary, ...this.#counts };
  }

  #remembered(key: string): LinkRecord | null | undefined {
    const link = this.#found.get(key);
    if (link !== undefined) return link;
    return this.#bucket.level() < PRESSURE_LEVEL && this.#missing.get(key) ? null : undefined;
  }

  /**
   * One question for one path at a time. Who comes while one is under way takes its answer if it finds the link; an
   * absence may be older than the visit, so then the visit's own question is put, again one for all who wait.
   */
  async #ask(key: string, environmentId: string, path: string): Promise<LinkRecord | null> {
    const earlier = this.#underWay.get(key);
    if (earlier === undefined) return this.#begin(key, environmentId, path);
    return (await earlier) ?? this.#underWay.get(key) ?? this.#begin(key, environmentId, path);
  }

  #begin(key: string, environmentId: string, path: string): Promise<LinkRecord | null> {
    if (this.#connection.kind() === 'away') return Promise.reject(new LookupUnavailableError('PostgreSQL is away'));
    if (this.#underWay.size >= READ_THROUGH_UNDER_WAY_MAX || !this.#bucket.take()) {
      this.#counts.refused += 1;
      return Promise.reject(new LookupUnavailableError('more paths are asked for than the read-through may ask'));
    }
    this.#counts.asked += 1;
    const askedAt = this.#now();
    const asking = this.#connection.lookUp(environmentId, path).then(
      (link) => {
        this.#underWay.delete(key);
        this.#patience.answered(this.#now() - askedAt);
        this.#remember(key, link);
        return link;
      },
      (error: unknown) => {
        this.#underWay.delete(key);
        this.#counts.unavailable += 1;
        throw error;
      },
    );
    this.#underWay.set(key, asking);
    return asking;
  }

  #remember(key: string, link: LinkRecord | null): void {
    this.#counts[link === null ? 'missing' : 'found'] += 1;
    if (link === null) {
      this.#missing.put(key, true);
      return;
    }
    this.#missing.delete(key);
    this.#found.put(key, link);
  }

  async #withinDeadline(answer: Promise<LinkRecord | null>): Promise<LinkRecord | null> {
    let end: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      end = this.#patience.begin(() => {
        this.#counts.late += 1;
        reject(new LookupUnavailableError('PostgreSQL did not answer within the deadline'));
      });
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      end();
    }
  }
}
