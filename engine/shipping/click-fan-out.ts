import type { BacklogGrowth } from '../webhooks/backlog-sql.js';
import type { ClickReceiver } from './rows/sql.js';
import type { ClickSubscriber } from './sql.js';

/** State of one environment's clicks in a batch. */
interface EnvironmentClicks {
  clicks: number;
  /** The largest room of any subscriber. */
  readonly room: number;
  readonly receivers: ClickReceiver[];
}

/**
 * How many events of a batch are stored for clients that list them. Ten batches are shipped a second, so this is as much as a
 * person can follow.
 */
const LISTENED_CLICKS_MAX = 100;

/**
 * The endpoints that receive the clicks of one batch. An endpoint is sent the first ones, as many as its backlog has room for.
 * The others are only counted for it, without making a body. So an endpoint that cannot keep up costs the shipper only what it
 * does accept, and clicks continue into the click log at full speed.
 */
export class ClickFanOut {
  readonly #environments = new Map<number, EnvironmentClicks>();
  /** The environment that was last asked for, because clicks of one environment come in runs. */
  #newest = -1;
  #newestEnvironment: EnvironmentClicks | undefined;

  /** `backlogMax` limits the deliveries of clicks that may wait for one endpoint. */
  constructor(subscribers: readonly ClickSubscriber[], backlogMax: number) {
    for (const { number, webhook_id, queued } of subscribers) {
      const room = webhook_id === null ? LISTENED_CLICKS_MAX : Math.max(0, backlogMax - queued);
      const environment = this.#environments.get(number) ?? { clicks: 0, room: 0, receivers: [] };
      if (webhook_id !== null) environment.receivers.push({ webhook_id, room });
      this.#environments.set(number, { ...environment, room: Math.max(environment.room, room) });
    }
  }

  get isEmpty(): boolean {
    return this.#environments.size === 0;
  }

  /** Counts a click. Returns its number within its environment and this batch, or -1 if it is not sent to any subscriber. */
  count(environmentNumber: number): number {
    if (environmentNumber !== this.#newest) {
      this.#newest = environmentNumber;
      this.#newestEnvironment = this.#environments.get(environmentNumber);
    }
    const environment = this.#newestEnvironment;
    if (environment === undefined) return -1;
    const number = environment.clicks++;
    return number < environment.room ? number : -1;
  }

  receivers(): readonly ClickReceiver[] {
    return [...this.#environments.values()].flatMap(({ receivers }) => receivers);
  }

  /** Returns how the batch changed the backlogs, given how many deliveries were actually queued. */
  growth(queued: ReadonlyMap<string, number>): readonly BacklogGrowth[] {
    return [...this.#environments.values()].flatMap(({ clicks, receivers }) =>
      receivers
        .map(({ webhook_id, room }) => ({ webhook_id, queued: queued.get(webhook_id) ?? 0, dropped: Math.max(0, clicks - room) }))
        .filter((growth) => growth.queued > 0 || growth.dropped > 0),
    );
  }
}
