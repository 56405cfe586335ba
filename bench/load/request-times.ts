import { treeCpuMicroseconds } from './process-cost.js';

/** One request over HTTP, warm, one after the other. */
export interface RequestTimes {
  readonly request: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** CPU time of PostgreSQL, which is most of it, for each. */
  readonly postgres_cpu_ms: number;
}

const WARM_UP = 20;
const CALLS = 200;

/** Asks for the URL again and again, and says how long that takes. */
export async function requestTimes(url: string, secretKey: string, postgresPid: number): Promise<Omit<RequestTimes, 'request'>> {
  const times: number[] = [];
  let cpuBefore = 0;
  for (let call = -WARM_UP; call < CALLS; call++) {
    if (call === 0) cpuBefore = treeCpuMicroseconds(postgresPid);
    const before = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${secretKey}` } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${body}`);
    if (call >= 0) times.push(performance.now() - before);
  }
  const postgres_cpu_ms = (treeCpuMicroseconds(postgresPid) - cpuBefore) / 1000 / CALLS;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { p50_ms: percentile(0.5), p95_ms: percentile(0.95), postgres_cpu_ms };
}
