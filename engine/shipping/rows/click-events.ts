import type { ClientBase } from 'pg';
import { type ClickEventInput, clickCreatedEvent, type EventOrigin } from '../../../shared/webhooks/body.js';
import { type ClickReceiver, insertClickEvents, readResourceTypeKeys } from './sql.js';

/** The part of an event about a click that comes from the click's own record. */
export type RecordedClick = Omit<ClickEventInput, 'resource_type'>;

interface PendingEvent {
  readonly origin: EventOrigin;
  readonly click: RecordedClick;
  /** Index of the click among its environment's clicks in this batch, starting at 0. */
  readonly number: number;
}

const EVENTS_PER_STATEMENT = 1000;
/** Keys never change, so they are remembered. Beyond this many, all are forgotten and read again. */
const TYPE_KEYS_MAX = 10_000;

/** The events of a batch of clicks. They are held until the rows are in, because the COPY occupies the connection until then. */
export class ClickEvents {
  readonly #typeKeys = new Map<string, string>();
  #pending: PendingEvent[] = [];

  get count(): number {
    return this.#pending.length;
  }

  begin(): void {
    this.#pending = [];
  }

  add(origin: EventOrigin, click: RecordedClick, number: number): void {
    this.#pending.push({ origin, click, number });
  }

  /** Stores the events and queues their deliveries, in the caller's transaction. Returns how many were queued, by endpoint. */
  async insert(client: ClientBase, receivers: readonly ClickReceiver[]): Promise<ReadonlyMap<string, number>> {
    await this.#learnTypeKeys(client);
    const queued = new Map<string, number>();
    for (let at = 0; at < this.#pending.length; at += EVENTS_PER_STATEMENT) {
      const events = this.#pending.slice(at, at + EVENTS_PER_STATEMENT).map(({ origin, click, number }) => {
        const resource_type = click.resource_type_id === null ? null : (this.#typeKeys.get(click.resource_type_id) ?? null);
        return { row: clickCreatedEvent(origin, { ...click, resource_type }), number };
      });
      const some = await insertClickEvents(client, events, receivers);
      for (const [webhookId, count] of some) queued.set(webhookId, (queued.get(webhookId) ?? 0) + count);
    }
    return queued;
  }

  async #learnTypeKeys(client: ClientBase): Promise<void> {
    if (this.#typeKeys.size > TYPE_KEYS_MAX) this.#typeKeys.clear();
    const unknown = new Set<string>();
    for (const { click } of this.#pending)
      if (click.resource_type_id !== null && !this.#typeKeys.has(click.resource_type_id)) unknown.add(click.resource_type_id);
    if (unknown.size === 0) return;
    for (const [id, key] of await readResourceTypeKeys(client, [...unknown])) this.#typeKeys.set(id, key);
  }
}
