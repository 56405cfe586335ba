import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { REBUILD_CONNECTIONS, rebuildFigures } from '../control-plane/click-figures/counting/rebuild.js';
import { withClient } from '../deploy/local/with-client.js';
import { dayBefore } from '../shared/base/day-ranges.js';
import { fillLog, LOG_DAYS } from './clicks/log-fill.js';
import { askStatistics } from './counting/statistics-poll.js';
import { drawSecretsKeys, makeProject, startControlPlane, stopControlPlane, withLongStatements } from './load/rest-service.js';
import { startWholeEngine } from './load/whole-engine.js';
import { type DatabaseHost, needRoom, startDatabaseHost } from './restore/database-host.js';
import { fillLinks, sampleOf, visitLinks } from './restore/links.js';

export interface RestoreBench {
  readonly links: number;
  readonly clicks: number;
  /** The folder for everything; null for the folder of temporary files. */
  readonly dataDir: string | null;
  onStep(done: number, of: number, what: string): void;
}

export interface RestoreResult {
  readonly links: number;
  readonly clicks: number;
  readonly database_mb: number;
  /** The full backup in the repository, and the repository with the log included. */
  readonly backup_mb: number;
  readonly repository_mb: number;
  readonly fill_seconds: number;
  readonly backup_seconds: number;
  /** The page's `restore`, until the server accepts statements again. */
  readonly restore_seconds: number;
  /** From the start of a control plane until statistics are those of the restored moment. */
  readonly statistics_seconds: number;
  /** From the start of an engine with an empty disk until the first link answers, and until it has all links. */
  readonly first_link_seconds: number;
  readonly bootstrap_seconds: number;
  /** What differs from the restored moment; empty if nothing does. */
  readonly wrong: readonly string[];
}

/**
 * Disk space of a link with its indexes, its copy on the engine and its share of the repository; and of a click with
 * its figures likewise.
 */
const BYTES_PER_LINK = 1_800;
const BYTES_PER_CLICK = 450;
const BYTES_BESIDE = 2_000_000_000;
/** Links that are created after the backup and before the moment, as a share of all links; and as many after the moment. */
const LATER_SHARE = 0.01;
const VISITS = 10_000;
const BOOTSTRAP_MS_MAX = 3_600_000;
const COUNTED_SECONDS_MAX = 600;
const STEPS = 5;
/** The first day of the log. All days since have sums, so that statistics of any number of clicks are answered. */
const FIRST_DAY = dayBefore(Date.now(), LOG_DAYS - 1);

