/** One request of statistics. */
export interface StatisticsSample {
  readonly path: string;
  readonly asked_at_ms: number;
  readonly status: number;
  readonly ms: number;
  /** How far `as_of` of the answer is behind the moment of the request; null if the answer has none. */
  readonly lag_ms: number | null;
}

export interface StatisticsPoll {
  /** Ends after the requests that are under way, and returns all of them in the order of their requests. */
  stop(): Promise<readonly StatisticsSample[]>;
}

/**
 * The interval of requests. They go on while an answer is late, as with many dashboards: a slow answer must not hide
 * those that would have come after it.
 */
const ASK_MS = 250;

/** Requests each of the paths in turn until it is stopped. */
export function startStatisticsPoll(url: string, secretKey: string, paths: readonly string[]): StatisticsPoll {
  const requests: Promise<StatisticsSample>[] = [];
  const failures: unknown[] = [];
  const timer = setInterval(() => {
    const request = sampleOf(url, secretKey, paths[requests.length % paths.length] as string);
    // Reported by `stop`, which may be seconds away.
    request.catch((error: unknown) => failures.push(error));
    requests.push(request);
  }, ASK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(requests);
      if (failures.length > 0) throw failures[0];
      return Promise.all(requests);
    },
  };
}

export interface StatisticsAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

export async function askStatistics<Body>(url: string, secretKey: string, path: string): Promise<StatisticsAnswer<Body>> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secretKey}` } });
  return { status: answer.status, body: (await answer.json()) as Body };
}

async function sampleOf(url: string, secretKey: string, path: string): Promise<StatisticsSample> {
  const asked_at_ms = Date.now();
  const before = performance.now();
  const { status, body } = await askStatistics<{ readonly as_of?: string }>(url, secretKey, path);
  const ms = performance.now() - before;
  return { path, asked_at_ms, status, ms, lag_ms: body.as_of === undefined ? null : asked_at_ms - Date.parse(body.as_of) };
}
