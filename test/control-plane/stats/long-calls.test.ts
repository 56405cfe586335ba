import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import type { ClickStore } from '../../../control-plane/click-store/click-store.js';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import type { Database } from '../../../control-plane/db/database.js';
import { LongCalls } from '../../../control-plane/stats/long-calls.js';
import type { StatsSource } from '../../../control-plane/stats/source.js';
import { STATS_CALL_MS_MAX, STATS_LONG_AFTER_MS, STATS_OF_ENVIRONMENT_AT_ONCE } from '../../../shared/base/stats-limits.js';

const source: StatsSource = { database: {} as Database, clickStore: { ...postgresClicks, inSnapshot: false } as ClickStore };
const LIMITS = { callMs: 60_000, longAfterMs: 5, max: 2, ofEnvironmentMax: 1 };
const caller = (environmentId: string, gone: AbortSignal | null = null) => ({ environmentId, gone });

/** Work that ends when it is aborted or when the test calls `end`. */
function slow() {
  let end = () => {};
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('answered');
  });
  const work = ({ abort }: StatsSource) =>
    Promise.race([
      ended,
      new Promise<never>((_, reject) =>
        abort?.addEventListener('abort', () => reject(new Error('cancelled by the server')), { once: true }),
      ),
    ]);
  return { work, end };
}

t.test('long calls are limited for each environment and in total, and short calls are not', async (t) => {
  const calls = new LongCalls(LIMITS);
  const [first, second] = [slow(), slow()];
  const answers = [calls.answer(source, caller('env_1'), first.work)];
  await wait(50);
  await t.rejects(calls.answer(source, caller('env_1'), slow().work), { code: 'rate_limited', headers: { 'retry-after': '5' } });
  answers.push(calls.answer(source, caller('env_2'), second.work));
  await wait(50);
  await t.rejects(calls.answer(source, caller('env_3'), slow().work), { code: 'service_unavailable', headers: { 'retry-after': '5' } });
  t.equal(await calls.answer(source, caller('env_1'), async () => 'short'), 'short');
  first.end();
  second.end();
  t.same(await Promise.all(answers), ['answered', 'answered']);
  const again = slow();
  const answer = calls.answer(source, caller('env_1'), again.work);
  await wait(50);
  again.end();
  t.equal(await answer, 'answered', 'ended calls free their place');
});

t.test('a call ends at its time limit and when its client disconnects', async (t) => {
  const calls = new LongCalls({ ...LIMITS, callMs: 30 });
  await t.rejects(calls.answer(source, caller('env_1'), slow().work), { code: 'service_unavailable', detail: /more than 0.03 seconds/ });
  const client = new AbortController();
  const left = new LongCalls(LIMITS).answer(source, caller('env_1', client.signal), slow().work);
  client.abort();
  await t.rejects(left, { code: 'bad_request' });
  await t.rejects(new LongCalls(LIMITS).answer(source, caller('env_1', AbortSignal.abort()), slow().work), { code: 'bad_request' });
  const failing = new LongCalls(LIMITS).answer(source, caller('env_1'), () => Promise.reject(new Error('a fault')));
  await t.rejects(failing, { message: 'a fault' });
});

t.test('the time limit of a call is below the time-out of clients', async (t) => {
  t.ok(STATS_CALL_MS_MAX < 30_000, 'the limit is below the 30 s of the SDK and the dashboard');
  t.ok(STATS_LONG_AFTER_MS < STATS_CALL_MS_MAX);
});

t.test('calls to the store in PostgreSQL are not aborted, because it has its own limits', async (t) => {
  const calls = new LongCalls({ ...LIMITS, callMs: 100 });
  const answer = calls.answer({ ...source, clickStore: postgresClicks }, caller('env_1'), async ({ abort }) => {
    await wait(150);
    return abort;
  });
  t.equal(await answer, undefined);
});

t.test('from PostgreSQL, an environment has a few calls at once, its others wait, and those of other environments do not', async (t) => {
  const calls = new LongCalls(LIMITS);
  const inPostgres = { ...source, clickStore: postgresClicks };
  const begun: string[] = [];
  const begin = (name: string, environmentId: string, gone: AbortSignal | null = null) => {
    const call = slow();
    const answer = calls.answer(inPostgres, caller(environmentId, gone), (given) => {
      begun.push(name);
      return call.work(given);
    });
    return { answer, end: call.end };
  };
  const client = new AbortController();
  const first = Array.from({ length: STATS_OF_ENVIRONMENT_AT_ONCE }, (_, n) => begin(`first ${n}`, 'env_1'));
  const left = begin('left', 'env_1', client.signal);
  const waiting = begin('waiting', 'env_1');
  const other = begin('other', 'env_2');
  await wait(10);
  t.same(begun, ['first 0', 'first 1', 'first 2', 'other']);
  client.abort();
  first[0]?.end();
  await t.rejects(left.answer, { code: 'bad_request' }, 'a client that has left is not counted for');
  await wait(10);
  t.same(begun.slice(4), ['waiting']);
  for (const { end } of [...first, waiting, other]) end();
  t.same(new Set(await Promise.all([...first, waiting, other].map(({ answer }) => answer))), new Set(['answered']));
});

t.test('a call that has waited for longer than calls may take is refused when its turn comes', async (t) => {
  const calls = new LongCalls({ ...LIMITS, callMs: 20 });
  const inPostgres = { ...source, clickStore: postgresClicks };
  const running = Array.from({ length: STATS_OF_ENVIRONMENT_AT_ONCE }, slow);
  const answers = running.map(({ work }) => calls.answer(inPostgres, caller('env_1'), work));
  const late = calls.answer(inPostgres, caller('env_1'), async () => 'too late');
  await wait(40);
  for (const { end } of running) end();
  await t.rejects(late, { code: 'rate_limited', headers: { 'retry-after': '5' } });
  await Promise.all(answers);
  t.equal(await calls.answer(inPostgres, caller('env_1'), async () => 'answered'), 'answered');
});
