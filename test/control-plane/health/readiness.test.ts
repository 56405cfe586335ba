import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { type Database, DatabaseUnavailableError } from '../../../control-plane/db/database.js';
import { createReadiness } from '../../../control-plane/health/readiness.js';
import type { PartHealth } from '../../../shared/base/part-health.js';

/** A connection to a host name with several addresses fails so: without a message of its own. */
function refused(): Error {
  const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  return new DatabaseUnavailableError('cannot connect to PostgreSQL', { cause: new AggregateError(errors) });
}

t.test('a database that cannot be reached is reported with the reason at each of its addresses', async (t) => {
  const healthy = { health: () => ({ part: 'part', ok: true, reason: '' }) };
  const background = { query: () => Promise.reject(refused()) } as unknown as Database;
  const ready = createReadiness(
    { background, clickStore: postgresClicks, assigner: healthy, jobs: [], keyUses: healthy },
    { listening: true, draining: false },
  );
  const database = (await ready()).find(({ part }) => part === 'database');
  t.same(database, {
    part: 'database',
    ok: false,
    reason: 'PostgreSQL cannot be reached: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
  });
});

t.test('a click store that hangs is reported in time for health checks, and is asked only once', async (t) => {
  const healthy = { health: () => ({ part: 'part', ok: true, reason: '' }) };
  const background = { query: () => Promise.reject(refused()) } as unknown as Database;
  const well: PartHealth = { part: 'clickhouse', ok: true, reason: '' };
  let asked = 0;
  let reply = (): void => {};
  const health = () => {
    asked++;
    return new Promise<readonly PartHealth[]>((resolve) => {
      if (asked > 1) resolve([well]);
      else reply = () => resolve([well]);
    });
  };
  const clickStore = { ...postgresClicks, health };
  const ready = createReadiness(
    { background, clickStore, assigner: healthy, jobs: [], keyUses: healthy },
    { listening: true, draining: false },
  );
  const storeOf = async () => (await ready()).find(({ part }) => part === 'clickhouse');
  const beganAt = performance.now();
  const late = { part: 'clickhouse', ok: false, reason: 'ClickHouse has not replied within 500 ms' };
  t.same(await Promise.all([storeOf(), storeOf()]), [late, late]);
  t.ok(performance.now() - beganAt < 900);
  t.equal(asked, 1);
  reply();
  t.same(await storeOf(), well);
});
