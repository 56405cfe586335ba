import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { type Database, DatabaseUnavailableError } from '../../../control-plane/db/database.js';
import { createReadiness } from '../../../control-plane/health/readiness.js';

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
