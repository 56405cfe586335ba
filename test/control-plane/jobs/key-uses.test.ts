import t from 'tap';
import { DatabaseUnavailableError, type Queryable, type Rows } from '../../../control-plane/db/database.js';
import { createKeyUsesJob } from '../../../control-plane/jobs/key-uses.js';
import { createLogger } from '../../../shared/base/log.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');

/** A database that records which keys each statement wrote. */
function written() {
  const statements: (readonly string[])[] = [];
  const database: Queryable = {
    async query<Row>({ values }: { values: readonly unknown[] }): Promise<Rows<Row>> {
      statements.push(values[0] as readonly string[]);
      return { rows: [], rowCount: 0 };
    },
  };
  return { statements, database };
}

t.test('uses are written once an interval in one statement, and no statement is sent without uses', async (t) => {
  const { statements, database } = written();
  const job = createKeyUsesJob({ database, log, clock: Date.now, intervalMs: 20 });
  job.start();
  for (let call = 0; call < 100; call++) for (const id of ['a', 'b']) job.note(id);
  await until(() => statements.length === 1);
  const { rounds } = job.stats();
  await until(() => job.stats().rounds > rounds + 2);
  t.same(statements, [['a', 'b']]);
  t.ok(job.health().ok);
  await job.stop();
});

t.test('a stop writes the remaining uses, so that only a kill loses those since the last write', async (t) => {
  const { statements, database } = written();
  const job = createKeyUsesJob({ database, log, clock: Date.now });
  job.note('before');
  job.start();
  await until(() => statements.length === 1);
  job.note('since');
  t.same(statements, [['before']], 'later uses are not written before the stop');
  await job.stop();
  t.same(statements, [['before'], ['since']]);
});

t.test('a stop succeeds without PostgreSQL', async (t) => {
  const database = { query: () => Promise.reject(new DatabaseUnavailableError('away')) };
  const job = createKeyUsesJob({ database, log, clock: Date.now });
  job.start();
  job.note('key');
  await t.resolves(job.stop());
});
