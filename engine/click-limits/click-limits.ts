import { CLICK_LIMIT_DEADLINE_MS, CLICK_LIMIT_WAITING_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { LookupConnection, LookupUnavailableError } from '../database/lookup-connection.js';
import { type AskedClicks, type GrantedClicks, takeClicks } from './sql.js';

/** Admits visitors of links with `max_clicks`, each once. */
export interface ClickLimits {
  /**
   * Uses one of the link's clicks; returns false if none is left. Rejects with `LookupUnavailableError` if PostgreSQL cannot be
   * queried or does not answer in time. Then the click may have been used nevertheless, but the link never admits more visitors
   * than it has clicks.
   */
  take(linkId: string): Promise<boolean>;
  stop(): void;
}

export interface ClickLimitsOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
}

/** The connection is opened by the first visitor who needs it: most hosts have no such link. */
export function createClickLimits({ databaseUrl, log }: ClickLimitsOptions): ClickLimits {
  let connection: LookupConnection | null = null;
  const ask = (asked: readonly AskedClicks[]) => {
    connection ??= new LookupConnection({ databaseUrl, part: 'click-limits', log, random: Math.random });
    return connection.ask((client) => takeClicks(client, asked));
  };
  const rounds = new ClickRounds(ask);
  return { take: (linkId) => rounds.take(linkId), stop: () => connection?.stop() };
}

interface Waiting {
  readonly resolve: (granted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes the clicks of many visitors at once, one statement after the other, each for the visitors who came after the previous
 * one began.
 */
export class ClickRounds {
  readonly #ask: (asked: readonly AskedClicks[]) => Promise<readonly GrantedClicks[]>;
  #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #asking = false;

  constructor(ask: (asked: readonly AskedClicks[]) => Promise<readonly GrantedClicks[]>) {
    this.#ask = ask;
  }

  take(linkId: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#count >= CLICK_LIMIT_WAITING_MAX) {
        reject(new LookupUnavailableError('too many visitors wait for their click'));
        return;
      }
      const deadline = setTimeout(
        () => reject(new LookupUnavailableError('PostgreSQL did not answer within the deadline')),
        CLICK_LIMIT_DEADLINE_MS,
      );
      const end = () => clearTimeout(deadline);
      const waiting: Waiting = {
        resolve: (granted) => {
          end();
          resolve(granted);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#count++;
      const others = this.#waiting.get(linkId);
      if (others === undefined) this.#waiting.set(linkId, [waiting]);
      else others.push(waiting);
      if (!this.#asking) void this.#round();
    });
  }

  /** Never rejects: the outcome is passed to those who wait. */
  async #round(): Promise<void> {
    this.#asking = true;
    while (this.#waiting.size > 0) {
      const asked = this.#waiting;
      this.#waiting = new Map();
      try {
        const rows = await this.#ask([...asked].map(([link_id, { length }]) => ({ link_id, clicks: length })));
        const granted = new Map(rows.map((row) => [row.link_id, row.granted]));
        // A link without a row no longer has a limit.
        for (const [linkId, all] of asked) {
          const left = granted.get(linkId) ?? all.length;
          for (const [index, { resolve }] of all.entries()) resolve(index < left);
        }
      } catch (error) {
        for (const all of asked.values()) for (const { reject } of all) reject(error);
      }
      for (const { length } of asked.values()) this.#count -= length;
    }
    this.#asking = false;
  }
}
