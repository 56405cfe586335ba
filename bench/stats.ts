import { ClickCounter } from '../control-plane/click-figures/counting/click-counter.js';
import { REBUILD_CONNECTIONS, rebuildFigures } from '../control-plane/click-figures/counting/rebuild.js';
import { figuresKeptFrom } from '../control-plane/click-figures/kept-days.js';
import { DayColumns } from '../control-plane/click-figures/prepared/day-columns.js';
import { createPrefixes } from '../control-plane/click-figures/prepared/top-prefixes.js';
import { type Reclassification, reclassifyClicks } from '../control-plane/clicks/reclassify.js';
import { dayBefore } from '../shared/base/day-ranges.js';
import { type FilledLog, fillBatch, fillLog, LOG_DAYS } from './clicks/log-fill.js';
import { type RequestTimes, requestTimes } from './load/request-times.js';
import { withControlPlane, withLongStatements, withProject } from './load/rest-service.js';

export interface StatsBench {
  readonly clicks: number;
  onStep(done: number, of: number, what: string): void;
}

export interface StatsResult {
  readonly clicks: number;
  /** Clicks counted into figures per second, by one connection. */
  readonly counted_per_second: number;
  /** Clicks of the log per second, while those of one user agent of twenty are marked as a program's and their days are counted again. */
  readonly reclassified_per_second: number;
  readonly log_mb: number;
  readonly figures_mb: number;
  /** Seconds to add up the lists of the days that are over. */
  readonly prefixes_seconds: number;
  /** Seconds to make the columns of all days. */
  readonly columns_seconds: number;
  readonly columns_mb: number;
  readonly requests: readonly RequestTimes[];
}

/** Fills a click log, counts it, and requests statistics as a dashboard would. */
export function runStats({ clicks, onStep }: StatsBench): Promise<StatsResult> {
  return withProject(async ({ databaseUrl, environmentId, secretKey, postgresPid }) => {
    const steps = 3 * LOG_DAYS + 2;
    const filled = await fillLog(databaseUrl, environmentId, clicks, (day) => onStep(day, steps, 'the log is filled'));
    const counted = await count(databaseUrl, clicks, (day) => onStep(LOG_DAYS + Math.min(day, LOG_DAYS), steps, 'clicks are counted'));
    const reclassified_per_second = await reclassify(databaseUrl, clicks, (day) =>
      onStep(2 * LOG_DAYS + day, steps, 'clicks are reclassified'),
    );
    const columns = await makeColumns(databaseUrl);
    await addLaterClicks(databaseUrl, environmentId);
    return withControlPlane(databaseUrl, async ({ url }) => {
      onStep(steps - 1, steps, 'statistics are asked for');
      const requests = await requestTimes(url, pathsOf(filled), secretKey, postgresPid);
      onStep(steps, steps, 'done');
      return { clicks, ...counted, reclassified_per_second, ...columns, requests };
    });
  });
}

function count(databaseUrl: string, clicks: number, onDay: (day: number) => void) {
  return withLongStatements(databaseUrl, REBUILD_CONNECTIONS, async (database) => {
    const from = figuresKeptFrom(Date.now(), 400);
    const to = new Date().toISOString().slice(0, 10);
    const beganAt = performance.now();
    await rebuildFigures(database, { from, to, environmentId: null, onProgress: (done) => onDay(done) });
    const counted_per_second = Math.round(clicks / ((performance.now() - beganAt) / 1000));
    await database.query({ text: 'VACUUM ANALYZE click_figures', values: [] });
    const topsAt = performance.now();
    const prefixes = createPrefixes(database);
    while (await prefixes.step(Date.now()));
    const prefixes_seconds = (performance.now() - topsAt) / 1000;
    const size = async (table: string) => {
      const { rows } = await database.query<{ mb: number }>({
        text: `SELECT (sum(pg_total_relation_size(inhrelid)) / 1048576)::integer AS mb FROM pg_inherits WHERE inhparent = $1::regclass`,
        values: [table],
      });
      return rows[0]?.mb ?? 0;
    };
    return { counted_per_second, prefixes_seconds, log_mb: await size('clicks'), figures_mb: await size('click_figures') };
  });
}

