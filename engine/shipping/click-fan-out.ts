import { invariant } from '../../shared/base/invariant.js';
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

  readonly #backlogMax: number;

  /** `backlogMax` limits the deliveries of clicks that may wait for one endpoint. */
  constructor(backlogMax: number) {
    this.#backlogMax = backlogMax;
  }

  /** Whether the subscribers of the environment are known. */
  knows(environmentNumber: number): boolean {
    return this.#environments.has(environmentNumber);
  }

  /** Adds environments, with all of their subscribers. */
  add(environmentNumbers: readonly number[], subscribers: readonly ClickSubscriber[]): void {
    for (const number of environmentNumbers) this.#environments.set(number, { clicks: 0, room: 0, receivers: [] });
    for (const { number, webhook_id, queued } of subscribers) {
      const room = webhook_id === null ? LISTENED_CLICKS_MAX : Math.max(0, this.#backlogMax - queued);
      const environment = this.#environments.get(number);
      invariant(environment !== undefined, 'subscribers belong to environments that are added');
      if (webhook_id !== null) environment.receivers.push({ webhook_id, room });
      this.#environments.set(number, { ...environment, room: Math.max(environment.room, room) });
    }
    this.#newest = -1;
  }

  /** Whether events may be stored for any of the environments. */
  get hasRoom(): boolean {
    return [...this.#environments.values()].some(({ room }) => room > 0);
  }

  /**
   * Counts a click of an environment that is known. Returns its number within its environment and this batch, or -1 if it is not sent to any
   * subscriber.
   */
  count(environmentNumber: number): number {
    if (environmentNumber !== this.#newest) {
      this.#newest = environmentNumber;
      this.#newestEnvironment = this.#environments.get(environmentNumber);
    }
    const environment = this.#newestEnvironment;
    invariant(environment !== undefined, 'the subscribers of an environment are read before its clicks become rows');
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
