import type { Clock } from '../../shared/base/clock.js';
import type { Queryable } from '../db/database.js';

const MINUTE_MS = 60_000;

/**
 * The uses of keys that this control plane has seen and not yet written, so that a call needs no write of its own. Times are rounded down
 * to the minute, so that all control planes that see a key together write it only once a minute.
 */
export class KeyUses {
  readonly #clock: Clock;
  /** The minute of the last use, by key id. */
  readonly #minutes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Only for keys that exist, because every entry is kept until it is written. */
  readonly note = (keyId: string): void => {
    const nowMs = this.#clock();
    this.#minutes.set(keyId, nowMs - (nowMs % MINUTE_MS));
  };

  /** Writes the recorded uses in one statement. If it fails, or if another transaction holds a row, that use is left for the next time. */
  async write(database: Queryable): Promise<void> {
    const used = [...this.#minutes];
    if (used.length === 0) return;
    const held = await writeLastUses(database, used);
    for (const [id, minute] of used) if (!held.has(id) && this.#minutes.get(id) === minute) this.#minutes.delete(id);
  }
}

/**
 * Sets the last use of each key if it is later than the stored one. Returns the keys whose rows another transaction holds: this statement
 * waits for no lock, so it cannot deadlock with another control plane or with an erasure. A use is not stored earlier than the creation of
 * its key, although its minute may have begun before.
 */
async function writeLastUses(
  database: Queryable,
  used: readonly (readonly [id: string, minuteMs: number])[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: 'write_last_uses',
    text: `WITH used AS (
             SELECT id, to_timestamp(ms / 1000) AS minute FROM unnest($1::text[], $2::double precision[]) AS given (id, ms)
           ), due AS (
             SELECT key.id, greatest(used.minute, key.created_at) AS at FROM api_keys AS key JOIN used ON used.id = key.id
             WHERE key.last_used_at IS NULL OR key.last_used_at < greatest(used.minute, key.created_at)
           ), locked AS (
             SELECT key.id, due.at FROM api_keys AS key JOIN due ON due.id = key.id
             WHERE key.last_used_at IS NULL OR key.last_used_at < due.at
             FOR NO KEY UPDATE OF key SKIP LOCKED
           ), written AS (
             UPDATE api_keys AS key SET last_used_at = locked.at FROM locked WHERE key.id = locked.id
           )
           SELECT id FROM due WHERE NOT EXISTS (SELECT FROM locked WHERE locked.id = due.id)`,
    values: [used.map(([id]) => id), used.map(([, minuteMs]) => minuteMs)],
  });
  return new Set(rows.map(({ id }) => id));
}
