import autocannon from 'autocannon';
import type { LoadJob, LoadResult } from './client.js';

/** Paths of one connection. All connections together ask for 64 times as many. */
const PATHS_PER_CONNECTION = 500;

function run({ port, headers, paths, connections, pipelining, seconds }: LoadJob): Promise<LoadResult> {
  let next = 0;
  return new Promise((resolve, reject) => {
    autocannon(
      {
        url: `http://127.0.0.1:${port}`,
        connections,
        pipelining,
        duration: seconds,
        headers: { ...headers },
        setupClient(client) {
          const requests = Array.from({ length: PATHS_PER_CONNECTION }, () => ({
            method: 'GET' as const,
            path: paths[next++ % paths.length] as string,
            headers: { ...headers },
          }));
          client.setRequests(requests);
        },
      },
      (error, result) => {
        if (error) return reject(error);
        const answered = result.requests.total;
        const redirects = result['3xx'];
        resolve({
          requests: answered,
          seconds: result.duration,
          failures: result.errors + result.timeouts + Math.max(0, answered - redirects),
          p50_ms: result.latency.p50,
          p99_ms: result.latency.p99,
        });
      },
    );
  });
}

process.once('message', async (job: LoadJob) => {
  process.send?.(await run(job));
});
