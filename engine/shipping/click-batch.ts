import type { ClientBase } from 'pg';
import { USER_AGENT_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { bigintField } from './rows/copy-buffer.js';
import { dayText, utcDay } from './rows/local-days.js';
import type { PreparedUserAgent } from './rows/prepared-text.js';
import { addClickBatch, rememberUserAgents } from './sql.js';

/** What is said of the clicks of one transaction beside their rows: that they are there, and what their visitors' programs are called. */
export class ClickBatch {
  readonly #id: string;
  /** The column batch_id of their rows. */
  readonly field: Buffer;
  #clicks = 0;
  #fromAtMs = Number.POSITIVE_INFINITY;
  #toAtMs = Number.NEGATIVE_INFINITY;
  /** User agents that are not known to be stored, by hash, and the day of their newest click. */
  readonly #userAgents = new Map<string, { readonly prepared: PreparedUserAgent; day: number }>();

  /** `id` is from `nextClickBatch`. */
  constructor(id: string) {
    this.#id = id;
    this.field = bigintField(BigInt(id));
  }

  note(occurredAtMs: number, userAgent: PreparedUserAgent): void {
    this.#clicks++;
    if (occurredAtMs < this.#fromAtMs) this.#fromAtMs = occurredAtMs;
    if (occurredAtMs > this.#toAtMs) this.#toAtMs = occurredAtMs;
    const day = utcDay(occurredAtMs);
    if (day > userAgent.remembered_day) this.#noteUserAgent(day, userAgent);
  }

  /** In the transaction, after the rows. */
  async store(client: ClientBase): Promise<void> {
    if (this.#clicks === 0) return;
    if (this.#userAgents.size > 0) await rememberUserAgents(client, this.#userAgentRows());
    await addClickBatch(client, { batch_id: this.#id, clicks: this.#clicks, from_at_ms: this.#fromAtMs, to_at_ms: this.#toAtMs });
  }

  /** After the commit. */
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
      // PostgreSQL's text holds no U+0000.
      user_agent: prepared.text.slice(0, USER_AGENT_CHARACTERS_MAX).replaceAll('\0', '\ufffd'),
      last_day: dayText(day),
    }));
  }
}
