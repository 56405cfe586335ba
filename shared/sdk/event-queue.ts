import type { Camel } from './casing.js';
import { type ClientTransport, type Failure, post, TIMER_MS_MAX } from './client-http.js';
import type { components } from './client-types.js';
import type { SharedStorage } from './shared-storage.js';
import { randomUuid, surroundings } from './surroundings.js';

export type EventDetails = Omit<Camel<components['schemas']['TrackedEventCreate']>, 'name' | 'installId' | 'occurredAt'>;

interface WaitingEvent {
  /** The same for every attempt, also of other clients and tabs, so that no event is stored twice. */
  readonly key: string;
  readonly event: Camel<components['schemas']['TrackedEventCreate']>;
  /** When the first attempt began, in milliseconds since 1970; null before it. Entries of older versions have none. */
  readonly triedAt?: number | null;
}

/** If there are more, the oldest event is dropped: an app that is offline for weeks must not fill its storage. */
const EVENTS_MAX = 100;
/**
 * The service remembers keys for 24 hours (`IDEMPOTENCY_HOURS`). Later it would store an event again whose first attempt
 * has got through without its answer. An hour is left for the attempt itself.
 */
const RETRIED_MS_MAX = 23 * 3_600_000;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

export interface EventQueueParts {
  readonly transport: ClientTransport;
  readonly storage: SharedStorage;
  /** Where the events wait: new ones under the first name, those that clients with other keys have left under the others. */
  readonly storageKeys: readonly string[];
  readonly report: (failure: Failure) => void;
  /** Resolves when the opens that were reported have ended. An event counts for what the installation came from only after its first open. */
  readonly opensEnded: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Events on their way. A tracked event is stored first and then sent, one after the other in their order. While there
 * is no network, the queue waits at most a minute between attempts, or until the browser says that it is online again.
 *
 * idle      nothing waits, or nobody has asked for it to be sent
 * sending   one event is under way
 * paused    an attempt has failed; a timer, `online` or the next `track` continues, the last of them no sooner than the service has asked
 */
export class EventQueue {
  readonly #parts: EventQueueParts;
  #state: 'idle' | 'sending' | 'paused' = 'idle';
  /** Resolves when what is under way has ended. */
  #sending: Promise<void> | undefined;
  #failures = 0;
  /** The service wants no other attempt before this time, in milliseconds since 1970. */
  #notBeforeMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: EventQueueParts) {
    this.#parts = parts;
    surroundings.addEventListener?.('online', () => void this.#goOn());
  }

  get #own(): string {
    return this.#parts.storageKeys[0] as string;
  }

  async add(event: WaitingEvent['event']): Promise<void> {
    await this.#change(this.#own, (waiting) => [...waiting, { key: randomUuid(), event, triedAt: null }].slice(-EVENTS_MAX));
  }

  /** Sends what waits. Resolves when everything is sent, or an attempt has failed. */
  async flush(): Promise<void> {
    if (this.#state === 'paused' && this.#parts.now() < this.#notBeforeMs) return;
    await this.#goOn();
  }

  #goOn(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = 'sending';
    let pauseMs: number | null = 0;
    while (pauseMs === 0) pauseMs = await this.#sendFirst();
    this.#state = pauseMs === null ? 'idle' : 'paused';
    if (pauseMs === null) return;
    this.#timer = setTimeout(() => void this.#goOn(), Math.min(pauseMs, TIMER_MS_MAX));
    // When a page is rendered on a server, the timer must not keep the server running. In browsers a timer is a number.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  /** Returns the milliseconds until the next attempt: 0 to continue at once; null if nothing waits. */
  async #sendFirst(): Promise<number | null> {
    // No attempt is made, so an event that waits for a network for days is not one that may have been stored.
    if (surroundings.navigator?.onLine === false) return PAUSE_MS_MAX;
    // What clients with other keys have left is older.
    for (const storageKey of [...this.#parts.storageKeys].reverse()) {
      const pauseMs = await this.#sendFirstOf(storageKey);
      if (pauseMs !== null) return pauseMs;
    }
    return null;
  }

  /** The same for one of the lists. */
  async #sendFirstOf(storageKey: string): Promise<number | null> {
    const nowMs = this.#parts.now();
    const [first] = await this.#change(storageKey, ([head, ...rest]) => (head === undefined ? [] : [tried(head, nowMs), ...rest]));
    if (first === undefined) return null;
    await this.#parts.opensEnded();
    if (nowMs - (first.triedAt ?? nowMs) > RETRIED_MS_MAX) {
      const cause = new Error('not sent again: its first attempt was 23 hours ago, and nobody knows whether it was stored');
      this.#parts.report({ operation: 'events', status: 0, problem: null, cause });
      return this.#drop(storageKey, first);
    }
    const outcome = await post(this.#parts.transport, 'events', first.event, first.key);
    if (outcome.kind === 'later') {
      this.#failures++;
      this.#notBeforeMs = this.#parts.now() + outcome.afterMs;
      return Math.max(outcome.afterMs, Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (this.#failures - 1)));
    }
    this.#failures = 0;
    if (outcome.kind === 'refused' && first.event.occurredAt !== undefined && isTimeRefused(outcome.failure)) {
      // The event's time comes from a wrong clock. Without it, the event counts as happening when the service receives it.
      const { occurredAt: _, ...event } = first.event;
      await this.#change(storageKey, (waiting) => waiting.map((each) => (each.key === first.key ? { ...each, event } : each)));
      return 0;
    }
    if (outcome.kind === 'refused') this.#parts.report(outcome.failure);
    return this.#drop(storageKey, first);
  }

  async #drop(storageKey: string, done: WaitingEvent): Promise<0> {
    await this.#change(storageKey, (waiting) => waiting.filter(({ key }) => key !== done.key));
    return 0;
  }

  #change(storageKey: string, change: (waiting: readonly WaitingEvent[]) => readonly WaitingEvent[]): Promise<readonly WaitingEvent[]> {
    const { storage } = this.#parts;
    return storage.alone(storageKey, async () => {
      const before = await storage.getItem(storageKey);
      const after = change(readList(before));
      const text = JSON.stringify(after);
      if (text !== (before ?? '[]')) await storage.setItem(storageKey, text);
      return after;
    });
  }
}

/** Notes that the event has been attempted, now or before. An older version has not noted it, so there it may have been at once. */
function tried(waiting: WaitingEvent, nowMs: number): WaitingEvent {
  const { event, triedAt = Date.parse(event.occurredAt ?? '') } = waiting;
  return { ...waiting, triedAt: triedAt || nowMs };
}

/** Whether the service refuses nothing about the event except its time. */
function isTimeRefused({ problem }: Failure): boolean {
  const fields = problem?.errors ?? [];
  return fields.length > 0 && fields.every(({ pointer }) => pointer === '/occurredAt');
}

/** Anything else in the storage was not written by this SDK. */
function readList(text: string | null): readonly WaitingEvent[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter((each) => each?.key && each.event) : [];
  } catch {
    return [];
  }
}
