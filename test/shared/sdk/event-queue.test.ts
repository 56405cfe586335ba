import t from 'tap';
import { IDEMPOTENCY_HOURS } from '../../../shared/base/limits.js';
import type { Failure } from '../../../shared/sdk/client-http.js';
import { EventQueue } from '../../../shared/sdk/event-queue.js';
import { sharedStorage } from '../../../shared/sdk/shared-storage.js';
import { manualClock } from '../../support/manual-clock.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const KEY = 'events';

/** A queue on a storage, whose attempts are all lost until `answer` is set. */
function setUp(stored?: unknown) {
  const clock = manualClock(START);
  const values = new Map<string, string>(stored === undefined ? [] : [[KEY, JSON.stringify(stored)]]);
  const sent: string[] = [];
  const failures: Failure[] = [];
  const server = { answer: null as number | null };
  const queue = () =>
    new EventQueue({
      transport: {
        baseUrl: 'https://api.example.com/v1',
        publishableKey: 'pk_test_x',
        timeoutMs: 1000,
        fetch: async (_url, { body }) => {
          sent.push(JSON.parse(String(body)).name);
          if (server.answer === null) throw new TypeError('Failed to fetch');
          return new Response('{"id":"evt_1"}', { status: server.answer });
        },
      },
      storage: sharedStorage({ getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) }),
      storageKeys: [KEY],
      report: (failure) => failures.push(failure),
      opensEnded: async () => {},
      now: clock.now,
    });
  const waiting = () => JSON.parse(values.get(KEY) ?? '[]');
  return { clock, sent, failures, server, queue, waiting };
}

const event = (name: string, occurredAt?: string) => ({ name, installId: 'i', ...(occurredAt === undefined ? {} : { occurredAt }) });

t.test('an event whose first attempt is too old for its key is dropped and reported, and those never attempted are sent', async (t) => {
  const { clock, sent, failures, server, queue, waiting } = setUp();
  const first = queue();
  await first.add(event('attempted'));
  await first.add(event('waiting'));
  await first.flush();
  t.match(waiting(), [{ triedAt: START }, { triedAt: null }]);
  clock.advance(5 * HOUR_MS);
  await queue().flush();
  t.match(waiting(), [{ triedAt: START }, { triedAt: null }], 'a later attempt changes nothing');
  clock.advance(19 * HOUR_MS);
  server.answer = 201;
  sent.length = 0;
  await queue().flush();
  t.same(sent, ['waiting']);
  t.same(waiting(), []);
  t.match(failures, [{ operation: 'events', status: 0, problem: null, cause: /first attempt was 23 hours ago/ }]);
  t.equal(failures.length, 1);
});

t.test('while the browser says that it is offline, an event is not attempted, so that it waits for days', async (t) => {
  const { clock, sent, failures, server, queue, waiting } = setUp();
  const { navigator } = globalThis as { navigator?: unknown };
  const browser = { onLine: false };
  Object.defineProperty(globalThis, 'navigator', { value: browser, configurable: true });
  t.teardown(() => Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true }));
  await queue().add(event('offline'));
  await queue().flush();
  t.same(sent, []);
  t.match(waiting(), [{ triedAt: null }]);
  clock.advance(72 * HOUR_MS);
  Object.assign(browser, { onLine: true });
  server.answer = 201;
  await queue().flush();
  t.same([sent, waiting(), failures], [['offline'], [], []]);
});

t.test('an event is sent again for 23 hours, which is less than the service remembers its key', async (t) => {
  const { clock, sent, failures, server, queue } = setUp();
  const first = queue();
  await first.add(event('attempted'));
  await first.flush();
  clock.advance(23 * HOUR_MS);
  server.answer = 201;
  await queue().flush();
  t.same([sent, failures], [['attempted', 'attempted'], []]);
  t.ok(IDEMPOTENCY_HOURS > 23);
});

t.test('an event that was never attempted waits for any time', async (t) => {
  const { clock, sent, server, queue } = setUp();
  await queue().add(event('waiting', new Date(START).toISOString()));
  clock.advance(1000 * HOUR_MS);
  server.answer = 201;
  await queue().flush();
  t.same(sent, ['waiting']);
});

t.test('entries of older versions count as attempted when they happened, if that is known', async (t) => {
  const at = (hours: number) => new Date(START - hours * HOUR_MS).toISOString();
  const { sent, failures, server, queue } = setUp([
    { key: 'a', event: event('old', at(24)) },
    { key: 'b', event: event('new', at(22)) },
    { key: 'c', event: event('without a time') },
    null,
    {},
  ]);
  server.answer = 201;
  await queue().flush();
  t.same(sent, ['new', 'without a time']);
  t.equal(failures.length, 1);
});
