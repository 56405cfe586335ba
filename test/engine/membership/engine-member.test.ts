import pg from 'pg';
import t from 'tap';
import { EngineMember, type EngineMemberOptions } from '../../../engine/membership/engine-member.js';
import { AnswerWriter } from '../../../engine/store/answer-writer.js';
import { systemClock } from '../../../shared/base/clock.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { silentLog } from '../fixtures.js';

const own = await createDatabase();
const client = new pg.Client({ connectionString: own.url });
await client.connect();
t.teardown(async () => {
  await client.end();
  await own.drop();
});

function optionsOf(answers: AnswerWriter, roles: readonly string[]): EngineMemberOptions {
  return {
    databaseUrl: own.url,
    answers,
    log: silentLog,
    profile: { roles, connections: 15 },
    figures: { numberFrom: () => undefined, write: async () => undefined },
    clock: systemClock,
    random: () => 0,
    applied: () => null,
    report: () => null,
    onShares: () => undefined,
    quietMs: () => Number.POSITIVE_INFINITY,
    beatMs: 100,
  };
}

const engines = async () => (await client.query<{ id: string; left: boolean }>('SELECT id, left_at IS NOT NULL AS left FROM engines')).rows;

t.test('the next process on a host is the same engine, and has its share before it has reached the database', async (t) => {
  const answers = new AnswerWriter({ dataDir: t.testdir(), log: silentLog, clock: systemClock });
  t.teardown(() => answers.close());
  let told = 0;
  const first = new EngineMember({ ...optionsOf(answers, ['background']), onShares: () => told++ });
  t.equal(first.share(10, 'api/minute'), 0, 'a new engine makes no calls yet');
  first.start();
  await until(() => told > 0, 'the engine to have its share');
  t.equal(first.share(10, 'api/minute'), 10);
  first.handOver();
  await first.stop();
  const [row] = await engines();
  t.equal(row?.left, false);

  const next = new EngineMember(optionsOf(answers, ['background']));
  t.equal(next.share(10, 'api/minute'), 10);
  t.strictSame(next.holders(10, 'api/minute'), [row?.id]);
  next.start();
  await until(() => next.stats().state === 'working', 'the next process to have its connection');
  await next.stop();
  t.strictSame(await engines(), [{ id: row?.id, left: true }]);

  const without = new EngineMember(optionsOf(answers, ['redirect']));
  t.equal(without.engines, 0, 'an engine that makes no calls is another member');
});
