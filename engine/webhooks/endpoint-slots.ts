import { invariant } from '../../shared/base/invariant.js';

/**
 * How many deliveries may be under way, for each endpoint and in all. An endpoint starts at `CAP_FIRST`; each success
 * adds one, up to `CAP_MAX`, and each failure halves it, down to one (additive increase, multiplicative decrease, as TCP
 * shares a link: Chiu and Jain, 1989). So an endpoint that answers nothing comes down to one connection that waits its
 * ten seconds, and the slots it gave up go to those that work.
 */
export const CAP_FIRST = 8;
export const CAP_MAX = 128;
/** In all: with 2 KB of answer and some KB of body each, a few tens of MB at the worst. */
export const IN_FLIGHT_MAX = 2048;
/** One claim: larger ones lengthen the statement's locks and gain nothing measurable. */
export const CLAIM_MAX = 512;

interface EndpointState {
  cap: number;
  inFlight: number;
}

export interface Grant {
  readonly webhookIds: readonly string[];
  readonly slots: readonly number[];
}

export class EndpointSlots {
  readonly #endpoints = new Map<string, EndpointState>();
  #inFlight = 0;
  /** Round robin goes on behind the endpoint that was served last. */
  #lastServed = '';

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Shares what is free among the endpoints that have something due, given in order of id. Each gets an equal share at
   * most, so that a long queue does not hold up the short ones; what a short one leaves over is shared by the next claim.
   */
  grant(dueIds: readonly string[]): Grant {
    let free = Math.min(CLAIM_MAX, IN_FLIGHT_MAX - this.#inFlight);
    const share = Math.max(1, Math.floor(free / Math.max(1, dueIds.length)));
    const first = dueIds.findIndex((id) => id > this.#lastServed);
    const order = first <= 0 ? dueIds : [...dueIds.slice(first), ...dueIds.slice(0, first)];
    const webhookIds: string[] = [];
    const slots: number[] = [];
    for (const id of order) {
      if (free <= 0) break;
      const { cap, inFlight } = this.#endpoints.get(id) ?? { cap: CAP_FIRST, inFlight: 0 };
      const granted = Math.min(share, free, cap - inFlight);
      if (granted <= 0) continue;
      webhookIds.push(id);
      slots.push(granted);
      free -= granted;
      this.#lastServed = id;
    }
    return { webhookIds, slots };
  }

  taken(webhookId: string): void {
    const state = this.#endpoints.get(webhookId) ?? { cap: CAP_FIRST, inFlight: 0 };
    state.inFlight++;
    this.#endpoints.set(webhookId, state);
    this.#inFlight++;
  }

  /** `succeeded` is null where nothing was learned about the endpoint: the delivery was not sent. */
  released(webhookId: string, succeeded: boolean | null): void {
    const state = this.#endpoints.get(webhookId);
    invariant(state !== undefined && state.inFlight > 0, 'a slot is released once');
    state.inFlight--;
    this.#inFlight--;
    if (succeeded === true) state.cap = Math.min(CAP_MAX, state.cap + 1);
    if (succeeded === false) state.cap = Math.max(1, state.cap >> 1);
  }

  /** Forgets the endpoints with nothing queued and nothing under way, so that the memory is bounded by the queue. */
  keepOnly(queuedIds: ReadonlySet<string>): void {
    for (const [id, state] of this.#endpoints) if (state.inFlight === 0 && !queuedIds.has(id)) this.#endpoints.delete(id);
  }

  /** Whether the endpoint has all it may have, so that only a release can bring it on. */
  isFull(webhookId: string): boolean {
    const state = this.#endpoints.get(webhookId);
    return this.#inFlight >= IN_FLIGHT_MAX || (state !== undefined && state.inFlight >= state.cap);
  }
}
