import { ClickHouseError } from '@clickhouse/client';
import { Registry } from 'prom-client';
import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import {
  clickHouseStatements,
  readClickHouseFigures,
  registerClickHouseMetrics,
  registerPendingBatchMetrics,
} from '../../../control-plane/health/clickhouse-metrics.js';
import { readPendingBatches } from '../../../control-plane/health/sql.js';
import { clickHouseMetrics } from '../../../deploy/reference/metrics-page.js';
import { ClickHouse, ClickHouseUnavailableError } from '../../../shared/clickhouse/connection.js';
import { openClickHouse } from '../../support/clickhouse.js';
import { startControlPlane } from '../../support/control-plane.js';
import { createDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const SEGMENTS = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000003'];

t.test('pending batches are counted, with the age of the oldest', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const pool = createPool(url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const database = openDatabase(pool);
  t.same(await readPendingBatches(database), { batches: 0, oldest_seconds: 0 });
  await pool.query('INSERT INTO click_segments (segment_id, shipped_bytes, shipped_clicks) SELECT id, 0, 0 FROM unnest($1::uuid[]) AS id', [
    SEGMENTS,
  ]);
  await pool.query(
    `INSERT INTO click_intents (segment_id, batch_id, to_bytes, to_clicks, made_at)
     SELECT id, batch, 1, 1, now() - age FROM unnest($1::uuid[], '{7,7,8}'::bigint[], '{10 s,10 s,400 s}'::interval[]) AS given (id, batch, age)`,
    [SEGMENTS],
  );
  const { batches, oldest_seconds } = await readPendingBatches(database);
  t.equal(batches, 2, 'a batch of two files counts once');
  t.ok(oldest_seconds >= 400 && oldest_seconds < 460, String(oldest_seconds));
});

t.test('statements are measured by kind and outcome', async (t) => {
  const registry = new Registry();
  const away = new ClickHouse({
    url: 'http://127.0.0.1:1',
    timeoutMs: 1_000,
    application: 'test',
    onStatement: clickHouseStatements(registry),
  });
  t.teardown(() => away.close());
  await t.rejects(away.rows('SELECT 1'), ClickHouseUnavailableError);
  await t.rejects(away.run('SELECT 1'), ClickHouseUnavailableError);
  const page = await registry.metrics();
  for (const line of [
    'clickhouse_statement_duration_seconds_count{kind="read",outcome="failed"} 1',
    'clickhouse_statement_duration_seconds_count{kind="change",outcome="failed"} 1',
    'clickhouse_statement_duration_seconds_count{kind="read",outcome="ok"} 0',
  ])
    t.ok(page.split('\n').includes(line), line);
});

t.test('metrics of disks are omitted if the user may not read them, and all of ClickHouse while it is away', async (t) => {
  const table = { bytes: '4096', parts: '12', day_parts_max: '7' };
  const denied = new ClickHouseUnavailableError('away', {
    cause: new ClickHouseError({ message: 'Not enough privileges', code: '497', type: 'ACCESS_DENIED' }),
  });
  const answering = (disks: readonly object[] | Error) => ({
    async rows<Row>(text: string): Promise<readonly Row[]> {
      if (text.includes('system.parts')) return [table] as readonly unknown[] as readonly Row[];
      if (disks instanceof Error) throw disks;
      return disks as readonly Row[];
    },
  });
  const figures = { bytes: 4096, parts: 12, day_parts_max: 7 };
  t.same(await readClickHouseFigures(answering(denied)), { ...figures, disks: [] });
  await t.rejects(readClickHouseFigures(answering(new ClickHouseUnavailableError('away'))), { message: 'away' });

  const registry = new Registry();
  let nowMs = 0;
  let isAway = false;
  const failures: unknown[] = [];
  registerClickHouseMetrics(registry, {
    async read() {
      if (isAway) throw new Error('away');
      return readClickHouseFigures(answering([{ name: 'default', free: '5', size: '100' }]));
    },
    onFailure: (error) => failures.push(error),
    now: () => nowMs,
  });
  registerPendingBatchMetrics(registry, { read: async () => ({ batches: 3, oldest_seconds: 9 }), onFailure: (error) => t.error(error) });
  const page = async () => {
    nowMs += 1000;
    return (await registry.metrics()).split('\n').filter((line) => line.startsWith('clickhouse_'));
  };
  const pending = ['clickhouse_batches_pending 3', 'clickhouse_batches_pending_age_seconds 9'];
  t.same(await page(), [
    'clickhouse_clicks_bytes 4096',
    'clickhouse_clicks_parts 12',
    'clickhouse_clicks_parts_of_day_max 7',
    'clickhouse_disk_free_bytes{disk="default"} 5',
    'clickhouse_disk_size_bytes{disk="default"} 100',
    ...pending,
  ]);
  isAway = true;
  t.same(await page(), pending, 'metrics from PostgreSQL are kept');
  t.match(failures, [{ message: 'away' }]);
});

t.test('a control plane with clicks in ClickHouse shows all metrics of it, and one without shows none', async (t) => {
  const store = await openClickHouse(t);
  if (store === null) return;
  await store.clickHouse.run(`INSERT INTO clicks (id, occurred_at) VALUES (unhex('00000000000000000000000000000001'), now())`);
  await store.clickHouse.run(`INSERT INTO clicks (id, occurred_at) VALUES (unhex('00000000000000000000000000000002'), now() - 172800)`);
  const { url: databaseUrl, drop } = await createDatabase();
  t.teardown(drop);
  const start = (environment: Readonly<Record<string, string>>) => startControlPlane({ databaseUrl, dir: temporaryFolder(t), environment });
  const page = async ({ adminPort }: { readonly adminPort: number }) =>
    (await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()).split('\n');

  const using = await start({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: store.url });
  t.teardown(() => using.kill());
  const names = clickHouseMetrics().map(({ name, type }) => (type === 'histogram' ? `${name}_bucket` : name));
  // If a reading takes too long, the page lacks its series.
  const lines = await until(
    async () => {
      const found = await page(using);
      return names.every((name) => found.some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))) && found;
    },
    `a page with ${names.join(', ')}`,
  );
  t.ok(lines.includes('control_plane_part_ok{part="clickhouse"} 1'));
  t.ok(lines.includes('clickhouse_clicks_parts 2'), lines.filter((line) => line.startsWith('clickhouse_clicks')).join('\n'));
  t.ok(lines.includes('clickhouse_clicks_parts_of_day_max 1'));

  const without = await start({ CLICKHOUSE_URL: store.url });
  t.teardown(() => without.kill());
  t.notMatch((await page(without)).join('\n'), /clickhouse/);
});
