import t from 'tap';
import {
  endpointState,
  failsSince,
  healthWords,
  recentAttempts,
} from '../../../../../control-plane/dashboard/screens/webhooks/endpoint-state.js';

let events = 0;
const attempt = (status: 'pending' | 'succeeded' | 'failed' | 'retrying' | 'abandoned', next_attempt_at: string | null = null) => ({
  event_id: `evt_${events++}`,
  kind: 'automatic' as const,
  attempt: 1,
  status,
  latency_ms: status === 'pending' ? null : 12,
  next_attempt_at,
});

t.test('the state of an endpoint is failing while it is active and no delivery succeeds, or else its status', async (t) => {
  t.equal(endpointState({ status: 'active', failing_since: null }), 'active');
  t.equal(endpointState({ status: 'active', failing_since: '2030-01-31T12:00:00Z' }), 'failing');
  t.equal(endpointState({ status: 'disabled', failing_since: '2030-01-31T12:00:00Z' }), 'disabled');
});

t.test('an endpoint that is disabled no longer fails, although it keeps the time at which it began to', async (t) => {
  const failing_since = '2030-01-31T12:00:00Z';
  t.equal(failsSince({ status: 'active', failing_since }), failing_since);
  for (const status of ['disabled', 'auto_disabled'] as const) t.equal(failsSince({ status, failing_since }), null);
});

t.test('deliveries that were abandoned without an attempt are no attempts', async (t) => {
  const untried = { ...attempt('abandoned'), latency_ms: null };
  t.match(recentAttempts([untried, attempt('succeeded')]), { ended: 1, succeeded: 1 });
  t.match(recentAttempts([untried, attempt('abandoned')]), { ended: 1, succeeded: 0 }, 'the last attempt of an event is one');
});

t.test('pending attempts do not count as ended, and the next attempt is the earliest retry', async (t) => {
  const attempts = [
    attempt('pending'),
    attempt('retrying', '2030-01-31T13:00:00Z'),
    attempt('retrying', '2030-01-31T12:05:00Z'),
    attempt('succeeded'),
    attempt('failed'),
  ];
  t.same(recentAttempts(attempts), { ended: 4, succeeded: 1, nextAttemptAt: '2030-01-31T12:05:00Z' });
  const followed = attempt('retrying', '2030-01-31T12:00:00Z');
  const following = { ...attempt('retrying', '2030-01-31T14:00:00Z'), event_id: followed.event_id, attempt: 2 };
  t.equal(recentAttempts([following, followed]).nextAttemptAt, '2030-01-31T14:00:00Z', 'an attempt that was followed waits for nothing');
  t.same(recentAttempts([]), { ended: 0, succeeded: 0, nextAttemptAt: null });
});

t.test('health is one sentence that never rounds a failure to 100 %', async (t) => {
  const active = { status: 'active', failing_since: null } as const;
  const words = (ended: number, succeeded: number) => healthWords(active, { ended, succeeded, nextAttemptAt: null });
  t.equal(words(0, 0), 'Nothing was sent in the last day.');
  t.equal(words(1, 1), 'The one attempt of the last day succeeded.');
  t.equal(words(40, 40), 'All 40 attempts succeeded.');
  t.equal(words(1000, 999), '99% of 1000 attempts succeeded.');
  t.equal(words(1, 0), 'The one attempt of the last day failed.');
  t.equal(words(3, 0), 'None of 3 attempts succeeded.');
  t.equal(words(1000, 1), '0% of 1000 attempts succeeded.');
  t.match(healthWords({ ...active, failing_since: 'x' }, { ended: 0, succeeded: 0, nextAttemptAt: null }), /No delivery succeeds/);
  t.match(healthWords({ ...active, status: 'disabled' }, { ended: 5, succeeded: 5, nextAttemptAt: null }), /nothing is sent/);
  t.match(healthWords({ ...active, status: 'auto_disabled' }, { ended: 5, succeeded: 0, nextAttemptAt: null }), /three days/);
});