/** Fills a database, backs it up, loses it, restores it to a second, and waits until the service is as it was. */
export async function runRestore({ links, clicks, dataDir, onStep }: RestoreBench): Promise<RestoreResult> {
  const parent = dataDir ?? tmpdir();
  needRoom(parent, links * BYTES_PER_LINK + clicks * BYTES_PER_CLICK + BYTES_BESIDE);
  const folder = mkdtempSync(join(parent, 'bench-restore-'));
  chmodSync(folder, 0o711); // as root the server runs as another user, which must pass through
  const host = await startDatabaseHost(folder);
  const end = () => {
    host.kill();
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    return await measure(host, folder, { links, clicks, dataDir, onStep });
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly host: DatabaseHost;
  readonly folder: string;
  readonly secretsKeys: string;
  readonly secretKey: string;
  readonly links: number;
  readonly later: number;
}

async function measure(host: DatabaseHost, folder: string, { links, clicks, onStep }: RestoreBench): Promise<RestoreResult> {
  const { databaseUrl } = host;
  const { environmentId, secretKey } = await makeProject(databaseUrl);
  const later = Math.ceil(links * LATER_SHARE);
  const measured: Measured = { host, folder, secretsKeys: drawSecretsKeys(), secretKey, links, later };
  const fill_seconds = await seconds(async () => {
    await fillLinks(databaseUrl, environmentId, { from: 1, to: links - later, onLink: (done) => onStep(done, links, 'links are written') });
    await fillLog(databaseUrl, environmentId, clicks, (day) => onStep(day, LOG_DAYS, 'clicks are written'));
    await countClicks(databaseUrl, (day) => onStep(day, LOG_DAYS, 'clicks are counted'));
  });
  onStep(1, STEPS, 'the full backup');
  for (const commands of ['keys', 'configure', 'archive']) await host.run(commands);
  const backup_seconds = await seconds(() => host.run('full'));
  const backup_mb = (await host.backupBytes()) / 1e6;

  onStep(2, STEPS, 'what is changed after the backup');
  await fillLinks(databaseUrl, environmentId, { from: links - later + 1, to: links, onLink: () => {} });
  const moment = await lastMoment(measured);
  await fillLinks(databaseUrl, environmentId, { from: links + 1, to: links + later, onLink: () => {} });
  await host.lose();

  onStep(3, STEPS, 'the restore');
  const restore_seconds = await seconds(() => host.run('restore', { TARGET: moment.target }));
  await host.run('numbers');
  onStep(4, STEPS, 'a control plane, then an engine with an empty disk');
  const times = { fill_seconds, backup_seconds, restore_seconds };
  const sizes = { database_mb: moment.database_mb, backup_mb, repository_mb: host.repositoryBytes() / 1e6 };
  return { links, clicks, ...sizes, ...times, ...(await restored(measured, moment)) };
}

/** The service at the moment that is restored. */
interface Moment {
  readonly target: string;
  readonly database_mb: number;
  readonly links: string;
  readonly clicks: string;
  readonly totals: string;
}

/** Visits links, waits until the visits are stored and counted, and returns the moment after that. */
async function lastMoment({ host, folder, secretsKeys, secretKey, links }: Measured): Promise<Moment> {
  const { databaseUrl } = host;
  const before = await countsOf(databaseUrl);
  const controlPlane = await startControlPlane(databaseUrl, [], secretsKeys);
  const dataDir = makeFolder(folder, 'engine-before');
  const engine = await startWholeEngine({ databaseUrl, dataDir, secretsKeys, readyMsMax: BOOTSTRAP_MS_MAX });
  try {
    const asked = await totalsOf(controlPlane.url, secretKey);
    const right = await visitLinks(engine.port, sampleOf(links, VISITS));
    const visits = sampleOf(links, VISITS).length;
    if (right !== visits) throw new Error(`${visits - right} of ${visits} links lead elsewhere before anything was lost`);
    const areCounted = async () => (await totalsOf(controlPlane.url, secretKey)).all === asked.all + visits;
    if (!(await untilSeconds(COUNTED_SECONDS_MAX, areCounted))) throw new Error('visits were not counted before anything was lost');
    const totals = JSON.stringify(await totalsOf(controlPlane.url, secretKey));
    const now = await countsOf(databaseUrl);
    if (Number(now.clicks) !== Number(before.clicks) + visits) throw new Error(`${now.clicks} clicks are stored`);
    return { ...now, totals, target: await secondOf(databaseUrl) };
  } finally {
    await engine.stop();
    await stopControlPlane(controlPlane);
    rmSync(dataDir, { recursive: true });
  }
}

async function restored(measured: Measured, moment: Moment) {
  const { host, folder, secretsKeys, secretKey, links, later } = measured;
  const { databaseUrl } = host;
  const counts = await countsOf(databaseUrl);
  const wrong = (['links', 'clicks'] as const)
    .filter((name) => counts[name] !== moment[name])
    .map((name) => `${counts[name]} ${name}, and there were ${moment[name]}`);
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1000;
  const controlPlane = await startControlPlane(databaseUrl, [], secretsKeys);
  try {
    const totals = async () => JSON.stringify(await totalsOf(controlPlane.url, secretKey));
    const areRight = await untilSeconds(COUNTED_SECONDS_MAX, async () => (await totals()) === moment.totals);
    if (!areRight) wrong.push(`statistics: ${await totals()}, and they were ${moment.totals}`);
    const statistics_seconds = since();
    const engineAt = performance.now();
    let first_link_seconds = Number.NaN;
    const onListening = async (port: number) => {
      await untilSeconds(COUNTED_SECONDS_MAX, async () => (await visitLinks(port, [1])) === 1);
      first_link_seconds = (performance.now() - engineAt) / 1000;
    };
    const dataDir = makeFolder(folder, 'engine');
    const engine = await startWholeEngine({ databaseUrl, dataDir, secretsKeys, readyMsMax: BOOTSTRAP_MS_MAX, onListening });
    try {
      const bootstrap_seconds = (performance.now() - engineAt) / 1000;
      const visited = sampleOf(links, VISITS);
      const right = await visitLinks(engine.port, visited);
      if (right !== visited.length) wrong.push(`${visited.length - right} of ${visited.length} links lead elsewhere`);
      const gone = sampleOf(later, 1_000).map((number) => links + number);
      const left = await visitLinks(engine.port, gone);
      if (left > 0) wrong.push(`${left} links of afterwards are there`);
      return { statistics_seconds, first_link_seconds, bootstrap_seconds, wrong };
    } finally {
      await engine.stop();
    }
  } finally {
    await stopControlPlane(controlPlane);
  }
}

function makeFolder(folder: string, name: string): string {
  const made = join(folder, name);
  mkdirSync(made, { mode: 0o700 });
  return made;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return (performance.now() - beganAt) / 1000;
}

/** Returns false if it has not become true by then. */
async function untilSeconds(most: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + most * 1000;
  while (performance.now() < endsAt) {
    if (await isTrue()) return true;
    await setTimeout(100);
  }
  return false;
}

interface Totals {
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

/** Returns totals over the same days whenever they are requested: those of the log, and tomorrow, which a long run may reach. */
async function totalsOf(url: string, secretKey: string): Promise<Totals> {
  const { status, body } = await askStatistics<{ totals: Totals }>(url, secretKey, `/stats/clicks?from=${FIRST_DAY}`);
  if (status !== 200) throw new Error(`statistics were answered with ${status}: ${JSON.stringify(body)}`);
  return body.totals;
}

/** Counts clicks that were written into the log without a control plane. */
async function countClicks(databaseUrl: string, onDay: (day: number) => void): Promise<void> {
  await withLongStatements(databaseUrl, REBUILD_CONNECTIONS, async (database) => {
    const to = new Date().toISOString().slice(0, 10);
    await rebuildFigures(database, { from: FIRST_DAY, to, environmentId: null, onProgress: (done) => onDay(done) });
    await database.query({ text: 'VACUUM ANALYZE click_figures', values: [] });
  });
}

async function countsOf(databaseUrl: string): Promise<Pick<Moment, 'links' | 'clicks' | 'database_mb'>> {
  const [row] = await rowsOf<{ links: string; clicks: string; bytes: string }>(
    databaseUrl,
    'SELECT (SELECT count(*) FROM links) AS links, (SELECT count(*) FROM clicks) AS clicks, pg_database_size(current_database()) AS bytes',
  );
  return { links: String(row?.links), clicks: String(row?.clicks), database_mb: Number(row?.bytes) / 1e6 };
}

/** Returns a second that is over and includes everything that was acknowledged before it. */
async function secondOf(databaseUrl: string): Promise<string> {
  const [row] = await rowsOf<{ second: string }>(databaseUrl, `SELECT (date_trunc('second', now()) + interval '1 second')::text AS second`);
  await setTimeout(2_000);
  return row?.second as string;
}

function rowsOf<Row extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<readonly Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(text)).rows);
}
