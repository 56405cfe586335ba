import t from 'tap';
import {
  type Attempt,
  type AttemptResult,
  EVENT_MISSING,
  isSuccess,
  nextState,
  notSent,
  SECRET_UNREADABLE,
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

t.test('any 2xx that came whole and in time is a success, and nothing else is', async (t) => {
  for (const code of [200, 201, 202, 204, 299]) t.ok(isSuccess(result({ response_code: code })), String(code));
  for (const code of [301, 302, 304, 307, 400, 404, 410, 429, 500, 503, 600])
    t.notOk(isSuccess(result({ response_code: code })), String(code));
  t.notOk(isSuccess(result({ error: 'timeout' })), 'a 200 whose body did not end in time');
  t.notOk(isSuccess(result({ response_code: null, error: 'dns' })));
});

t.test(
  'an automatic delivery is retried seven times by the ladder and abandoned after the eighth attempt, 44 h 36 min later',
  async (t) => {
    let atMs = NOW_MS;
    for (let number = 1; number <= 7; number++) {
      const next = nextState(attempt({ attempt: number }), result({ response_code: 500, finished_at_ms: atMs }), LADDER, () => 0.5);
      t.same(next, { status: 'retrying', next_attempt_at_ms: atMs + (LADDER[number - 1] as number) * 1000 });
      atMs = next.next_attempt_at_ms as number;
    }
    t.same(nextState(attempt({ attempt: 8 }), result({ response_code: 500 }), LADDER), { status: 'abandoned', next_attempt_at_ms: null });
    t.equal(atMs - NOW_MS, (44 * 60 + 36) * 60 * 1000);
  },
);

t.test('a success at any attempt ends it; a replay or test fails at once', async (t) => {
  for (const number of [1, 4, 8])
    t.same(nextState(attempt({ attempt: number }), result(), LADDER), { status: 'succeeded', next_attempt_at_ms: null });
  for (const kind of ['replay', 'test'] as const) {
    t.same(nextState(attempt({ kind }), result(), LADDER), { status: 'succeeded', next_attempt_at_ms: null });
    t.same(nextState(attempt({ kind }), result({ response_code: 500 }), LADDER), { status: 'failed', next_attempt_at_ms: null });
  }
});

t.test('an event that is no longer stored is not retried and says nothing about the endpoint', async (t) => {
  const missing = result({ response_code: null, error: EVENT_MISSING });
  t.same(nextState(attempt(), missing, LADDER), { status: 'abandoned', next_attempt_at_ms: null });
  t.same(nextState(attempt({ kind: 'replay' }), missing, LADDER), { status: 'failed', next_attempt_at_ms: null });
  t.same(streakChanges([{ attempt: attempt(), result: missing }]), []);
});

t.test('a secret that cannot be opened is retried, for the operator may repair it, and says nothing about the endpoint', async (t) => {
  const unreadable = notSent(SECRET_UNREADABLE, NOW_MS);
  t.match(unreadable, { response_code: null, response_body: null, error: 'secret_unreadable' });
  t.match(nextState(attempt(), unreadable, LADDER), { status: 'retrying' });
  t.same(nextState(attempt({ kind: 'test' }), unreadable, LADDER), { status: 'failed', next_attempt_at_ms: null });
  t.same(streakChanges([{ attempt: attempt(), result: unreadable }]), []);
});

t.test('a streak is judged in the order the attempts ended, whatever order they are reported in', async (t) => {
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
    { webhook_id: 'wh_a', succeeded: succeededToo, failed_at: ms === null ? null : new Date(at(ms)) },
  ];

  t.same(streakChanges([]), []);
  t.same(streakChanges([failed(2), failed(1)]), change(false, 1), 'the first failure counts');
  t.same(streakChanges([succeeded(1)]), change(true, null));
  t.same(streakChanges([failed(1), succeeded(2)]), change(true, null), 'a success ends what was before it');
  t.same(streakChanges([failed(4), succeeded(2), failed(3), failed(1)]), change(true, 3), 'and the first failure after it begins anew');
  t.same(streakChanges([succeeded(2, { kind: 'test' }), failed(1)]), change(true, null), 'a success of any kind');
  t.same(streakChanges([failed(1, { kind: 'test' }), failed(2, { kind: 'replay' })]), [], 'a failed test or replay begins none');
  t.same(
    streakChanges([failed(1, { webhook_id: 'wh_c' }), succeeded(1, { webhook_id: 'wh_b' }), failed(2, { webhook_id: 'wh_a' })]).map(
      ({ webhook_id }) => webhook_id,
    ),
    ['wh_a', 'wh_b', 'wh_c'],
    'one order for every writer',
  );
});
