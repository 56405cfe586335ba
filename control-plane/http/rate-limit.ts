import type { Clock } from '../../shared/base/clock.js';

const WINDOW_MS = 60_000;

/** Windows that ended are dropped when the map has grown this far; it holds keys that exist, so it stays small anyway. */
const WINDOWS_SWEEP = 10_000;

export interface RateDecision {
  readonly allowed: boolean;
  /** `ratelimit-*` of every answer to this key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;
}

export type RateLimiter = (keyId: string) => RateDecision;

const UNLIMITED: RateDecision = { allowed: true, headers: {}, retryAfterSeconds: 0 };

/**
 * Requests a minute for each key, in fixed windows that begin with a key's first request. The count is this process's
 * own: the limit protects the process, and a shared counter would put a write in front of every read. 0 turns it off.
 */
export function createRateLimiter(requestsPerMinute: number, clock: Clock): RateLimiter {
  if (requestsPerMinute === 0) return () => UNLIMITED;
  const windows = new Map<string, { endMs: number; count: number }>();
  return (keyId) => {
    const now = clock();
    let window = windows.get(keyId);
    if (window === undefined || window.endMs <= now || window.endMs > now + WINDOW_MS) {
      if (windows.size >= WINDOWS_SWEEP) for (const [key, { endMs }] of windows) if (endMs <= now) windows.delete(key);
      window = { endMs: now + WINDOW_MS, count: 0 };
      windows.set(keyId, window);
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
