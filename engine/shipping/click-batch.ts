import type { ClientBase } from 'pg';
import { CLICK_SHARDS, USER_AGENT_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { bigintField } from './rows/copy-buffer.js';
import { dayText, utcDay } from './rows/local-days.js';
import type { PreparedUserAgent } from './rows/prepared-text.js';
import { type ClickBatchRow, rememberUserAgents } from './sql.js';

/** Clicks of one shard of the environments: how many, and when the first and the last were made. */
interface ShardClicks {
  clicks: number;
  from_at_ms: number;
  to_at_ms: number;
}

export type AddClickBatch = (client: ClientBase, batchId: string, rows: readonly ClickBatchRow[]) => Promise<void>;

/** What is stored about the clicks of one transaction besides their rows: that they exist, and the user agents of their visitors. */
export class ClickBatch {
  readonly #id: string;
  readonly #add: AddClickBatch;
  /** The column batch_id of their rows. */
  readonly field: Buffer;
  readonly #shards: readonly ShardClicks[] = Array.from({ length: CLICK_SHARDS }, () => ({
    clicks: 0,
    from_at_ms: Number.POSITIVE_INFINITY,
    to_at_ms: Number.NEGATIVE_INFINITY,
  }));
  /** User agents that are not known to be stored, with the day of their latest click, by hash. */
  readonly #userAgents = new Map<string, { readonly prepared: PreparedUserAgent; day: number }>();

  /** `add` records that the clicks exist, in the form in which the readers of the store look for them. */
  constructor(id: string, add: AddClickBatch) {
    this.#id = id;
    this.#add = add;
    this.field = bigintField(BigInt(id));
  }

  note(environmentNumber: number, occurredAtMs: number, userAgent: PreparedUserAgent): void {
    const shard = this.#shards[environmentNumber & (CLICK_SHARDS - 1)] as ShardClicks;
    shard.clicks++;
    if (occurredAtMs < shard.from_at_ms) shard.from_at_ms = occurredAtMs;
    if (occurredAtMs > shard.to_at_ms) shard.to_at_ms = occurredAtMs;
    const day = utcDay(occurredAtMs);
    if (day > userAgent.remembered_day) this.#noteUserAgent(day, userAgent);
  }

  /** Must run in the transaction, after the rows. */
  async store(client: ClientBase): Promise<void> {
    const rows = this.#shards.flatMap((noted, shard) => (noted.clicks === 0 ? [] : [{ shard, ...noted }]));
    if (rows.length === 0) return;
    if (this.#userAgents.size > 0) await rememberUserAgents(client, this.#userAgentRows());
    await this.#add(client, this.#id, rows);
  }

  /** Must be called after the commit. */
  committed(): void {
    for (const { prepared, day } of this.#userAgents.values()) prepared.remembered_day = day;
  }

  #noteUserAgent(day: number, prepared: PreparedUserAgent): void {
    const hash = prepared.hashField.toString('latin1');
    const noted = this.#userAgents.get(hash);
    if (noted === undefined) this.#userAgents.set(hash, { prepared, day });
    else noted.day = Math.max(noted.day, day);
  }

  #userAgentRows() {
    return [...this.#userAgents.values()].map(({ prepared, day }) => ({
      user_agent_hash: String(prepared.hashField.readBigInt64BE(4)),
      // PostgreSQL's text cannot contain U+0000.
      user_agent: prepared.text.slice(0, USER_AGENT_CHARACTERS_MAX).replaceAll('\0', '\ufffd'),
      last_day: dayText(day),
    }));
  }
}
