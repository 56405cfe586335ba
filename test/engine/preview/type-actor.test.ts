import t from 'tap';
import { CallBudget } from '../../../engine/preview/call-budget.js';
import { Figures } from '../../../engine/preview/figures.js';
import type { Question } from '../../../engine/preview/in-flight-fetch.js';
import type { Reply } from '../../../engine/preview/messages.js';
import { type CallJournal, MinuteWindow } from '../../../engine/preview/minute-window.js';
import { type SharedAnswer, type SharedReading, TypeActor } from '../../../engine/preview/type-actor.js';
import { compileMetadataApi, type RequestSender } from '../../../shared/metadata/call.js';
import type { MetadataConfiguration } from '../../../shared/metadata/configuration.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import type { BoundedRequest, RequestOutcome } from '../../../shared/net/bounded-request.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { silentLog } from '../fixtures.js';
import { CONFIGURATION, NO_OWNERS } from './fixtures.js';

const TYPE = 'rt_1';
/** A customer's API whose calls the test answers. */
class HandApi implements RequestSender {
  readonly calls: { readonly item: string; answer(outcome: RequestOutcome): Promise<void> }[] = [];

  request({ url }: BoundedRequest): Promise<RequestOutcome> {
    return new Promise((resolve) => {
      this.calls.push({
        item: url.pathname.slice(1),
        async answer(outcome) {
          resolve(outcome);
          await settle();
        },
      });
    });
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const answered = (status: number, body: unknown): RequestOutcome => ({
  kind: 'answered',
  status,
  body: Buffer.from(JSON.stringify(body)),
  truncated: false,
  latencyMs: 40,
});
const ok = (title: string, status = 'live') => answered(200, { title, status });
const failed = (error: 'timeout' | 'connect' = 'connect'): RequestOutcome => ({
  kind: 'failed',
  error,
  status: null,
  body: Buffer.alloc(0),
  latencyMs: 1000,
});

const NO_JOURNAL: CallJournal = { note: () => {}, read: () => [], clear: () => {} };

interface Options {
  readonly configuration?: Partial<MetadataConfiguration>;
  /** Another engine that makes the calls, because this one has no share of the limits; by default this one makes them. */
  readonly owner?: string;
  /** What a reading of the shared database yields; nothing by default. */
  readonly read?: (item: string) => SharedReading;
}

function fixture({ configuration = {}, owner, read }: Options = {}) {
  const clock = manualTimers();
  clock.advance(1_000_000);
  const answers = new Map<string, RememberedAnswer>();
  let epoch = 1;
  const stored: SharedAnswer[] = [];
  const api = new HandApi();
  const figures = new Figures();
  const whole = { ...CONFIGURATION, url_template: 'https://api.example.com/{id}', ...configuration };
  const budget = new CallBudget('mapi_1', new MinuteWindow({ journal: NO_JOURNAL, now: clock.now, epochNow: clock.now }));
  const make = (generation: number) =>
    new TypeActor(
      {
        resource_type_id: TYPE,
        generation,
        compiled: compileMetadataApi(whole, { type: 'product', service_name: 'Service', credential: null }),
      },
      budget,
      {
        answers: {
          find: (key) => answers.get(key),
          put: (key, answer) => void answers.set(key, answer),
          remove: (keys) => {
            for (const key of keys) answers.delete(key);
            epoch += 1;
          },
          epoch: () => epoch,
        },
        shared: {
          read: async ({ item_id }) => read?.(item_id) ?? { kind: 'read', invalidation: '0', answer: null },
          store: (answer) => void stored.push(answer),
          listedUrls: async () => new Set(),
        },
        owners: owner === undefined ? NO_OWNERS : { ...NO_OWNERS, of: () => [owner] },
        sender: api,
        figures,
        log: silentLog,
        clock: clock.now,
        now: clock.now,
        schedule: clock.schedule,
      },
    );
  const actor = make(1);
  budget.setLimits(
    whole,
    (limit) => (owner === undefined ? limit : 0),
    () => (owner === undefined ? [] : [owner]),
  );
  const reply: (Reply & { readonly item: string })[] = [];
  const question = (item: string, waitMs: number, ahead = false): Question => ({
    item_id: item,
    untilMs: waitMs === 0 ? 0 : clock.now() + waitMs,
    ahead,
    called: false,
    reply: (answer) => void reply.push({ item, ...answer }),
  });
  const ask = async (item: string, waitMs = 1000, ahead = false) => {
    actor.ask(question(item, waitMs, ahead));
    await settle();
  };
  const counts = () => figures.take()[0]?.counts ?? {};
  const forget = (item: string) => {
    answers.delete(`${TYPE}/${item}`);
    epoch += 1;
    actor.invalidate(item);
  };
  return { actor, budget, api, answers, ask, clock, counts, forget, make, question, stored, reply };
}

t.test('all who ask for an item during a call are answered by that call, and the first of them counts as the caller', async (t) => {
  const { api, ask, counts, stored, reply } = fixture();
  for (let n = 0; n < 50; n++) await ask('a');
  t.equal(api.calls.length, 1);
  await api.calls[0]?.answer(ok('A'));
  t.equal(reply.length, 50);
  t.strictSame(reply.filter((one) => one.called).length, 1);
  for (const one of reply) t.match(one, { kind: 'answer', source: 'api', answer: { metadata: { title: 'A' } }, epoch: 1 });
  t.match(stored, [{ item_id: 'a', generation: 1, invalidation: '0', answer: { outcome: 'ok' } }]);
  t.match(counts(), { calls_ok: 1, latency_ms_sum: 40, latency_lt_100: 1 });
  await ask('a');
  t.match(reply.at(-1), { kind: 'answer', source: 'store', called: false }, 'the answer is remembered on the host from now on');
  t.equal(api.calls.length, 1);
});

t.test('no more calls than max_concurrency are under way, and the others follow one by one, in order', async (t) => {
  const { api, ask, reply } = fixture();
  for (const item of ['a', 'b', 'c', 'd']) await ask(item);
  t.strictSame(
    api.calls.map(({ item }) => item),
    ['a', 'b'],
  );
  await api.calls[1]?.answer(ok('B'));
  t.strictSame(
    api.calls.map(({ item }) => item),
    ['a', 'b', 'c'],
  );
  await api.calls[0]?.answer(ok('A'));
  await api.calls[2]?.answer(ok('C'));
  await api.calls[3]?.answer(ok('D'));
  t.strictSame(
    reply.map(({ item }) => item),
    ['b', 'a', 'c', 'd'],
  );
});

t.test('a question that waits too long for the limits is answered without a card at its deadline and counted as throttled', async (t) => {
  const { api, ask, clock, counts, reply } = fixture({ configuration: { max_concurrency: 1 } });
  await ask('a');
  await ask('b', 300);
  await ask('c', 600);
  clock.advance(300);
  await settle();
  t.match(reply, [{ item: 'b', kind: 'none', called: false }]);
  t.equal(counts().skipped_throttled, 1);
  await api.calls[0]?.answer(ok('A'));
  t.equal(api.calls[1]?.item, 'c', 'the call for the question that still waits is made');
});

t.test('once the calls of the minute are used up, a question waits only if a call is possible in time', async (t) => {
  const { api, ask, clock, counts, reply } = fixture({ configuration: { max_requests_per_minute: 1 } });
  await ask('a');
  await api.calls[0]?.answer(ok('A'));
  await ask('b');
  t.match(reply.at(-1), { item: 'b', kind: 'none' });
  t.equal(counts().skipped_throttled, 1);
  clock.advance(59_500);
  await ask('b');
  t.equal(api.calls.length, 1, 'half a second is short enough to wait for');
  t.equal(reply.length, 2);
  clock.advance(500);
});

t.test('the queue of questions is limited, and questions beyond the limit are answered at once', async (t) => {
  const { api, ask, counts, reply } = fixture();
  for (let n = 0; n < 1024; n++) await ask(`i${n}`);
  await ask('one more');
  t.match(reply, [{ item: 'one more', kind: 'none' }]);
  t.equal(counts().skipped_throttled, 1);
  t.equal(api.calls.length, 2);
});

t.test(
  'the breaker opens after five failures, lets one probe through for each interval, and closes after one success (promise P3)',
  async (t) => {
    const { actor, api, ask, clock, counts, reply } = fixture();
    for (let n = 0; n < 5; n++) {
      await ask(`i${n}`);
      await api.calls[n]?.answer(failed(n === 0 ? 'timeout' : 'connect'));
    }
    t.match(counts(), { calls_error: 4, calls_timeout: 1, latency_ge_1000: 5 });
    t.equal(actor.breakerKind(), 'open');
    await ask('x');
    t.match(reply.at(-1), { item: 'x', kind: 'none', called: false });
    t.match(counts(), { skipped_breaker_open: 1 });
    t.equal(api.calls.length, 5);
    clock.advance(10_000);
    await ask('x');
    await ask('y');
    t.equal(api.calls.length, 6, 'one probe');
    t.match(counts(), { skipped_breaker_open: 1 });
    await api.calls[5]?.answer(answered(503, {}));
    clock.advance(19_999);
    await ask('x');
    t.equal(api.calls.length, 6);
    clock.advance(1);
    await ask('x');
    await api.calls[6]?.answer(answered(404, {}));
    t.equal(actor.breakerKind(), 'closed', 'the answer that there is no such item is not a failure');
    await ask('y');
    t.equal(api.calls.length, 8);
  },
);

t.test('a missing item is remembered; with negative_ttl_seconds 0 it is not, and an earlier answer is removed', async (t) => {
  const { api, ask, answers, reply } = fixture();
  await ask('a');
  await api.calls[0]?.answer(answered(410, {}));
  await ask('a');
  t.match(reply[1], { source: 'store', answer: { outcome: 'missing' } });
  const never = fixture({ configuration: { negative_ttl_seconds: 0 } });
  await never.ask('a');
  await never.api.calls[0]?.answer(ok('A'));
  never.clock.advance(101_000);
  await never.ask('a', 0);
  await never.api.calls[1]?.answer(answered(404, {}));
  t.equal(never.answers.size, 0, 'the stale answer is not shown for an item that is gone');
  t.equal(answers.size, 1);
});

t.test('a failed refresh keeps the stale answer, nobody waits for it, and no bot counts as the caller', async (t) => {
  const { api, ask, answers, clock, counts, reply } = fixture();
  await ask('a');
  await api.calls[0]?.answer(ok('A'));
  counts();
  clock.advance(120_000);
  await ask('a', 0);
  await api.calls[1]?.answer(answered(500, {}));
  t.match(reply[1], { kind: 'none', called: false });
  t.equal(answers.get(`${TYPE}/a`)?.metadata?.title, 'A');
  t.match(counts(), { calls_error: 1 });
});

t.test('an answer that another engine has fetched is read from the database, and the API is not asked', async (t) => {
  const now = 1_000_000;
  const shared = (changes: Partial<RememberedAnswer>): SharedReading => ({
    kind: 'read',
    invalidation: '7',
    answer: {
      generation: 1,
      outcome: 'ok',
      meaning: 'published',
      metadata: { title: 'Shared' } as RememberedAnswer['metadata'],
      fetched_at_ms: now - 50_000,
      expires_at_ms: now + 10_000,
      keep_until_ms: now + 20_000,
      ...changes,
    },
  });
  const fresh = fixture({ read: () => shared({}) });
  await fresh.ask('a');
  t.match(fresh.reply, [{ kind: 'answer', source: 'database', called: false }]);
  t.equal(fresh.api.calls.length, 0);
  t.equal(fresh.answers.size, 1);

  const stale = fixture({ read: () => shared({ expires_at_ms: now - 1 }) });
  await stale.ask('a');
  t.match(stale.reply, [{ kind: 'answer', source: 'database', called: false }], 'the stale answer is shown at once');
  t.equal(stale.api.calls.length, 1, 'the item is fetched again');
  await stale.ask('a');
  await stale.api.calls[0]?.answer(ok('New'));
  t.match(stale.reply[1], { source: 'api', called: false }, 'the later question waited for a call that counts for no bot');
  t.equal(stale.stored[0]?.invalidation, '7');

  const gone = fixture({ read: () => shared({ expires_at_ms: now - 2, keep_until_ms: now - 1 }) });
  await gone.ask('a');
  t.equal(gone.reply.length, 0);
  t.equal(gone.api.calls.length, 1);
});

t.test('an owner’s answer that may not be remembered is shown to those who wait for it, and is no failure', async (t) => {
  const missing = (fetched_at_ms: number): SharedReading => {
    const times = { fetched_at_ms, expires_at_ms: fetched_at_ms, keep_until_ms: fetched_at_ms };
    return {
      kind: 'read',
      invalidation: '0',
      answer: { generation: 1, outcome: 'missing', meaning: 'published', metadata: null, ...times },
    };
  };
  const fetchedAt = new Map<string, number>();
  const { actor, answers, ask, clock, reply } = fixture({ owner: 'other', read: (item) => missing(fetchedAt.get(item) ?? 1) });
  answers.set(`${TYPE}/item-0`, {
    ...{ generation: 1, outcome: 'ok', meaning: 'published', metadata: { title: 'Old' } as RememberedAnswer['metadata'] },
    ...{ fetched_at_ms: 0, expires_at_ms: clock.now() - 1, keep_until_ms: clock.now() + 100_000 },
  });
  for (let n = 0; n < 6; n++) {
    await ask(`item-${n}`);
    clock.advance(50);
    await settle();
    t.equal(reply.length, n, 'an answer from before the question is not shown');
    fetchedAt.set(`item-${n}`, clock.now());
    clock.advance(50);
    await settle();
    t.match(reply[n], { item: `item-${n}`, kind: 'answer', source: 'database', answer: { outcome: 'missing' } });
  }
  t.equal(actor.breakerKind(), 'closed');
  t.equal(answers.size, 0, 'and an older answer about the item is forgotten');
});

t.test('while the database is away the API is asked, and its answer is kept on the host alone', async (t) => {
  const { api, answers, ask, stored, reply } = fixture({ read: () => ({ kind: 'unread' }) });
  await ask('a');
  await api.calls[0]?.answer(ok('A'));
  t.match(reply, [{ source: 'api' }]);
  t.equal(answers.size, 1);
  t.strictSame(stored, []);
});

t.test(
  'an answer to a call from before an invalidation is discarded, and the bot gets the answer to a later call (promise P5)',
  async (t) => {
    let invalidation = 1;
    const { budget, answers, api, ask, forget, stored, reply } = fixture({
      read: () => ({ kind: 'read', invalidation: String(invalidation), answer: null }),
    });
    await ask('a');
    invalidation = 2;
    forget('a');
    await settle();
    t.equal(api.calls.length, 2, 'a second call is made at once, while the first one hangs');
    await api.calls[0]?.answer(ok('old'));
    t.strictSame([reply.length, answers.size, stored.length], [0, 0, 0]);
    await api.calls[1]?.answer(ok('new'));
    t.match(reply, [{ answer: { metadata: { title: 'new' } }, called: true }]);
    t.match(stored, [{ invalidation: '2', answer: { metadata: { title: 'new' } } }]);
    t.equal(budget.underWay, 0, 'both calls have been released');
    forget('never asked for');
  },
);

t.test('an invalidated item whose bot has gone is not fetched again', async (t) => {
  const { api, ask, clock, forget, reply } = fixture();
  await ask('a', 100);
  clock.advance(200);
  forget('a');
  await settle();
  t.equal(api.calls.length, 1);
  t.match(reply, [{ kind: 'none', called: true }]);
});

t.test('a new configuration starts without answers, and calls of the old one count against its limits until they end', async (t) => {
  const { actor, budget, answers, api, ask, make, question, reply } = fixture({ configuration: { max_concurrency: 1 } });
  await ask('a');
  const next = make(2);
  actor.retire();
  t.match(reply, [{ item: 'a', kind: 'again', called: true }]);
  next.ask(question('b', 1000));
  await settle();
  t.equal(api.calls.length, 1, 'the call under way uses up the limit');
  await api.calls[0]?.answer(ok('A'));
  t.equal(answers.size, 0, 'its answer is not remembered');
  t.equal(api.calls[1]?.item, 'b');
  await api.calls[1]?.answer(ok('B'));
  t.match(reply[1], { item: 'b', kind: 'answer', answer: { generation: 2 } });
  t.equal(budget.underWay, 0);
  // An answer that was stored under the previous generation counts as none.
  answers.set(`${TYPE}/c`, { ...(answers.get(`${TYPE}/b`) as RememberedAnswer), generation: 1 });
  next.ask(question('c', 1000));
  await settle();
  t.equal(api.calls[2]?.item, 'c');
});

t.test('a refresh ahead of expiry is one call, however many processes ask for it', async (t) => {
  const { api, ask, clock, reply } = fixture();
  await ask('a');
  await api.calls[0]?.answer(ok('A'));
  clock.advance(96_000);
  await ask('a', 0, true);
  t.equal(api.calls.length, 2);
  await api.calls[1]?.answer(ok('A2'));
  await ask('a', 0, true);
  t.equal(api.calls.length, 2, 'the new answer is not near its expiry');
  t.match(reply.at(-1), { source: 'store', answer: { metadata: { title: 'A2' } } });
});

t.test('an unusable answer is counted as invalid and is not a failure of the API', async (t) => {
  const { actor, api, ask, counts, reply } = fixture();
  for (let n = 0; n < 6; n++) {
    await ask('a');
    await api.calls[n]?.answer(answered(200, { nothing: true }));
  }
  t.match(counts(), { calls_invalid: 6 });
  t.equal(actor.breakerKind(), 'closed');
  for (const one of reply) t.match(one, { kind: 'none', called: true });
});
