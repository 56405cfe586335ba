import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProcess, nextMessage } from '../load/pinned-process.js';
import { type Spread, spreadOf } from '../load/statistics.js';
import { trusting } from './dispatcher.js';
import { type Certificate, type Scheme, withReceiver } from './receivers.js';
import type { ThreadsJob, ThreadsResult } from './threads-process.js';

/** The delivery threads alone. */
export interface ThreadsMeasurement {
  readonly scheme: Scheme;
  readonly deliveries_per_second: Spread;
  readonly main_thread_us_per_delivery: Spread;
  readonly cpu_us_per_delivery: Spread;
  readonly failures: number;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  readonly scheme: Scheme;
}

const THREADS = 2;
const ENTRY = fileURLToPath(new URL('threads-process.js', import.meta.url));

export async function measureThreads({ rounds, seconds, scheme }: Rounds, certificate: Certificate): Promise<ThreadsMeasurement> {
  const tls = scheme === 'https' ? certificate : null;
  const results = await withReceiver({ tls, noteArrivals: false }, async ({ origin }) => {
    const job: ThreadsJob = { origin, threads: THREADS, seconds };
    const done: ThreadsResult[] = [];
    for (let round = 0; round < rounds; round++) {
      const child = fork(ENTRY, [JSON.stringify(job)], { env: trusting(tls) });
      done.push(await nextMessage(child, (message): message is ThreadsResult => (message as { kind?: unknown }).kind === 'result'));
      await endProcess(child);
    }
    return done;
  });
  return {
    scheme,
    deliveries_per_second: spreadOf(results.map(({ deliveries, seconds: took }) => deliveries / took)),
    main_thread_us_per_delivery: spreadOf(results.map(({ main_thread_us, deliveries }) => main_thread_us / deliveries)),
    cpu_us_per_delivery: spreadOf(results.map(({ cpu_us, deliveries }) => cpu_us / deliveries)),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  };
}
