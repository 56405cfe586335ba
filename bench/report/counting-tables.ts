import type { BacklogResult } from '../counting/backlog.js';
import type { ClickCosts, TableSize } from '../counting/click-costs.js';
import type { FigureDifference } from '../counting/figure-differences.js';
import type { StatisticsSample } from '../counting/statistics-poll.js';
import type { CountingResult } from '../counting.js';
import { newTable } from './table.js';

/** Whether every visit was redirected and its click stored, and the figures agree with the visits. */
export function countingIsRight(result: CountingResult): boolean {
  const { other_statuses, unanswered, dropped_clicks, complete_seconds, counted_seconds, differences } = result;
  const failed = unanswered + dropped_clicks + Object.keys(other_statuses).length + differences.length;
  return failed === 0 && complete_seconds !== null && counted_seconds !== null;
}

export function backlogIsRight({ filled, totals }: BacklogResult): boolean {
  return totals.all === filled && totals.unique === filled;
}

export function countingTablesOf(result: CountingResult): string {
  return [
    visitsLine(result),
    statisticsTable(result.statistics),
    completionLine(result),
    differencesText(result.differences),
    costsTable(result.costs, result.figure_rows_per_click),
    sizesTable(result.tables),
  ].join('\n');
}

export function backlogTablesOf({ filled, clicks, seconds, clicks_per_second, totals, ...result }: BacklogResult): string {
  const compared = totals.all === filled && totals.unique === filled ? 'equal to the clicks' : 'not equal to the clicks';
  return [
    `${filled} clicks waited, ${clicks} when the control plane listened; counted in ${seconds.toFixed(1)} s, ${clicks_per_second.toFixed(0)} clicks/s`,
    `Statistics in the end: ${totals.all} clicks, ${totals.unique} visitors, ${compared}`,
    costsTable(result.costs, result.figure_rows_per_click),
    sizesTable(result.tables),
  ].join('\n');
}

function visitsLine({ visits, visits_per_second, links, rate, client_us, ...result }: CountingResult): string {
  const others = Object.entries(result.other_statuses).map(([status, count]) => `${count} answered ${status}`);
  const asked = rate === null ? 'as many as are answered' : `${rate}/s`;
  return `${visits} visits to ${links} links (${asked}), ${visits_per_second.toFixed(0)}/s; ${[
    ...others,
    `${result.unanswered} without an answer`,
    `${result.dropped_clicks} clicks dropped`,
    `client CPU ${client_us.toFixed(1)} µs/visit`,
  ].join(', ')}`;
}

function completionLine({ range, complete_seconds, counted_seconds }: CountingResult): string {
  const after = (seconds: number | null) => (seconds === null ? 'not' : `${seconds.toFixed(1)} s after the last visit`);
  const days = range === '1d' ? '' : ' Midnight passed: compared over seven days.';
  return `Statistics complete: ${after(complete_seconds)}. All clicks counted: ${after(counted_seconds)}.${days}`;
}

function differencesText(differences: readonly FigureDifference[]): string {
  if (differences.length === 0) return 'Totals, series, links, referrers and platforms, and those of one link: equal to the visits.';
  return [
    `${differences.length} figures are not those of the visits:`,
    ...differences.map(({ figure, visits, statistics }) => `  ${figure}: ${JSON.stringify(statistics)}, not ${JSON.stringify(visits)}`),
  ].join('\n');
}

function statisticsTable({ during, after }: CountingResult['statistics']): string {
  const table = newTable(['statistics', 'asked', 'statuses', 'p50 ms', 'p95 ms', 'max ms', 'greatest lag of as_of s']);
  for (const path of new Set(during.map((sample) => sample.path)))
    table.push(
      statisticsRow(
        shortPath(path),
        during.filter((sample) => sample.path === path),
      ),
    );
  table.push(statisticsRow('all, while visits went on', during), statisticsRow('all, afterwards', after));
  return table.toString();
}

/** The times are only those of answers with figures, because a refusal is quick. */
function statisticsRow(name: string, samples: readonly StatisticsSample[]): string[] {
  const times = samples
    .filter(({ status }) => status === 200)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1]?.toFixed(1) ?? '';
  const lags = samples.flatMap(({ lag_ms }) => (lag_ms === null ? [] : [lag_ms]));
  return [
    name,
    String(samples.length),
    statusesOf(samples),
    percentile(0.5),
    percentile(0.95),
    percentile(1),
    lags.length === 0 ? 'none' : (Math.max(...lags) / 1000).toFixed(2),
  ];
}

function statusesOf(samples: readonly StatisticsSample[]): string {
  const statuses = [...new Set(samples.map(({ status }) => status))].toSorted((a, b) => a - b);
  return statuses.map((status) => `${status}: ${samples.filter((sample) => sample.status === status).length}`).join(', ');
}

/** Shortens the path, because an id says nothing to a reader. */
function shortPath(path: string): string {
  return path.replace(/\/links\/[^/]+/, '/links/...');
}

function costsTable({ postgres_us, control_plane_us, engine_us, wal_bytes }: ClickCosts, figureRows: number): string {
  const table = newTable(['for one click', '']);
  table.push(
    ['PostgreSQL CPU µs', postgres_us.toFixed(2)],
    ['control plane CPU µs', control_plane_us.toFixed(2)],
    ...(engine_us === null ? [] : [['engine CPU µs', engine_us.toFixed(2)]]),
    ['WAL bytes', wal_bytes.toFixed(0)],
    ['rows of click_figures', figureRows.toFixed(3)],
  );
  return table.toString();
}

function sizesTable(tables: readonly TableSize[]): string {
  const table = newTable(['table', 'MB', 'MB for a million clicks']);
  for (const { table: name, mb, mb_per_million_clicks } of tables)
    table.push([name, mb === null ? 'none' : mb.toFixed(1), mb_per_million_clicks?.toFixed(1) ?? '']);
  return table.toString();
}
