import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickHouseClicks } from '../control-plane/click-store/clickhouse/clickhouse-store.js';
import { findEnvironmentNumber } from '../control-plane/projects/projects.js';
import { withClient } from '../deploy/local/with-client.js';
import { SettingError } from '../shared/base/settings.js';
import { makeClickTables } from '../shared/clickhouse/click-table.js';
import { ClickHouse } from '../shared/clickhouse/connection.js';
import { type Backlog, type ShippedBacklog, shipBacklog } from './clicks/backlog.js';
import { fillClickHouse } from './clicks/clickhouse-fill.js';
import { LOG_DAYS, makeObjects } from './clicks/log-fill.js';
import { CHDB_REPAIR, findChdb, startChdb } from './load/chdb.js';
import { type RequestTimes, requestTimes } from './load/request-times.js';
import { withControlPlane, withLongStatements, withProject } from './load/rest-service.js';
import { queryOf } from './stats.js';

export interface ClickHouseBench {
  readonly clicks: number;
  onStep(done: number, of: number, what: string): void;
}

export interface ClickHouseResult {
  /** Clicks of the log, as many on each of the thirty days. */
  readonly clicks: number;
  /** A full spool, stored by one process. Its servers are PostgreSQL and ClickHouse. */
  readonly backlog: ShippedBacklog;
  readonly backlog_clicks: number;
  readonly filled_seconds: number;
  readonly clicks_mb: number;
  /** Seconds to add up all days that are over. */
  readonly sums_seconds: number;
  readonly sums_mb: number;
  readonly requests: readonly RequestTimes[];
  /** All clicks of the thirty days, as the API says. */
  readonly answered_clicks: number;
}

const BACKLOG_CLICKS_MAX = 1_000_000;
/** For the statements of the bench itself. */
const TIMEOUT_MS = 3_600_000;

/**
 * Measures ClickHouse as the store of clicks: how fast an engine's process stores a spool, and statistics of thirty days over REST. The
 * server is ClickHouse's engine (chdb), which works on one statement at a time, with all cores.
 */
export function runClickHouse({ clicks: wanted, onStep }: ClickHouseBench): Promise<ClickHouseResult> {
  const clicks = wanted - (wanted % LOG_DAYS);
  const folder = findChdb();
  if (folder === null) throw new SettingError(`no ClickHouse: ${CHDB_REPAIR}`);
  return withProject(async (project) => {
    const { databaseUrl, environmentId } = project;
    const chdb = await startChdb(folder);
    const clickHouse = new ClickHouse({ url: chdb.url, timeoutMs: TIMEOUT_MS, application: 'bench' });
    try {
      await makeClickTables(clickHouse);
      const steps = LOG_DAYS + 4;
      const [environmentNumber, { links }] = await withClient(databaseUrl, async (client) => [
        await findEnvironmentNumber(client, environmentId),
        await makeObjects(client, environmentId),
      ]);
      onStep(0, steps, 'a backlog is shipped');
      const backlog_clicks = Math.min(clicks, BACKLOG_CLICKS_MAX);
      const servers = [project.postgresPid, chdb.child.pid as number];
      const backlog = await ship({ databaseUrl, clickHouseUrl: chdb.url, environmentNumber, clicks: backlog_clicks, servers });
      await clickHouse.run('TRUNCATE TABLE clicks');
      const filledAt = performance.now();
      await fillClickHouse(clickHouse, environmentNumber, clicks, (day) => onStep(day, steps, 'the log is filled'));
      const filled_seconds = (performance.now() - filledAt) / 1000;
      onStep(LOG_DAYS + 1, steps, 'days are added up');
      const sums_seconds = await addUpDays(clickHouse, databaseUrl);
      onStep(LOG_DAYS + 2, steps, 'statistics are asked for');
      const answered = await withControlPlane(
        databaseUrl,
        async ({ url }) => ({
          answered_clicks: await countedClicks(url, project.secretKey),
          requests: await requestTimes(url, pathsOf(links[0] as string), project.secretKey, chdb.child.pid as number),
        }),
        { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: chdb.url },
      );
      const [clicks_mb, sums_mb] = [await megabytesOf(clickHouse, 'clicks'), await megabytesOf(clickHouse, 'click_sums')];
      onStep(steps, steps, 'done');
      return { clicks, backlog, backlog_clicks, filled_seconds, clicks_mb, sums_seconds, sums_mb, ...answered };
    } finally {
      await clickHouse.close();
      await chdb.stop();
    }
  });
}

async function ship(backlog: Omit<Backlog, 'dir' | 'phoneShare'>): Promise<ShippedBacklog> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-spool-'));
  try {
    return await shipBacklog({ ...backlog, dir, phoneShare: 0 });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Returns the seconds that it took. */
function addUpDays(clickHouse: ClickHouse, databaseUrl: string): Promise<number> {
  return withLongStatements(databaseUrl, 1, async (database) => {
    const store = clickHouseClicks(clickHouse);
    const beganAt = performance.now();
    while (await store.sumDays?.(database, Date.now()));
    const seconds = (performance.now() - beganAt) / 1000;
    // The sums are read a minute after they were made.
    await database.query({ text: "UPDATE click_summed_days SET summed_at = summed_at - interval '2 minutes'", values: [] });
    return seconds;
  });
}

async function countedClicks(apiUrl: string, secretKey: string): Promise<number> {
  const answer = await fetch(`${apiUrl}${queryOf(30)}`, { headers: { authorization: `Bearer ${secretKey}` } });
  const { totals } = (await answer.json()) as { readonly totals?: { readonly all?: number } };
  return totals?.all ?? 0;
}

async function megabytesOf(clickHouse: ClickHouse, table: string): Promise<number> {
  const [row] = await clickHouse.rows<{ bytes: string }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}',
    { table },
  );
  return Math.round(Number(row?.bytes) / 1e6);
}

function pathsOf(link: string): readonly string[] {
  return [
    '/stats?range=30d',
    '/stats?range=1d',
    `/links/${link}/stats?range=30d`,
    `${queryOf(30)}&interval=day&compare=true`,
    `${queryOf(30)}&breakdown=browser`,
    `${queryOf(30)}&breakdown=country`,
    `${queryOf(30)}&breakdown=link&limit=1000`,
    `${queryOf(30)}&breakdown=item&limit=101`,
    `${queryOf(1)}&breakdown=country`,
    `${queryOf(7)}&country=DE&interval=day`,
    `${queryOf(30)}&country=DE&interval=day`,
    `${queryOf(30)}&browser=Safari&breakdown=country`,
  ];
}
