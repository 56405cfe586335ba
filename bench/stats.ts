import { figuresKeptFrom } from '../control-plane/click-figures/days.js';
import { rebuildFigures } from '../control-plane/click-figures/rebuild.js';
import { makePrefix } from '../control-plane/click-figures/top-prefixes.js';
import { createDatabase, createLongStatementPool } from '../control-plane/db/database.js';
import { type FilledLog, fillLog, LOG_DAYS } from './clicks/log-fill.js';
import { treeCpuMicroseconds } from './load/process-cost.js';
import { createBenchDatabase, makeProject, startControlPlane, stopControlPlane, withPostgres } from './load/rest-service.js';

export interface StatsBench {
  readonly clicks: number;
  onStep(done: number, of: number, what: string): void;
}

/** One request over HTTP, warm, one after the other. */
export interface StatsMeasurement {
  readonly request: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** CPU time of PostgreSQL, which is most of it, for each. */
  readonly postgres_cpu_ms: number;
}

export interface StatsResult {
  readonly clicks: number;
  /** Clicks counted into figures a second, by one connection. */
  readonly counted_per_second: number;
  readonly log_mb: number;
  readonly figures_mb: number;
  /** Lists are added up for the days that are over. */
  readonly prefixes_seconds: number;
  readonly requests: readonly StatsMeasurement[];
}

const WARM_UP = 20;
const CALLS = 200;

/** Fills a click log, counts it, and asks for statistics as a dashboard would. */
export function runStats({ clicks, onStep }: StatsBench): Promise<StatsResult> {
  return withPostgres(async (postgres) => {
    const databaseUrl = await createBenchDatabase(postgres, 'bench');
    const { environmentId, secretKey } = await makeProject(databaseUrl);
    const steps = 2 * LOG_DAYS + 2;
    const filled = await fillLog(databaseUrl, environmentId, clicks, (day) => onStep(day, steps, 'the log is filled'));
    const counted = await count(databaseUrl, clicks, (day) => onStep(LOG_DAYS + Math.min(day, LOG_DAYS), steps, 'clicks are counted'));
    const controlPlane = await startControlPlane(databaseUrl, []);
    try {
      onStep(steps - 1, steps, 'statistics are asked for');
      const requests: StatsMeasurement[] = [];
      for (const path of pathsOf(filled))
        requests.push({ request: path, ...(await measure(`${controlPlane.url}${path}`, secretKey, postgres.stats().pid as number)) });
      onStep(steps, steps, 'done');
      return { clicks, ...counted, requests };
    } finally {
      await stopControlPlane(controlPlane);
    }
  });
}

async function count(databaseUrl: string, clicks: number, onDay: (day: number) => void) {
  const pool = createLongStatementPool(databaseUrl, 'bench', () => {});
  const database = createDatabase(pool);
  try {
    const from = figuresKeptFrom(Date.now(), 400);
    const to = new Date().toISOString().slice(0, 10);
    const beganAt = performance.now();
    await rebuildFigures(database, { from, to, environmentId: null, onProgress: (done) => onDay(done) });
    const counted_per_second = Math.round(clicks / ((performance.now() - beganAt) / 1000));
    await database.query({ text: 'VACUUM ANALYZE click_figures', values: [] });
    const topsAt = performance.now();
    while (await makePrefix(database, Date.now()));
    const prefixes_seconds = (performance.now() - topsAt) / 1000;
    const size = async (table: string) => {
      const { rows } = await database.query<{ mb: number }>({
        text: `SELECT (sum(pg_total_relation_size(inhrelid)) / 1048576)::integer AS mb FROM pg_inherits WHERE inhparent = $1::regclass`,
        values: [table],
      });
      return rows[0]?.mb ?? 0;
    };
    return { counted_per_second, prefixes_seconds, log_mb: await size('clicks'), figures_mb: await size('click_figures') };
  } finally {
    await pool.end();
  }
}

function pathsOf({ links, campaignId }: FilledLog): readonly string[] {
  return [
    '/resources/stats?range=30d',
    '/resources/stats?range=7d',
    '/stats?range=30d',
    '/stats?range=30d&interval=hour',
    '/stats?range=7d',
    '/stats?range=1d',
    `/campaigns/${campaignId}/stats?range=30d`,
    ...links.map((link) => `/links/${link}/stats?range=30d`),
  ];
}

async function measure(url: string, secretKey: string, postgresPid: number): Promise<Omit<StatsMeasurement, 'request'>> {
  const times: number[] = [];
  let cpuBefore = 0;
  for (let call = -WARM_UP; call < CALLS; call++) {
    if (call === 0) cpuBefore = treeCpuMicroseconds(postgresPid);
    const before = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${secretKey}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
    if (call >= 0) times.push(performance.now() - before);
  }
  const postgres_cpu_ms = (treeCpuMicroseconds(postgresPid) - cpuBefore) / 1000 / CALLS;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { p50_ms: percentile(0.5), p95_ms: percentile(0.95), postgres_cpu_ms };
}
