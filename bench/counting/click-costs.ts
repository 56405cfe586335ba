import type pg from 'pg';
import { treeCpuMicroseconds } from '../load/process-cost.js';

/** Processes whose CPU time is counted, each with its children. */
export interface CostProcesses {
  readonly postgres: number;
  readonly controlPlane: number;
  /** Null if no engine runs. */
  readonly engine: number | null;
}

/** What one click costs. */
export interface ClickCosts {
  /** CPU time. */
  readonly postgres_us: number;
  readonly control_plane_us: number;
  readonly engine_us: number | null;
  readonly wal_bytes: number;
}

export interface CostReading {
  /** Returns the costs since the reading was begun. */
  costsOf(clicks: number): Promise<ClickCosts>;
}

export async function startCostReading(client: pg.Client, processes: CostProcesses): Promise<CostReading> {
  const before = await readCosts(client, processes);
  return {
    async costsOf(clicks) {
      const after = await readCosts(client, processes);
      return {
        postgres_us: (after.postgres_us - before.postgres_us) / clicks,
        control_plane_us: (after.control_plane_us - before.control_plane_us) / clicks,
        engine_us: after.engine_us === null || before.engine_us === null ? null : (after.engine_us - before.engine_us) / clicks,
        wal_bytes: (after.wal_bytes - before.wal_bytes) / clicks,
      };
    },
  };
}

async function readCosts(client: pg.Client, { postgres, controlPlane, engine }: CostProcesses): Promise<ClickCosts> {
  const { rows } = await client.query<{ wal_bytes: number }>("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal_bytes");
  return {
    postgres_us: treeCpuMicroseconds(postgres),
    control_plane_us: treeCpuMicroseconds(controlPlane),
    engine_us: engine === null ? null : treeCpuMicroseconds(engine),
    wal_bytes: rows[0]?.wal_bytes as number,
  };
}

/** One table with its partitions, indexes and long values. */
export interface TableSize {
  readonly table: string;
  /** Null if there is no such table. */
  readonly mb: number | null;
  readonly mb_per_million_clicks: number | null;
}

const TABLES = ['clicks', 'click_figures', 'click_breakdowns', 'click_breakdown_changes', 'open_clicks', 'click_tops'];

export async function readTableSizes(client: pg.Client, clicks: number): Promise<readonly TableSize[]> {
  const { rows } = await client.query<{ table: string; mb: number | null }>(
    `SELECT name AS "table", (
       SELECT sum(pg_total_relation_size(relation)) / 1048576.0
       FROM (SELECT to_regclass(name) UNION SELECT relid FROM pg_partition_tree(to_regclass(name))) AS part (relation)
     )::float8 AS mb
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place) ORDER BY place`,
    [TABLES],
  );
  return rows.map(({ table, mb }) => ({ table, mb, mb_per_million_clicks: mb === null ? null : (mb * 1_000_000) / clicks }));
}

export async function readFigureRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::float8 AS count FROM click_figures');
  return rows[0]?.count as number;
}

/** Clicks that are stored and not counted. */
export async function readWaitingClicks(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ clicks: number }>('SELECT coalesce(sum(clicks), 0)::float8 AS clicks FROM click_batches');
  return rows[0]?.clicks as number;
}
