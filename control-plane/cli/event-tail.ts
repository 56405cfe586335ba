import type { Event } from '../../shared/contract/schemas/event.js';
import type { EventType } from '../../shared/contract/schemas/events.js';
import type { ApiClient } from './api-client.js';

interface EventPage {
  readonly data: readonly Event[];
  readonly next_cursor: string | null;
}

/** An event may be committed this long after its time. */
const LATE_MS = 5000;
/** How often everything in the overlap is read again. In between, pages are read only until one has nothing new. */
const WHOLE_EVERY_MS = 2000;
/** How far back events are read again. A late event is in there when the whole of it is read next, even if that call takes long. */
const OVERLAP_MS = LATE_MS + 2 * WHOLE_EVERY_MS;
/** Clicks become events for a minute after they were last requested. */
const CLICKS_ASKED_EVERY_MS = 20_000;
const PAGE = 100;
/** Maximum number of pages read at a time: five thousand events. */
const PAGES_MAX = 50;

/**
 * Finds events of an environment as they occur, each once, the oldest first. It lists them repeatedly, beginning a little before
 * the newest one that it has seen, by the server's clock, and leaves out those that it has seen already.
 */
export class EventTail {
  readonly #client: ApiClient;
  readonly #types: ReadonlySet<EventType>;
  /** Ids and times of the events in the overlap. */
  readonly #seen = new Map<string, number>();
  #fromMs = 0;
  #clicksAskedAtMs = Number.NEGATIVE_INFINITY;
  #wholeReadAtMs = Number.NEGATIVE_INFINITY;

  constructor(client: ApiClient, types: ReadonlySet<EventType>) {
    this.#client = client;
    this.#types = types;
  }

  /** Begins with events from now on. Throws if the server refuses. */
  async start(): Promise<void> {
    const { serverTimeMs } = await this.#client.get<EventPage>('/events?limit=1');
    this.#fromMs = serverTimeMs;
    await this.#askForClicks();
  }

  /** Returns the new events. */
  async read(): Promise<readonly Event[]> {
    await this.#askForClicks();
    const beganMs = performance.now();
    const isWhole = beganMs - this.#wholeReadAtMs >= WHOLE_EVERY_MS;
    const fresh = await this.#readFresh(isWhole);
    if (isWhole) this.#wholeReadAtMs = beganMs;
    for (const event of fresh) this.#seen.set(event.id, Date.parse(event.created_at));
    const newestMs = fresh.reduce((newest, { created_at }) => Math.max(newest, Date.parse(created_at)), this.#fromMs + OVERLAP_MS);
    this.#fromMs = Math.max(this.#fromMs, newestMs - OVERLAP_MS);
    for (const [id, atMs] of this.#seen) if (atMs < this.#fromMs) this.#seen.delete(id);
    return fresh.filter(({ type }) => this.#types.has(type)).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Events before a page with nothing new may still be new: they were committed late. */
  async #readFresh(isWhole: boolean): Promise<readonly Event[]> {
    const [only] = this.#types;
    const filter = this.#types.size === 1 ? `&type=${only}` : '';
    const fresh: Event[] = [];
    let cursor = '';
    for (let page = 0; page < PAGES_MAX; page++) {
      const from = encodeURIComponent(new Date(this.#fromMs).toISOString());
      const { body } = await this.#client.get<EventPage>(`/events?limit=${PAGE}&from=${from}${filter}${cursor}`);
      const unseen = body.data.filter(({ id }) => !this.#seen.has(id));
      fresh.push(...unseen);
      if ((unseen.length === 0 && !isWhole) || body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    return fresh;
  }

  async #askForClicks(): Promise<void> {
    if (!this.#types.has('click.created') || performance.now() - this.#clicksAskedAtMs < CLICKS_ASKED_EVERY_MS) return;
    await this.#client.get('/events?type=click.created&limit=1');
    this.#clicksAskedAtMs = performance.now();
  }
}
