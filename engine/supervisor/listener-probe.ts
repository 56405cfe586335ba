import { request } from 'node:http';
import type { Scheduler } from '../../shared/base/scheduler.js';

/** A probe every second costs the host one request in thousands; five minutes of probes give a tail of one in a hundred. */
export const PROBE_INTERVAL_MS = 1_000;
/** A probe without an answer by then has failed. As many probes as this has seconds may wait at the same time. */
export const PROBE_DEADLINE_MS = 5_000;
/** In seconds. The last one is below the deadline, so that a failed probe is above all of them. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The page of the link hosts that needs no link. The request is accepted, read, routed and answered as for a redirect. */
const PATH = '/health/live';

export interface ListenerProbeInput {
  /** The port of the link hosts. */
  readonly port: number;
  /** The address on which they listen. For `0.0.0.0` the probe connects to loopback. */
  readonly host: string;
  readonly schedule: Scheduler;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/**
 * Measures how long a visitor waits, from the host itself: once a second over a connection of its own to the port of the link
 * hosts, which the kernel gives to any of the redirect processes. `shared/decisions/2026-11-24-time-of-redirects.md` says why the
 * time is not measured inside them.
 */
export class ListenerProbe {
  readonly #input: ListenerProbeInput;
  readonly #counts = new Array<number>(BUCKETS.length).fill(0);
  #probes = 0;
  #failures = 0;
  #seconds = 0;
  #cancel: (() => void) | null = null;

  constructor(input: ListenerProbeInput) {
    this.#input = input;
  }

  start(): void {
    this.#cancel ??= this.#input.schedule(PROBE_INTERVAL_MS, () => this.#turn());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  stats(): { readonly probes: number; readonly failures: number; readonly seconds: number } {
    return { probes: this.#probes, failures: this.#failures, seconds: this.#seconds };
  }

  /** The number of probes that took no longer than each bound, in seconds. Failed ones took longer than every bound but the last. */
  histogram(): readonly { readonly le: number | '+Inf'; readonly probes: number }[] {
    const bounded = BUCKETS.map((le, index) => ({ le, probes: this.#counts[index] as number }));
    return [...bounded, { le: '+Inf', probes: this.#probes }];
  }

  /** The next probe does not wait for this one, because a slow answer would hide how long others wait meanwhile. */
  #turn(): void {
    this.#cancel = this.#input.schedule(PROBE_INTERVAL_MS, () => this.#turn());
    const beganAtMs = this.#input.now();
    const outgoing = request({ host: reachable(this.#input.host), port: this.#input.port, path: PATH, agent: false });
    const settle = once((ok: boolean) => {
      this.#note(ok ? (this.#input.now() - beganAtMs) / 1000 : PROBE_DEADLINE_MS / 1000, ok);
      cancelDeadline();
      outgoing.destroy();
    });
    const cancelDeadline = this.#input.schedule(PROBE_DEADLINE_MS, () => settle(false));
    outgoing.on('response', ({ statusCode }) => settle(statusCode === 200));
    outgoing.on('error', () => settle(false));
    outgoing.end();
  }

  #note(seconds: number, ok: boolean): void {
    this.#probes++;
    this.#seconds += seconds;
    if (!ok) this.#failures++;
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) this.#counts[index] = (this.#counts[index] as number) + 1;
    });
  }
}

function once(run: (ok: boolean) => void): (ok: boolean) => void {
  let done = false;
  return (ok) => {
    if (done) return;
    done = true;
    run(ok);
  };
}

function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}
