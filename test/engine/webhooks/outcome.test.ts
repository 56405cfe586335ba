import t from 'tap';
import {
  type Attempt,
  type AttemptResult,
  EVENT_MISSING,
  isSuccess,
  nextState,
  notSent,
  SECRET_UNREADABLE,
  SENDER_FAILED,
  streakChanges,
} from '../../../engine/webhooks/outcome.js';

const NOW_MS = Date.UTC(2026, 10, 20);
const LADDER = [60, 300, 1800, 7200, 21_600, 43_200, 86_400];

function result(changes: Partial<AttemptResult> = {}): AttemptResult {
  return { response_code: 200, response_body: '', error: null, latency_ms: 5, finished_at_ms: NOW_MS, ...changes };
}

function attempt(changes: Partial<Attempt> = {}): Attempt {
  return { webhook_id: 'wh_a', kind: 'automatic', attempt: 1, ...changes };
}

t.test('only a 2xx answer that arrived completely and in time is a success', async (t) => {
  for (const code of [200, 201, 202, 204, 299]) t.ok(isSuccess(result({ response_code: code })), String(code));
  for (const code of [301, 302, 304, 307, 400, 404, 410, 429, 500, 503, 600])
    t.notOk(isSuccess(result({ response_code: code })), String(code));
  t.notOk(isSuccess(result({ error: 'timeout' })), 'a 200 whose body did not end in time');
  t.notOk(isSuccess(result({ response_code: null, error: 'dns' })));
});

t.test(
  'an automatic delivery is retried seven times on a fixed schedule and abandoned after the eighth attempt, 44 h 36 min later',
  async (t) => {
    let lastsMs = 0;
    for (let number = 1; number <= 7; number++) {
      const next = nextState(attempt({ attempt: number }), result({ response_code: 500 }), LADDER, () => 0.5);
      t.same(next, { status: 'retrying', retry_after_ms: (LADDER[number - 1] as number) * 1000 });
      lastsMs += next.retry_after_ms as number;
    }
    t.same(nextState(attempt({ attempt: 8 }), result({ response_code: 500 }), LADDER), { status: 'abandoned', retry_after_ms: null });
    t.equal(lastsMs, (44 * 60 + 36) * 60 * 1000);
  },
);

t.test('a success at any attempt ends a delivery, and a failed replay or test ends at once', async (t) => {
  for (const number of [1, 4, 8])
    t.same(nextState(attempt({ attempt: number }), result(), LADDER), { status: 'succeeded', retry_after_ms: null });
  for (const kind of ['replay', 'test'] as const) {
    t.same(nextState(attempt({ kind }), result(), LADDER), { status: 'succeeded', retry_after_ms: null });
    t.same(nextState(attempt({ kind }), result({ response_code: 500 }), LADDER), { status: 'failed', retry_after_ms: null });
  }
});

t.test('an event that is no longer stored is not retried and does not count against the endpoint', async (t) => {
  const missing = result({ response_code: null, error: EVENT_MISSING });
  t.same(nextState(attempt(), missing, LADDER), { status: 'abandoned', retry_after_ms: null });
  t.same(nextState(attempt({ kind: 'replay' }), missing, LADDER), { status: 'failed', retry_after_ms: null });
  t.same(streakChanges([{ attempt: attempt(), result: missing }], NOW_MS), []);
});

t.test(
  'a secret that cannot be decrypted is retried, since the operator may repair it, and does not count against the endpoint',
  async (t) => {
    const unreadable = notSent(SECRET_UNREADABLE, NOW_MS);
    t.match(unreadable, { response_code: null, response_body: null, error: 'secret_unreadable' });
    t.match(nextState(attempt(), unreadable, LADDER), { status: 'retrying' });
    t.same(nextState(attempt({ kind: 'test' }), unreadable, LADDER), { status: 'failed', retry_after_ms: null });
    t.same(streakChanges([{ attempt: attempt(), result: unreadable }], NOW_MS), []);
  },
);

t.test('a delivery that ends its sender is also retried, and does not count against the endpoint', async (t) => {
  const failed = notSent(SENDER_FAILED, NOW_MS);
  t.match(failed, { response_code: null, response_body: null, error: 'sender_failed' });
  t.match(nextState(attempt(), failed, LADDER), { status: 'retrying' });
  t.same(nextState(attempt({ kind: 'replay' }), failed, LADDER), { status: 'failed', retry_after_ms: null });
  t.same(streakChanges([{ attempt: attempt(), result: failed }], NOW_MS), []);
});

t.test('a streak depends on the order in which attempts ended, not on the order of the reports', async (t) => {
  const at = (ms: number) => NOW_MS + ms;
  const failed = (ms: number, changes: Partial<Attempt> = {}) => ({
    attempt: attempt(changes),
    result: result({ response_code: 500, finished_at_ms: at(ms) }),
  });
  const succeeded = (ms: number, changes: Partial<Attempt> = {}) => ({
    attempt: attempt(changes),
    result: result({ finished_at_ms: at(ms) }),
  });
  const change = (succeededToo: boolean, ms: number | null) => [
    { webhook_id: 'wh_a', succeeded: succeededToo, failed_ms_ago: ms === null ? null : 10 - ms },
  ];

  const changesOf = (outcomes: Parameters<typeof streakChanges>[0]) => streakChanges(outcomes, at(10));
  t.same(changesOf([]), []);
  t.same(changesOf([failed(2), failed(1)]), change(false, 1), 'the first failure counts');
  t.same(changesOf([succeeded(1)]), change(true, null));
  t.same(changesOf([failed(1), succeeded(2)]), change(true, null), 'a success ends the streak before it');
  t.same(changesOf([failed(4), succeeded(2), failed(3), failed(1)]), change(true, 3), 'the first failure after it starts a new streak');
  t.same(changesOf([succeeded(2, { kind: 'test' }), failed(1)]), change(true, null), 'a success of any kind');
  t.same(changesOf([failed(1, { kind: 'test' }), failed(2, { kind: 'replay' })]), [], 'a failed test or replay starts no streak');
  t.same(
    changesOf([failed(1, { webhook_id: 'wh_c' }), succeeded(1, { webhook_id: 'wh_b' }), failed(2, { webhook_id: 'wh_a' })]).map(
      ({ webhook_id }) => webhook_id,
    ),
    ['wh_a', 'wh_b', 'wh_c'],
    'the same order for every writer',
  );
});
