import type { IngestResult } from '../ingest.js';
import type { LinkListsResult } from '../link-lists.js';
import type { RequestTimes } from '../load/request-times.js';
import type { StatsResult } from '../stats.js';
import { newTable, spread } from './table.js';

export function ingestTablesOf({ backlog, steady }: IngestResult): string {
  const rates = newTable(['a backlog of clicks', 'rows/s', 'shipper µs/click', 'PostgreSQL µs/click']);
  for (const row of backlog)
    rates.push([row.clicks, spread(row.rows_per_second, 0), spread(row.shipper_cpu_us, 2), spread(row.postgres_cpu_us, 2)]);
  if (steady.length === 0) return rates.toString();
  const balance = newTable([
    'figures',
    'seconds',
    'written/s',
    'shipped/s',
    'dropped',
    'waiting MB, by halves',
    'cores: writer, shipper, PostgreSQL',
  ]);
  for (const row of steady)
    balance.push([
      row.counted ? 'counted beside' : 'not counted',
      row.seconds.toFixed(0),
      row.written_per_second.toFixed(0),
      row.shipped_per_second.toFixed(0),
      row.dropped,
      row.waiting_mb.map((megabytes) => megabytes.toFixed(1)).join(', '),
      [row.writer_cores, row.shipper_cores, row.postgres_cores].map((cores) => cores.toFixed(2)).join(', '),
    ]);
  return `${rates.toString()}\n\n${balance.toString()}`;
}

export function statsTableOf({
  clicks,
  counted_per_second,
  reclassified_per_second,
  prefixes_seconds,
  columns_seconds,
  columns_mb,
  log_mb,
  figures_mb,
  requests,
}: StatsResult): string {
  const table = requestTable(requests);
  return `${clicks} clicks in the log (${log_mb} MB), counted at ${counted_per_second}/s and reclassified at ${reclassified_per_second}/s, into figures (${figures_mb} MB), long lists added up in ${prefixes_seconds.toFixed(1)} s, columns of past days (${columns_mb} MB) made in ${columns_seconds.toFixed(1)} s\n${table}`;
}

export function linkListsTableOf({ links, filled_seconds, search_index_mb, requests }: LinkListsResult): string {
  return `${links} links, written in ${filled_seconds.toFixed(0)} s; index of the search ${search_index_mb} MB\n${requestTable(requests)}`;
}

export function requestTable(requests: readonly RequestTimes[], database = 'PostgreSQL'): string {
  const table = newTable(['request', 'status', 'p50 ms', 'p95 ms', `${database} CPU ms`]);
  for (const { request, status, p50_ms, p95_ms, database_cpu_ms } of requests)
    table.push([request, status, p50_ms.toFixed(1), p95_ms.toFixed(1), database_cpu_ms.toFixed(1)]);
  return table.toString();
}
