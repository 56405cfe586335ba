import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProcess, forkPinned, nextMessage } from '../load/pinned-process.js';

/** The job of a process of visitors. */
export interface VisitorsJob {
  readonly port: number;
  readonly host: string;
  /** Without their leading slash. */
  readonly paths: readonly string[];
  readonly connections: number;
  /** Visits a second, whether or not earlier ones are answered. */
  readonly rate: number;
}

/** Times of answers, from the moment a visit was due. The time that it had to wait for a connection counts too. */
export interface VisitorsResult {
  readonly answered: number;
  readonly per_second: number;
  /** Visits that were not redirected, or not answered at all. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
}

/** What the process is ordered to do afterwards: to count from now on, and to end. */
export type VisitorsOrder = 'begin' | 'stop';

/** Until its code is compiled, a client is slower than the server. */
const WARM_UP_MS = 1_500;

const isResult = (message: unknown): message is VisitorsResult => typeof (message as VisitorsResult | null)?.answered === 'number';

/** Sends visits, from a process of its own, for as long as `work` takes. Those of a warm-up before it do not count. */
export async function visitDuring(job: VisitorsJob, work: () => Promise<void>): Promise<VisitorsResult> {
  const child = forkPinned(null, fileURLToPath(new URL('./visitors-process.js', import.meta.url)), process.env);
  try {
    child.send(job);
    await setTimeout(WARM_UP_MS);
    child.send('begin' satisfies VisitorsOrder);
    await Promise.race([work(), nextMessage(child, isResult).then(() => Promise.reject(new Error('the visitors ended too early')))]);
    const result = nextMessage(child, isResult);
    child.send('stop' satisfies VisitorsOrder);
    return await result;
  } finally {
    await endProcess(child);
  }
}
