import type { Logger } from '../../shared/base/log.js';
import { LONG_LINKS_REMEMBERED_MAX, LONG_LINKS_REMEMBERED_MS, LONG_LINKS_WAITING_MAX } from '../../shared/base/long-link-limits.js';
import { blocklistKeys, listedKeysQuery } from '../../shared/resolve/blocklist.js';
import { LookupConnection, LookupUnavailableError } from '../database/lookup-connection.js';
import { ShortMemory } from '../read-through/short-memory.js';

/** Whether URLs supplied by visitors are on the operator's block lists. Engines keep no copy of these lists. */
export interface BlockList {
  /** Returns a recent result for the same URLs; undefined if none is remembered. */
  remembered(urls: readonly string[]): boolean | undefined;
  /** Whether one of them is listed. Rejects with `LookupUnavailableError` if PostgreSQL cannot be queried, or too many wait. */
  isAnyListed(urls: readonly string[]): Promise<boolean>;
  stop(): void;
}

export interface BlockListOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
}

/** The connection is opened by the first visitor who needs it: most environments have no long links. */
export function createBlockList({ databaseUrl, log }: BlockListOptions): BlockList {
  let connection: LookupConnection | null = null;
  const ask: AskListed = (keys) => {
    connection ??= new LookupConnection({ databaseUrl, part: 'block-list', log, random: Math.random });
    return connection.ask(async (client) => ((await client.query(listedKeysQuery(keys))).rowCount ?? 0) > 0);
  };
  const judgements = new Judgements(ask, () => performance.now());
  return {
    remembered: (urls) => judgements.remembered(urls),
    isAnyListed: (urls) => judgements.isAnyListed(urls),
    stop: () => connection?.stop(),
  };
}

/** Whether any of the keys is listed. */
export type AskListed = (keys: string[]) => Promise<boolean>;

/** Visitors of the same URLs share one query. */
export class Judgements {
  readonly #ask: AskListed;
  readonly #memory: ShortMemory<boolean>;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(ask: AskListed, now: () => number) {
    this.#ask = ask;
    this.#memory = new ShortMemory(LONG_LINKS_REMEMBERED_MAX, LONG_LINKS_REMEMBERED_MS, now);
  }

  remembered(urls: readonly string[]): boolean | undefined {
    return this.#memory.get(nameOf(urls));
  }

  isAnyListed(urls: readonly string[]): Promise<boolean> {
    const name = nameOf(urls);
    const asked = this.#asked.get(name);
    if (asked !== undefined) return asked;
    if (this.#asked.size >= LONG_LINKS_WAITING_MAX) return Promise.reject(new LookupUnavailableError('too many URLs wait to be checked'));
    const question = this.#judge(name, urls).finally(() => this.#asked.delete(name));
    this.#asked.set(name, question);
    return question;
  }

  async #judge(name: string, urls: readonly string[]): Promise<boolean> {
    const keys = [...new Set(urls.flatMap(blocklistKeys))];
    const listed = keys.length > 0 && (await this.#ask(keys));
    this.#memory.put(name, listed);
    return listed;
  }
}

/** A stored URL contains no spaces. */
function nameOf(urls: readonly string[]): string {
  return urls.join(' ');
}
