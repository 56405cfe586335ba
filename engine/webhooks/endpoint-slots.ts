import { invariant } from '../../shared/base/invariant.js';

/**
 * How many deliveries may be under way, for each endpoint and in all. An endpoint starts at `CAP_FIRST`. Its cap grows by
 * one with each round of successes, that is by 1/cap with each, up to `CAP_MAX`, and is halved by each failure, down to one
 * (additive increase, multiplicative decrease, as TCP shares a link: Chiu and Jain, 1989). So an endpoint that answers
 * nothing comes down to one connection that waits its ten seconds, and the slots it gave up go to those that work. One
 * whole step for each success, which doubles the cap in every round, was measured and is no gain: over TLS it opened
 * 9,000 connections for 36,000 deliveries and cost twice the CPU time.
 */
export const CAP_FIRST = 8;
export const CAP_MAX = 128;
/** In all: with 2 KB of answer and some KB of body each, a few tens of MB at the worst. */
export const IN_FLIGHT_MAX = 2048;
/**
 * Of these, what endpoints that fail may take together: each is down to one slot, but a thousand of them that answer
 * nothing would hold all of it for ten seconds at a time.
 */
export const FAILING_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 4;
/** One claim: larger ones lengthen the statement's locks and gain nothing measurable. */
export const CLAIM_MAX = 512;

/**
 * How long what was learned of an endpoint outlives its last delivery. One that gets events at a steady rate has an empty
 * queue most of the time: were it new each time, whatever gathers while the host or PostgreSQL halts for a moment would
 * leave by `CAP_FIRST` at a time. After a minute nobody knows whether it still bears as much.
 */
const REMEMBERED_MS = 60_000;

interface EndpointState {
  /** Not a whole number: successes add fractions. */
  cap: number;
  inFlight: number;
  /** Monotonic milliseconds. */
  usedAtMs: number;
}

const NEW_ENDPOINT: Readonly<EndpointState> = { cap: CAP_FIRST, inFlight: 0, usedAtMs: 0 };

export interface Grant {
  readonly webhookIds: readonly string[];
  readonly slots: readonly number[];
}

/** Room that is left while a grant is made up. */
interface Room {
  readonly share: number;
  free: number;
  freeForFailing: number;
}

export class EndpointSlots {
  readonly #endpoints = new Map<string, EndpointState>();
  #inFlight = 0;
  #failingInFlight = 0;
  /** Round robin goes on behind the endpoint that was served last. */
  #lastServed = '';
  readonly #now: () => number;

  /** `now` is in monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Shares what is free among the endpoints that have something due, given in order of id. Each gets an equal share at
   * most, so that a long queue does not hold up the short ones; what a short one leaves over is shared by the next claim.
   */
  grant(dueIds: readonly string[]): Grant {
    const free = Math.min(CLAIM_MAX, IN_FLIGHT_MAX - this.#inFlight);
    const room: Room = {
      share: Math.max(1, Math.floor(free / Math.max(1, dueIds.length))),
      free,
      freeForFailing: FAILING_IN_FLIGHT_MAX - this.#failingInFlight,
    };
    const first = dueIds.findIndex((id) => id > this.#lastServed);
    const order = first <= 0 ? dueIds : [...dueIds.slice(first), ...dueIds.slice(0, first)];
    const webhookIds: string[] = [];
    const slots: number[] = [];
    for (const id of order) {
      if (room.free <= 0) break;
      const granted = this.#grantOne(id, room);
      if (granted <= 0) continue;
      webhookIds.push(id);
      slots.push(granted);
      this.#lastServed = id;
    }
    return { webhookIds, slots };
  }

  #grantOne(id: string, room: Room): number {
    const state = this.#endpoints.get(id) ?? NEW_ENDPOINT;
    const failing = isFailing(state);
    const granted = Math.min(room.share, room.free, Math.floor(state.cap) - state.inFlight, failing ? room.freeForFailing : CLAIM_MAX);
    if (granted <= 0) return 0;
    room.free -= granted;
    if (failing) room.freeForFailing -= granted;
    return granted;
  }

  taken(webhookId: string): void {
    const state = this.#endpoints.get(webhookId) ?? { ...NEW_ENDPOINT };
    this.#endpoints.set(webhookId, state);
    this.#become(state, state.cap, state.inFlight + 1);
  }

  /** `succeeded` is null where nothing was learned about the endpoint: the delivery was not sent. */
  released(webhookId: string, succeeded: boolean | null): void {
    const state = this.#endpoints.get(webhookId);
    invariant(state !== undefined && state.inFlight > 0, 'a slot is released once');
    let { cap } = state;
    if (succeeded === true) cap = Math.min(CAP_MAX, cap + 1 / cap);
    if (succeeded === false) cap = Math.max(1, cap / 2);
    this.#become(state, cap, state.inFlight - 1);
  }

  /** The one place where a state changes, so that the sums are always those of the states. */
  #become(state: EndpointState, cap: number, inFlight: number): void {
    this.#failingInFlight -= isFailing(state) ? state.inFlight : 0;
    this.#inFlight += inFlight - state.inFlight;
    state.cap = cap;
    state.inFlight = inFlight;
    state.usedAtMs = this.#now();
    this.#failingInFlight += isFailing(state) ? state.inFlight : 0;
  }

  /** Forgets the endpoints that had nothing queued and nothing under way for a minute, so that the memory is bounded by the queue. */
  keepOnly(queuedIds: ReadonlySet<string>): void {
    const usedBefore = this.#now() - REMEMBERED_MS;
    for (const [id, { inFlight, usedAtMs }] of this.#endpoints)
      if (inFlight === 0 && usedAtMs <= usedBefore && !queuedIds.has(id)) this.#endpoints.delete(id);
  }

  /** Whether the endpoint has all it may have, so that only a release can bring it on. */
  isFull(webhookId: string): boolean {
    if (this.#inFlight >= IN_FLIGHT_MAX) return true;
    const state = this.#endpoints.get(webhookId);
    if (state === undefined) return false;
    return state.inFlight >= Math.floor(state.cap) || (isFailing(state) && this.#failingInFlight >= FAILING_IN_FLIGHT_MAX);
  }
}

/** One that has come down to its last slot. It gets out of it by one success. */
function isFailing({ cap }: EndpointState): boolean {
  return cap < 2;
}
