import type { Pool } from 'pg';
import { WEBHOOK_AUTO_DISABLE_HOURS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { PassLoop } from '../database/pass-loop.js';
import { inTransaction } from '../database/transaction.js';
import { shrinkBacklogs } from './backlog-sql.js';
import { expireClickDeliveries } from './expire-click-deliveries.js';
import {
  abandonQueue,
  autoDisableEndpoints,
  deletedWebhookIds,
  dropDeliveries,
  noteSwept,
  reconcileBacklogs,
  unsweptIds,
} from './janitor-sql.js';

export interface JanitorOptions {
  readonly pool: Pool;
  readonly log: Logger;
  readonly onFailure: (error: unknown, failuresInRow: number) => void;
  readonly intervalMs?: number;
}

/** How often failing endpoints are disabled, whether or not anything is sent to them meanwhile. */
const INTERVAL_MS = 10_000;
/** The shortest time between passes. The claimer names an inactive endpoint at every pass until its queue is empty. */
const GAP_MS = 250;
/** The maximum number of rows changed by one statement: some ten milliseconds of locks. */
const ROWS_MAX = 2000;
/** How long batches of abandoned deliveries follow each other without a gap. An endpoint that is active again waits for them. */
const ABANDONING_MS_MAX = 1000;

/**
 * Cleans the queue: disables endpoints that have failed for 72 hours, abandons deliveries to endpoints that are not active,
 * deletes the log of deleted endpoints, and abandons clicks that have waited for a day. Several hosts may run it at the same time.
 */
export class Janitor {
  readonly #options: JanitorOptions;
  readonly #loop: PassLoop;
  /** Endpoints that the claimer saw in the queue. They are swept before the next interval. */
  readonly #inactive = new Set<string>();
  readonly #deleted = new Set<string>();
  #roundDueAt = 0;
  #autoDisabled = 0;
  #abandoned = 0;
  #dropped = 0;
  #expired = 0;

  constructor(options: JanitorOptions) {
    this.#options = options;
    this.#loop = new PassLoop({ pass: () => this.#pass(), onFailure: options.onFailure, gapMs: GAP_MS });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Called by the claimer with the endpoints in the queue that are not active. */
  sweep(inactiveIds: readonly string[]): void {
    for (const id of inactiveIds) this.#inactive.add(id);
    if (inactiveIds.length > 0) this.#loop.poke();
  }

  stats(): { readonly autoDisabled: number; readonly abandoned: number; readonly dropped: number; readonly expired: number } {
    return { autoDisabled: this.#autoDisabled, abandoned: this.#abandoned, dropped: this.#dropped, expired: this.#expired };
  }

  async #pass(): Promise<number> {
    if (performance.now() >= this.#roundDueAt) {
      await this.#round();
      this.#roundDueAt = performance.now() + (this.#options.intervalMs ?? INTERVAL_MS);
    }
    const more = await this.#sweepSome();
    return more ? 0 : Math.max(0, this.#roundDueAt - performance.now());
  }

  /** Does what is due at every interval, in addition to sweeping the endpoints that the claimer names. */
  async #round(): Promise<void> {
    await this.#disableFailing();
    // Retries that are not due yet are seen by no claimer if the endpoint is active again.
    for (const id of await unsweptIds(this.#options.pool)) this.#inactive.add(id);
    for (const id of await deletedWebhookIds(this.#options.pool)) this.#deleted.add(id);
    await reconcileBacklogs(this.#options.pool);
  }

  async #disableFailing(): Promise<void> {
    for (const id of await autoDisableEndpoints(this.#options.pool, WEBHOOK_AUTO_DISABLE_HOURS)) {
      this.#autoDisabled++;
      this.#inactive.add(id);
      this.#options.log.warn({ code: 'webhook_auto_disabled', webhook_id: id }, 'a webhook endpoint failed for 72 hours and was disabled');
    }
  }

  /** Does some of what is to be done of each kind. Returns whether a full batch suggests that there is more. */
  async #sweepSome(): Promise<boolean> {
    const { pool } = this.#options;
    const inactive = [...this.#inactive];
    const deleted = [...this.#deleted];
    const isAbandoned = await this.#abandonSome(inactive);
    const dropped = deleted.length === 0 ? 0 : await dropDeliveries(pool, deleted, ROWS_MAX);
    const expired = await expireClickDeliveries(pool, ROWS_MAX);
    this.#dropped += dropped;
    this.#expired += expired;
    if (dropped < ROWS_MAX) for (const id of deleted) this.#deleted.delete(id);
    return !isAbandoned || Math.max(dropped, expired) === ROWS_MAX;
  }

  /** Returns false if there was no time for everything. */
  async #abandonSome(inactive: readonly string[]): Promise<boolean> {
    if (inactive.length === 0) return true;
    const endsAt = performance.now() + ABANDONING_MS_MAX;
    let abandoned = ROWS_MAX;
    while (abandoned === ROWS_MAX && performance.now() < endsAt) {
      abandoned = await this.#abandon(inactive);
      this.#abandoned += abandoned;
    }
    if (abandoned === ROWS_MAX) return false;
    await noteSwept(this.#options.pool, inactive);
    for (const id of inactive) this.#inactive.delete(id);
    return true;
  }

  #abandon(inactive: readonly string[]): Promise<number> {
    return inTransaction(this.#options.pool, async (client) => {
      const abandoned = await abandonQueue(client, inactive, ROWS_MAX);
      const clicks = new Map(abandoned.filter((row) => row.clicks > 0).map((row) => [row.webhook_id, row.clicks]));
      if (clicks.size > 0) await shrinkBacklogs(client, clicks);
      return abandoned.reduce((sum, { count }) => sum + count, 0);
    });
  }
}
