import Table from 'cli-table3';
import type { ImportMeasurement } from '../imports.js';
import type { LinkCreationMeasurement } from '../link-creation.js';
import type { Measurement } from '../load/measure.js';
import type { Spread } from '../load/statistics.js';
import type { ManyLinksMeasurement } from '../many-links.js';
import type { MicroResult } from '../micro/redirect-steps.js';
import type { TargetOutcome } from './targets.js';

/** An empty table, without colours. */
export function newTable(head: readonly string[], options: Pick<Table.TableConstructorOptions, 'colAligns'> = {}): Table.Table {
  return new Table({ head: [...head], style: { head: [], border: [] }, ...options });
}

/** The median, and the least and the greatest round. */
export function spread({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)}  (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

/** One table for each client and scenario; medians, with the least and the greatest round behind them. */
export function tableOf(measurements: readonly Measurement[]): string {
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const title = `${measurement.scenario}, ${measurement.client}`;
    groups.set(title, [...(groups.get(title) ?? []), measurement]);
  }
  return [...groups].map(([title, rows]) => `${title}\n${groupTable(rows)}`).join('\n\n');
}

function groupTable(rows: readonly Measurement[]): string {
  const table = newTable(['server', 'requests/s', 'ratio of rate', 'server CPU µs/request', 'p99 ms', 'RSS MB (private)']);
  for (const row of rows)
    table.push(
      row.invalid === null
        ? [
            row.contender,
            spread(row.requests_per_second, 0),
            spread(row.rate_ratio, 2),
            spread(row.cpu_us_per_request, 1),
            row.p99_ms.median.toFixed(1),
            `${row.memory.resident_mb} (${row.memory.private_mb})`,
          ]
        : [row.contender, { content: `does not count: ${row.invalid}`, colSpan: 5 }],
    );
  return table.toString();
}

/** The targets of redirects, and what was reached. */
export function targetTableOf(outcomes: readonly TargetOutcome[]): string {
  const table = newTable(['target', 'client', 'at least', 'ratio by CPU time', 'ratio of rates']);
  for (const { what, client, least, rate_ratio, cpu_ratio } of outcomes)
    table.push([what, client, least, spread(cpu_ratio, 2), spread(rate_ratio, 2)]);
  return table.toString();
}

/** The steps of one redirect, one line each. */
export function stepTableOf(results: readonly MicroResult[]): string {
  const table = newTable(['step', 'median ns', 'p99 ns'], { colAligns: ['left', 'right', 'right'] });
  for (const { step, median_ns, p99_ns } of results) table.push([step, median_ns.toFixed(0), p99_ns.toFixed(0)]);
  return table.toString();
}

/** The ways of creating links, one line each. */
export function creationTableOf(measurements: readonly LinkCreationMeasurement[]): string {
  const table = newTable(['way', 'links/s', 'ratio of rate', 'control plane µs/link', 'PostgreSQL µs/link', 'p99 ms']);
  for (const row of measurements)
    table.push([
      row.way,
      spread(row.links_per_second, 0),
      spread(row.rate_ratio, 2),
      spread(row.control_plane_us, 0),
      spread(row.postgres_us, 0),
      row.p99_ms.median.toFixed(1),
    ]);
  return table.toString();
}

/** Requests against many links, one line each. */
export function manyLinksTableOf(measurements: readonly ManyLinksMeasurement[]): string {
  const table = newTable(['request', 'ms']);
  for (const { request, ms } of measurements) table.push([request, spread(ms, 1)]);
  return table.toString();
}

/** Ways of importing links, one line each. */
export function importTableOf(measurements: readonly ImportMeasurement[]): string {
  const table = newTable(['way', 'links/s', 'CPU s for 1,000 links: linkd', 'control plane', 'PostgreSQL', 'in all', 'engine']);
  for (const { way, links_per_second, linkd, control_plane, postgres, engine } of measurements)
    table.push([
      way,
      links_per_second.toFixed(0),
      ...[linkd, control_plane, postgres, linkd + control_plane + postgres, engine].map((seconds) => seconds.toFixed(3)),
    ]);
  return table.toString();
}
