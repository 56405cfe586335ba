import type { Clock } from '../../shared/base/clock.js';
import { RATE_WINDOWS_MAX } from '../../shared/base/limits.js';
import { networkOf } from '../../shared/net/address.js';

const WINDOW_MS = 60_000;

export interface RateDecision {
  readonly allowed: boolean;
  /** `ratelimit-*` of every answer to this caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;
}

/** `caller` is a key's id or an address, see `addressOfLimit`. */
export type RateLimiter = (caller: string) => RateDecision;

const UNLIMITED: RateDecision = { allowed: true, headers: {}, retryAfterSeconds: 0 };

/**
 * Requests a minute for each caller, in fixed windows that begin with a caller's first request. The count is this process's
 * own: the limit protects the process, and a shared counter would put a write in front of every read. 0 turns it off.
 * Windows stand in the order of their beginning, so that those that are over are found without looking at the others; where
 * somebody calls from more addresses than are kept, the oldest window is forgotten before its time.
 */
export function createRateLimiter(requestsPerMinute: number, clock: Clock): RateLimiter {
  if (requestsPerMinute === 0) return () => UNLIMITED;
  const windows = new Map<string, { endMs: number; count: number }>();
  return (caller) => {
    const now = clock();
    let window = windows.get(caller);
    if (window === undefined || window.endMs <= now || window.endMs > now + WINDOW_MS) {
      windows.delete(caller);
      for (const [oldest, { endMs }] of windows) {
        if (endMs > now && windows.size < RATE_WINDOWS_MAX) break;
        windows.delete(oldest);
      }
      window = { endMs: now + WINDOW_MS, count: 0 };
      windows.set(caller, window);
    }
    window.count++;
    const reset = Math.ceil((window.endMs - now) / 1000);
    return {
      allowed: window.count <= requestsPerMinute,
      retryAfterSeconds: reset,
      headers: {
        'ratelimit-limit': String(requestsPerMinute),
        'ratelimit-remaining': String(Math.max(0, requestsPerMinute - window.count)),
        'ratelimit-reset': String(reset),
      },
    };
  };
}

/** What stands for an address in a limit: its network, since whoever has an IPv6 address has 2^64 of them. */
export function addressOfLimit(address: string): string {
  const network = networkOf(address);
  return network === null ? address : Buffer.from(network).toString('latin1');
}
