import type { Clock } from '../../shared/base/clock.js';
import { RATE_WINDOWS_MAX } from '../../shared/base/limits.js';
import { ALONE, type Share } from '../peers/peers.js';
import { refuse } from './problems.js';

const WINDOW_MS = 60_000;

export interface RateDecision {
  readonly allowed: boolean;
  /** `ratelimit-*` headers for every response to this caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;
}

const UNLIMITED: RateDecision = { allowed: true, headers: {}, retryAfterSeconds: 0 };

interface Window {
  readonly endMs: number;
  count: number;
}

/**
 * Limits the requests per minute of each caller, in fixed windows that begin with the caller's first request. A caller is the id
 * of a key or an address, see `addressOfLimit`. Each of several control planes counts on its own, up to its share of the limit,
 * because a shared counter would need a write before every read. Responses show the share. 0 turns the limit off.
 * Windows are kept in the order in which they began, so that expired ones are found without a search. If there are more
 * callers than can be kept, the oldest window is dropped early.
 */
export class RateLimiter {
  readonly #requestsPerMinute: number;
  readonly #clock: Clock;
  readonly #share: () => Share;
  readonly #windows = new Map<string, Window>();

  constructor(requestsPerMinute: number, clock: Clock, share: () => Share = () => ALONE) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
    this.#share = share;
  }

  /** The share of this control plane. It is at least 1: if the limit is below the number of control planes, it is exceeded. */
  #limit(): number {
    const { rank, count } = this.#share();
    return Math.max(1, Math.ceil((this.#requestsPerMinute - rank) / count));
  }

  /** Counts a request. */
  count(caller: string): RateDecision {
    if (this.#requestsPerMinute === 0) return UNLIMITED;
    const now = this.#clock();
    const window = this.#current(caller, now) ?? this.#begin(caller, now);
    window.count++;
    return this.#decision(window, now);
  }

  /** Returns the refusal of a caller that has used up its minute; null for any other. Counts nothing. */
  spent(caller: string): RateDecision | null {
    const now = this.#clock();
    const window = this.#current(caller, now);
    return window === null || window.count < this.#limit() ? null : { ...this.#decision(window, now), allowed: false };
  }

  /** Takes back a request that was counted. */
  giveBack(caller: string): void {
    const window = this.#current(caller, this.#clock());
    if (window !== null) window.count = Math.max(0, window.count - 1);
  }

  #current(caller: string, now: number): Window | null {
    const window = this.#windows.get(caller);
    return window === undefined || window.endMs <= now || window.endMs > now + WINDOW_MS ? null : window;
  }

  #begin(caller: string, now: number): Window {
    this.#windows.delete(caller);
    for (const [oldest, { endMs }] of this.#windows) {
      if (endMs > now && this.#windows.size < RATE_WINDOWS_MAX) break;
      this.#windows.delete(oldest);
    }
    const window = { endMs: now + WINDOW_MS, count: 0 };
    this.#windows.set(caller, window);
    return window;
  }

  #decision({ count, endMs }: Window, now: number): RateDecision {
    const reset = Math.ceil((endMs - now) / 1000);
    const limit = this.#limit();
    return {
      allowed: count <= limit,
      retryAfterSeconds: reset,
      headers: {
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': String(Math.max(0, limit - count)),
        'ratelimit-reset': String(reset),
      },
    };
  }
}

/** Throws 429 unless the decision allows the request. `detail` is a sentence for the caller. */
export function refuseOverLimit({ allowed, headers, retryAfterSeconds }: RateDecision, detail: string): void {
  if (!allowed) throw refuse('rate_limited', detail, { ...headers, 'retry-after': String(retryAfterSeconds) });
}