function reclassify(databaseUrl: string, clicks: number, onDay: (day: number) => void): Promise<number> {
  const now = Date.now();
  const wanted: Reclassification = {
    span: { from: new Date(dayBefore(now, LOG_DAYS - 1)), to: new Date(now) },
    environmentNumber: null,
    selector: { by: 'user_agent', hashes: ['1'] },
    botReason: 'reclassified',
    keptFrom: figuresKeptFrom(now, 400),
  };
  return withLongStatements(databaseUrl, 1, async (database) => {
    const beganAt = performance.now();
    let days = 0;
    for await (const _day of reclassifyClicks(database, wanted)) onDay(++days);
    return Math.round(clicks / ((performance.now() - beganAt) / 1000));
  });
}

/**
 * Makes the columns of past days and of today, and the lists of the days that are counted again, which the control plane would otherwise do
 * while it is measured.
 */
function makeColumns(databaseUrl: string): Promise<Pick<StatsResult, 'columns_seconds' | 'columns_mb'>> {
  return withLongStatements(databaseUrl, 1, async (database) => {
    const prefixes = createPrefixes(database);
    while (await prefixes.step(Date.now()));
    const beganAt = performance.now();
    const columns = new DayColumns(database);
    while (await columns.step(Date.now()));
    const columns_seconds = (performance.now() - beganAt) / 1000;
    const { rows } = await database.query<{ mb: number }>({
      text: "SELECT (pg_total_relation_size('click_columns') / 1048576)::integer AS mb",
      values: [],
    });
    return { columns_seconds, columns_mb: rows[0]?.mb ?? 0 };
  });
}

/** Clicks of today that are not in its columns, somewhat fewer than would be added to them. */
const LATER_CLICKS = 8_000;

async function addLaterClicks(databaseUrl: string, environmentId: string): Promise<void> {
  await fillBatch(databaseUrl, environmentId, LATER_CLICKS);
  await withLongStatements(databaseUrl, 1, (storing) =>
    withLongStatements(databaseUrl, 1, async (reading) => {
      const counter = new ClickCounter({ storing, reading, clickRetentionDays: 400 });
      while ((await counter.count(Date.now())) > 0);
    }),
  );
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
    `${queryOf(30)}&interval=day&compare=true`,
    `${queryOf(7)}&country=DE&interval=day`,
    `${queryOf(7)}&breakdown=referrer_host`,
    `${queryOf(30)}&country=DE&interval=day`,
    `${queryOf(30)}&browser=Safari&interval=day&compare=true`,
    `${queryOf(7)}&country=DE&interval=hour`,
    `${queryOf(30)}&country=DE&interval=hour`,
    `${queryOf(30)}&country=DE&platform=ios&breakdown=link`,
    `${queryOf(30)}&breakdown=item&limit=101`,
    `${queryOf(30)}&breakdown=item&limit=1000`,
    `${queryOf(30)}&breakdown=campaign`,
    `${queryOf(30)}&breakdown=link&limit=1000`,
    `${queryOf(30)}&breakdown=browser`,
    `${queryOf(30)}&breakdown=utm_source`,
    `${queryOf(30)}&breakdown=tag`,
    `${queryOf(30)}&link=${links[0]}&breakdown=country`,
    `${queryOf(30)}&link=${links[0]}&breakdown=os`,
    `${queryOf(30)}&link=${links[0]}&breakdown=utm_source`,
    `${queryOf(30)}&browser=Firefox&breakdown=country`,
    `${queryOf(30)}&browser=Safari&breakdown=country`,
    `${queryOf(30)}&browser=Safari&breakdown=path`,
    `${queryOf(30)}&browser=Safari&breakdown=item`,
  ];
}

/** Returns the query for this many days up to today. */
export function queryOf(days: number): string {
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return `/stats/clicks?from=${from}`;
}
