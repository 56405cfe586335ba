import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Registry } from 'prom-client';
import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { registerDatabaseMetrics } from '../../../control-plane/health/database-metrics.js';
import { type DatabaseFigures, readDatabaseFigures } from '../../../control-plane/health/sql.js';
import { createDatabase } from '../../support/database.js';
import { startOwnPostgres } from '../../support/stack.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

t.test('the figures of PostgreSQL have connections, size and the age of the oldest open transaction', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const pool = createPool(url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const database = openDatabase(pool);
  const before = await readDatabaseFigures(database);
  t.ok(before.connections >= 1 && before.connections < before.connections_max, JSON.stringify(before));
  t.ok(before.database_bytes > 1_000_000);
  t.equal(before.oldest_transaction_seconds, 0, 'the reading transaction does not count');
  t.same([before.standbys, before.standby_lag_seconds, before.archive_failing_seconds], [0, null, null]);

  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_sleep(0.2)');
  const during = await readDatabaseFigures(database);
  await other.query('COMMIT');
  await other.end();
  t.ok(during.oldest_transaction_seconds >= 0.2 && during.oldest_transaction_seconds < 60, String(during.oldest_transaction_seconds));
});

t.test('unknown figures have no series, and no figure has one while PostgreSQL is away', async (t) => {
  const registry = new Registry();
  const figures: DatabaseFigures = {
    connections: 12,
    connections_max: 97,
    database_bytes: 1024,
    oldest_transaction_seconds: 0,
    standbys: 1,
    standby_lag_seconds: null,
    archive_failing_seconds: null,
  };
  const answers: (DatabaseFigures | Error)[] = [
    figures,
    { ...figures, standby_lag_seconds: 2.5, archive_failing_seconds: 700 },
    new Error('away'),
  ];
  let nowMs = 0;
  const failures: unknown[] = [];
  registerDatabaseMetrics(registry, {
    async read() {
      const answer = answers.shift() as DatabaseFigures | Error;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onFailure: (error) => failures.push(error),
    now: () => nowMs,
  });
  const page = async () => {
    nowMs += 1000;
    return (await registry.metrics()).split('\n').filter((line) => line.startsWith('postgresql_'));
  };
  t.same(await page(), [
    'postgresql_connections 12',
    'postgresql_connections_max 97',
    'postgresql_database_bytes 1024',
    'postgresql_oldest_transaction_seconds 0',
    'postgresql_standbys 1',
  ]);
  t.same((await page()).slice(-2), ['postgresql_standby_lag_seconds 2.5', 'postgresql_archive_failing_seconds 700']);
  t.same(await page(), []);
  t.match(failures, [{ message: 'away' }]);
});

t.test('failing WAL archiving is reported until it succeeds', async (t) => {
  const server = await startOwnPostgres(t);
  const asSuperuser = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.superuserUrl });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await asSuperuser('ALTER SYSTEM SET archive_mode = on');
  await asSuperuser("ALTER SYSTEM SET archive_command = 'false'");
  await server.stop();
  await server.start();
  const pool = createPool(server.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const seconds = async () => (await readDatabaseFigures(openDatabase(pool))).archive_failing_seconds;
  t.equal(await seconds(), 0, 'nothing has to be archived yet');
  await asSuperuser('SELECT pg_switch_wal()');
  await until(async () => Number(await seconds()) > 0, 'the archiving failure');
  await asSuperuser("ALTER SYSTEM SET archive_command = 'true'");
  await asSuperuser('SELECT pg_reload_conf()');
  await until(async () => (await seconds()) === 0, 'the WAL in the archive', 90_000);
});

t.test('an archive command that hangs is reported, although nothing has failed', async (t) => {
  const server = await startOwnPostgres(t);
  const hang = join(temporaryFolder(t), 'hang');
  const asSuperuser = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.superuserUrl });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await asSuperuser('ALTER SYSTEM SET archive_mode = on');
  await asSuperuser(`ALTER SYSTEM SET archive_command = 'while [ -e ${hang} ]; do sleep 0.1; done'`);
  await server.stop();
  await server.start();
  const pool = createPool(server.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const database = openDatabase(pool);
  const seconds = async (hangsSeconds?: number) => (await readDatabaseFigures(database, hangsSeconds)).archive_failing_seconds;
  const archived = async () =>
    (await database.query<{ count: number }>({ text: 'SELECT archived_count::integer AS count FROM pg_stat_archiver', values: [] })).rows[0]
      ?.count as number;
  const nextFile = async () => {
    await asSuperuser('CREATE TABLE IF NOT EXISTS written (n integer)');
    await asSuperuser('INSERT INTO written VALUES (1)');
    await asSuperuser('SELECT pg_switch_wal()');
  };
  await nextFile();
  await until(async () => (await archived()) > 0, 'the first file in the archive');
  await sleep(1_100);
  t.equal(await seconds(1), 0, 'no file waits, although the last one was archived a while ago');
  writeFileSync(hang, '');
  await nextFile();
  await until(async () => Number(await seconds(1)) > 1, 'the report of the hanging command');
  t.equal(await seconds(), 0, 'by default a file may take minutes');
  rmSync(hang);
  await until(async () => (await seconds(1)) === 0, 'the file in the archive');
});
