import { treeCpuMicroseconds } from './process-cost.js';

/** Times of one request over HTTP, warm, one call after the other. */
export interface RequestTimes {
  readonly request: string;
  /** 422 if any call was refused because its days could not be counted in time. */
  readonly status: 200 | 422;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** CPU time of the database for each call, which is most of the CPU time. */
  readonly database_cpu_ms: number;
}

const CALLS_MAX = 200;
/** Enough for a 95th percentile of requests that take seconds. */
const CALLS_MIN = 20;
const MEASURED_MS = 15_000;
/** Calls and time of the warm-up, as a share of those that are measured. */
const WARM_UP = 0.1;

/** Requests each path of the API again and again, for some seconds, and returns how long that takes. */
export async function requestTimes(
  apiUrl: string,
  paths: readonly string[],
  secretKey: string,
  databasePid: number,
): Promise<readonly RequestTimes[]> {
  const times: RequestTimes[] = [];
  for (const request of paths) times.push({ request, ...(await timesOf(`${apiUrl}${request}`, secretKey, databasePid)) });
  return times;
}

async function timesOf(url: string, secretKey: string, databasePid: number): Promise<Omit<RequestTimes, 'request'>> {
  let status: RequestTimes['status'] = 200;
  const call = async (): Promise<number> => {
    const before = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${secretKey}` } });
    const body = await answer.text();
    if (answer.status !== 200 && answer.status !== 422) throw new Error(`${url} was answered ${answer.status}: ${body}`);
    if (answer.status === 422) status = 422;
    return performance.now() - before;
  };
  const warmUntil = performance.now() + MEASURED_MS * WARM_UP;
  for (let calls = 0; calls < CALLS_MAX * WARM_UP && performance.now() < warmUntil; calls++) await call();
  const times: number[] = [];
  const cpuBefore = treeCpuMicroseconds(databasePid);
  const until = performance.now() + MEASURED_MS;
  while (times.length < CALLS_MIN || (times.length < CALLS_MAX && performance.now() < until)) times.push(await call());
  const database_cpu_ms = (treeCpuMicroseconds(databasePid) - cpuBefore) / 1000 / times.length;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { status, p50_ms: percentile(0.5), p95_ms: percentile(0.95), database_cpu_ms };
}
