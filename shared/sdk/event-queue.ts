import type { Camel } from './casing.js';
import { type ClientTransport, type Failure, post, TIMER_MS_MAX } from './client-http.js';
import type { components } from './client-types.js';
import { randomUuid, type Storage, surroundings } from './surroundings.js';

export type EventDetails = Omit<Camel<components['schemas']['TrackedEventCreate']>, 'name' | 'installId' | 'occurredAt'>;

interface WaitingEvent {
  /** The same for every attempt, so that no event is stored twice. */
  readonly key: string;
  readonly event: Camel<components['schemas']['TrackedEventCreate']>;
}

/** If there are more, the oldest event is dropped: an app that is offline for weeks must not fill its storage. */
const EVENTS_MAX = 100;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

export interface EventQueueParts {
  readonly transport: ClientTransport;
  readonly storage: Storage;
  readonly storageKey: string;
  readonly report: (failure: Failure) => void;
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
  /** Runs each reading, changing and writing of the stored list one after the other. */
  #storing: Promise<unknown> = Promise.resolve();

  constructor(parts: EventQueueParts) {
    this.#parts = parts;
    surroundings.addEventListener?.('online', () => void this.#goOn());
  }

  async add(event: WaitingEvent['event']): Promise<void> {
    await this.#change((waiting) => [...waiting, { key: randomUuid(), event }].slice(-EVENTS_MAX));
  }

  /** Sends what waits. Resolves when everything is sent, or an attempt has failed. */
  async flush(): Promise<void> {
    if (this.#state === 'paused' && Date.now() < this.#notBeforeMs) return;
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
    const [first] = await this.#change((waiting) => waiting);
    if (first === undefined) return null;
    const outcome = await post(this.#parts.transport, 'events', first.event, first.key);
    if (outcome.kind === 'later') {
      this.#failures++;
      this.#notBeforeMs = Date.now() + outcome.afterMs;
      return Math.max(outcome.afterMs, Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (this.#failures - 1)));
    }
    this.#failures = 0;
    if (outcome.kind === 'refused' && first.event.occurredAt !== undefined && isTimeRefused(outcome.failure)) {
      // The event's time comes from a wrong clock. Without it, the event counts as happening when the service receives it.
      const { occurredAt: _, ...event } = first.event;
      await this.#change((waiting) => waiting.map((each) => (each.key === first.key ? { key: first.key, event } : each)));
      return 0;
    }
    if (outcome.kind === 'refused') this.#parts.report(outcome.failure);
    await this.#change((waiting) => waiting.filter(({ key }) => key !== first.key));
    return 0;
  }

  #change(change: (waiting: readonly WaitingEvent[]) => readonly WaitingEvent[]): Promise<readonly WaitingEvent[]> {
    const { storage, storageKey } = this.#parts;
    const changed = this.#storing.then(async () => {
      const before = await storage.getItem(storageKey);
      const after = change(readList(before));
      const text = JSON.stringify(after);
      if (text !== before) await storage.setItem(storageKey, text);
      return after;
    });
    this.#storing = changed.catch(() => undefined);
    return changed;
  }
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
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
