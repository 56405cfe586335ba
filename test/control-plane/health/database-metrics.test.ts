import pg from 'pg';
import { Registry } from 'prom-client';
import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { registerDatabaseMetrics } from '../../../control-plane/health/database-metrics.js';
import { type DatabaseFigures, readDatabaseFigures } from '../../../control-plane/health/sql.js';
import { createDatabase } from '../../support/database.js';

t.test('PostgreSQL says what is taken of it, and how old the oldest open transaction is', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const pool = createPool(url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const database = openDatabase(pool);
  const before = await readDatabaseFigures(database);
  t.ok(before.connections >= 1 && before.connections < before.connections_max, JSON.stringify(before));
  t.ok(before.database_bytes > 1_000_000);
  t.equal(before.oldest_transaction_seconds, 0, 'its own is not one');
  t.same([before.standbys, before.standby_lag_seconds], [0, null]);

  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_sleep(0.2)');
  const during = await readDatabaseFigures(database);
  await other.query('COMMIT');
  await other.end();
  t.ok(during.oldest_transaction_seconds >= 0.2 && during.oldest_transaction_seconds < 60, String(during.oldest_transaction_seconds));
});

t.test('what the role may not see, and everything while PostgreSQL is away, has no series', async (t) => {
  const registry = new Registry();
  const figures: DatabaseFigures = {
    connections: 12,
    connections_max: 97,
    database_bytes: 1024,
    oldest_transaction_seconds: 0,
    standbys: 1,
    standby_lag_seconds: null,
  };
  const answers: (DatabaseFigures | Error)[] = [figures, { ...figures, standby_lag_seconds: 2.5 }, new Error('away')];
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
  t.ok((await page()).includes('postgresql_standby_lag_seconds 2.5'));
  t.same(await page(), []);
  t.match(failures, [{ message: 'away' }]);
});
