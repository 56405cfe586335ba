import { ClickHouseError } from '@clickhouse/client';
import { Histogram, type Registry } from 'prom-client';
import { type ClickHouse, ClickHouseUnavailableError, type OnStatement } from '../../shared/clickhouse/connection.js';
import { gaugesOf, type ReadingSource } from './gauges-of-readings.js';
import type { PendingBatches } from './sql.js';

/** ClickHouse as the control plane sees it. Registered and read only if CLICK_STORE is clickhouse. */
export interface ClickHouseFigures {
  /** Size of the table of clicks. */
  readonly bytes: number;
  readonly parts: number;
  /** The most parts of a day. A day is a partition, and ClickHouse limits the number of parts of a partition. */
  readonly day_parts_max: number;
  /** Disks of the server that answers; empty if the user may not read `system.disks`. */
  readonly disks: readonly { readonly name: string; readonly free: number; readonly size: number }[];
}

const KINDS = ['read', 'change', 'insert'] as const;
const OUTCOMES = ['ok', 'failed'] as const;

/** Measures statements. */
export function clickHouseStatements(registry: Registry): OnStatement {
  const duration = new Histogram({
    name: 'clickhouse_statement_duration_seconds',
    help: 'Duration of statements that this control plane sends to ClickHouse, by purpose and result',
    labelNames: ['kind', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const kind of KINDS) for (const outcome of OUTCOMES) duration.zero({ kind, outcome });
  return (kind, seconds, ok) => duration.observe({ kind, outcome: ok ? 'ok' : 'failed' }, seconds);
}

/** Registers what ClickHouse reports about itself. There are no series while it cannot be reached. */
export function registerClickHouseMetrics(registry: Registry, source: ReadingSource<ClickHouseFigures>): void {
  const gauge = gaugesOf(registry, source);
  gauge('clickhouse_clicks_bytes', 'Size of the table of clicks on disk', [], (metric, { bytes }) => metric.set(bytes));
  gauge('clickhouse_clicks_parts', 'Parts of the table of clicks', [], (metric, { parts }) => metric.set(parts));
  gauge('clickhouse_clicks_parts_of_day_max', 'Parts of the day with the most parts', [], (metric, figures) =>
    metric.set(figures.day_parts_max),
  );
  const ofDisk = 'of ClickHouse; only if its user may read system.disks';
  gauge('clickhouse_disk_free_bytes', `Free space on a disk ${ofDisk}`, ['disk'], (metric, { disks }) => {
    for (const { name, free } of disks) metric.set({ disk: name }, free);
  });
  gauge('clickhouse_disk_size_bytes', `Size of a disk ${ofDisk}`, ['disk'], (metric, { disks }) => {
    for (const { name, size } of disks) metric.set({ disk: name }, size);
  });
}

/** Registers what PostgreSQL has about clicks on their way into ClickHouse, whether ClickHouse can be reached or not. */
export function registerPendingBatchMetrics(registry: Registry, source: ReadingSource<PendingBatches>): void {
  const gauge = gaugesOf(registry, source);
  gauge('clickhouse_batches_pending', 'Batches of clicks that engines are about to store in ClickHouse', [], (metric, { batches }) =>
    metric.set(batches),
  );
  gauge('clickhouse_batches_pending_age_seconds', 'Age of the oldest of them; 0 if there is none', [], (metric, { oldest_seconds }) =>
    metric.set(oldest_seconds),
  );
}

/** Throws `ClickHouseUnavailableError` if ClickHouse cannot be reached. */
export async function readClickHouseFigures(clickHouse: Pick<ClickHouse, 'rows'>): Promise<ClickHouseFigures> {
  const [[table], disks] = await Promise.all([
    clickHouse.rows<{ bytes: string; parts: string; day_parts_max: string }>(
      `SELECT sum(day_bytes) AS bytes, sum(day_parts) AS parts, max(day_parts) AS day_parts_max FROM (
         SELECT partition_id, sum(bytes_on_disk) AS day_bytes, count() AS day_parts
         FROM system.parts WHERE database = currentDatabase() AND table = 'clicks' AND active GROUP BY partition_id
       )`,
    ),
    readDisks(clickHouse),
  ]);
  return { bytes: Number(table?.bytes), parts: Number(table?.parts), day_parts_max: Number(table?.day_parts_max), disks };
}

/** https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const ACCESS_DENIED = '497';

async function readDisks(clickHouse: Pick<ClickHouse, 'rows'>): Promise<ClickHouseFigures['disks']> {
  try {
    const rows = await clickHouse.rows<{ name: string; free: string; size: string }>(
      'SELECT name, free_space AS free, total_space AS size FROM system.disks',
    );
    return rows.map(({ name, free, size }) => ({ name, free: Number(free), size: Number(size) }));
  } catch (error) {
    if (error instanceof ClickHouseUnavailableError && error.cause instanceof ClickHouseError && error.cause.code === ACCESS_DENIED)
      return [];
    throw error;
  }
}
