import { invariant } from '../../shared/base/invariant.js';

/**
 * Limits the deliveries that are under way: for each endpoint and each receiving host, where this host takes its share of the
 * limit, and for this host in total. Replays and tests are a queue of their own (queue-scan.ts) with limits of its own: a test does
 * not wait behind the events of an endpoint that does not respond. A queue starts at `CAP_FIRST`. Its cap grows by one with each round of successes, that is
 * by 1/cap with each success, up to `CAP_MAX`. It is halved by each failure, down to one (additive increase, multiplicative
 * decrease, as TCP shares a link: Chiu and Jain, 1989). So an endpoint that never answers comes down to one connection that waits
 * its ten seconds, and the slots that it gave up go to endpoints that work. Growing by one with each success, which doubles the
 * cap in every round, was measured and gains nothing: over TLS it opened 9,000 connections for 36,000 deliveries and cost twice
 * the CPU time.
 */
export const CAP_FIRST = 8;
export const CAP_MAX = 128;
/** The limit in total. With 2 KB of answer and some KB of body for each, this takes a few tens of MB at worst. */
export const IN_FLIGHT_MAX = 2048;
/**
 * The part of these slots that failing endpoints may take together. Each of them is down to one slot, but a thousand that do not
 * respond would otherwise take all slots for ten seconds at a time.
 */
export const FAILING_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 4;
/**
 * Limit of concurrent deliveries to one receiving host, over all endpoints and all our hosts. Without it, many endpoints of many
 * environments could together flood a server of somebody else.
 */
export const HOST_IN_FLIGHT_MAX = CAP_MAX;
/** The limit of one claim. Larger claims lengthen the statement's locks and gain nothing measurable. */
export const CLAIM_MAX = 512;

/**
 * How long to remember what was learned about an endpoint after its last delivery. An endpoint that gets events at a steady rate
 * has an empty queue most of the time. If it were new each time, whatever gathers while the host or PostgreSQL halts for a moment
 * would be sent `CAP_FIRST` at a time. After a minute nobody knows whether the endpoint can still take as much.
 */
const REMEMBERED_MS = 60_000;

interface QueueState {
  /** May be fractional, because successes add fractions. */
  cap: number;
  inFlight: number;
  /** Monotonic milliseconds. */
  usedAtMs: number;
}

const NEW_QUEUE: Readonly<QueueState> = { cap: CAP_FIRST, inFlight: 0, usedAtMs: 0 };

/** A queue (`queueOf`) and the host that its endpoint is on. */
export interface SlotKey {
  readonly queue: string;
  readonly host: string;
}

export interface Grant {
  readonly queues: readonly string[];
  readonly slots: readonly number[];
}

/** The room that is left while a grant is computed. */
interface Room {
  readonly share: number;
  free: number;
  freeForFailing: number;
  /** By host, for hosts that something was granted for. */
  readonly freeOfHosts: Map<string, number>;
}

export class EndpointSlots {
  readonly #queues = new Map<string, QueueState>();
  /** By host; only hosts with deliveries under way. */
  readonly #hosts = new Map<string, number>();
  #inFlight = 0;
  #failingInFlight = 0;
  /** The endpoint that was served last. Round robin continues with the one after it. */
  #lastServed = '';
  readonly #now: () => number;
  readonly #deliveringHosts: () => number;

  /** `now` returns monotonic milliseconds. `deliveringHosts` returns how many hosts share the limits of receivers; 0 grants nothing. */
  constructor(now: () => number = () => performance.now(), deliveringHosts: () => number = () => 1) {
    this.#now = now;
    this.#deliveringHosts = deliveringHosts;
  }

