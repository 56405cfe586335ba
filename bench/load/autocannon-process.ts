import autocannon from 'autocannon';
import type { LoadJob, LoadResult } from './client.js';
import { spreadOf } from './statistics.js';

/**
 * autocannon gives all connections of one run one list of requests, and builds it again for each. Several parallel
 * runs, each with its own part of the paths, request more distinct paths with the same memory.
 */
const RUNS = 8;
const PATHS_PER_RUN = 1_000;

function runOne(job: LoadJob, run: number): Promise<autocannon.Result> {
  const { port, headers, paths, connections, pipelining, seconds } = job;
  const requests = Array.from({ length: PATHS_PER_RUN }, (_, index) => ({
    method: 'GET' as const,
    path: paths[(run * PATHS_PER_RUN + index) % paths.length] as string,
  }));
  return new Promise((resolve, reject) => {
    const options = { url: `http://127.0.0.1:${port}`, connections: connections / RUNS, pipelining, duration: seconds, requests };
    autocannon({ ...options, headers: { ...headers } }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

async function run(job: LoadJob): Promise<LoadResult> {
  const results = await Promise.all(Array.from({ length: RUNS }, (_, index) => runOne(job, index)));
  const sum = (pick: (result: autocannon.Result) => number) => results.reduce((total, result) => total + pick(result), 0);
  const answered = sum(({ requests }) => requests.total);
  return {
    requests: answered,
    seconds: spreadOf(results.map(({ duration }) => duration)).max,
    failures:
      sum(({ errors, timeouts }) => errors + timeouts) +
      Math.max(0, answered - sum((result) => result[job.status === 302 ? '3xx' : '2xx'])),
    p50_ms: spreadOf(results.map(({ latency }) => latency.p50)).median,
    p99_ms: spreadOf(results.map(({ latency }) => latency.p99)).max,
  };
}

process.on('message', async (job: LoadJob) => {
  process.send?.(await run(job));
});