  /**
   * Returns this host's part of what all hosts may have under way. The parts add up to the whole or a little less, but each is at
   * least 1.
   */
  #share(whole: number): number {
    const hosts = this.#deliveringHosts();
    return hosts === 0 ? 0 : Math.max(1, Math.floor(whole / hosts));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Divides what is free among the endpoints that have something due, given in order of id. Each gets at most an equal share, so
   * that a long queue does not hold up the short ones. The next claim divides what a short queue leaves over.
   */
  grant(due: readonly SlotKey[]): Grant {
    const free = Math.min(CLAIM_MAX, IN_FLIGHT_MAX - this.#inFlight);
    const room: Room = {
      share: Math.max(1, Math.floor(free / Math.max(1, due.length))),
      free,
      freeForFailing: FAILING_IN_FLIGHT_MAX - this.#failingInFlight,
      freeOfHosts: new Map(),
    };
    const first = due.findIndex(({ queue }) => queue > this.#lastServed);
    const order = first <= 0 ? due : [...due.slice(first), ...due.slice(0, first)];
    const queues: string[] = [];
    const slots: number[] = [];
    for (const key of order) {
      if (room.free <= 0) break;
      const granted = this.#grantOne(key, room);
      if (granted <= 0) continue;
      queues.push(key.queue);
      slots.push(granted);
      this.#lastServed = key.queue;
    }
    return { queues, slots };
  }

  #grantOne({ queue, host }: SlotKey, room: Room): number {
    const state = this.#queues.get(queue) ?? NEW_QUEUE;
    const failing = isFailing(state);
    const freeOfHost = room.freeOfHosts.get(host) ?? this.#share(HOST_IN_FLIGHT_MAX) - this.#inFlightOf(host);
    const ofEndpoint = Math.min(Math.floor(state.cap), this.#share(CAP_MAX)) - state.inFlight;
    const granted = Math.min(room.share, room.free, ofEndpoint, freeOfHost, failing ? room.freeForFailing : CLAIM_MAX);
    if (granted <= 0) return 0;
    room.free -= granted;
    room.freeOfHosts.set(host, freeOfHost - granted);
    if (failing) room.freeForFailing -= granted;
    return granted;
  }

  taken({ queue, host }: SlotKey): void {
    const state = this.#queues.get(queue) ?? { ...NEW_QUEUE };
    this.#queues.set(queue, state);
    this.#become(state, state.cap, state.inFlight + 1);
    this.#hosts.set(host, this.#inFlightOf(host) + 1);
  }

  /**
   * `key` is the one with which the slot was taken. `succeeded` is null if nothing was learned about the endpoint, because the
   * delivery was not sent.
   */
  released({ queue, host }: SlotKey, succeeded: boolean | null): void {
    const state = this.#queues.get(queue);
    invariant(state !== undefined && state.inFlight > 0, 'a slot is released once');
    let { cap } = state;
    if (succeeded === true) cap = Math.min(Math.max(1, this.#share(CAP_MAX)), cap + 1 / cap);
    if (succeeded === false) cap = Math.max(1, cap / 2);
    this.#become(state, cap, state.inFlight - 1);
    const leftOfHost = this.#inFlightOf(host) - 1;
    if (leftOfHost > 0) this.#hosts.set(host, leftOfHost);
    else this.#hosts.delete(host);
  }

  #inFlightOf(host: string): number {
    return this.#hosts.get(host) ?? 0;
  }

  /** The only place where a state changes, so that the sums always match the states. */
  #become(state: QueueState, cap: number, inFlight: number): void {
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
    for (const [id, { inFlight, usedAtMs }] of this.#queues)
      if (inFlight === 0 && usedAtMs <= usedBefore && !queuedIds.has(id)) this.#queues.delete(id);
  }

  /** Whether the endpoint has all slots that it may have, so that only a release lets it go on. */
  isFull({ queue, host }: SlotKey): boolean {
    if (this.#inFlight >= IN_FLIGHT_MAX || this.#inFlightOf(host) >= this.#share(HOST_IN_FLIGHT_MAX)) return true;
    const state = this.#queues.get(queue);
    if (state === undefined) return false;
    return (
      state.inFlight >= Math.min(Math.floor(state.cap), this.#share(CAP_MAX)) ||
      (isFailing(state) && this.#failingInFlight >= FAILING_IN_FLIGHT_MAX)
    );
  }
}

/** Whether the endpoint has come down to its last slot. One success ends that. */
function isFailing({ cap }: QueueState): boolean {
  return cap < 2;
}
