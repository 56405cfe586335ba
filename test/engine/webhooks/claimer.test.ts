import t, { type Test } from 'tap';
import { inTransaction } from '../../../engine/database/transaction.js';
import { Claimer, type ClaimPass } from '../../../engine/webhooks/claimer.js';
import { CAP_FIRST, EndpointSlots, type SlotKey } from '../../../engine/webhooks/endpoint-slots.js';
import { abandonQueue, noteSwept, unsweptIds } from '../../../engine/webhooks/janitor-sql.js';
import { COMMIT_GRACE_MS } from '../../../engine/webhooks/low-water-marks.js';
import type { AttemptResult } from '../../../engine/webhooks/outcome.js';
import { OutcomeWriter } from '../../../engine/webhooks/outcome-writer.js';
import { createQueuePool } from '../../../engine/webhooks/queue-pool.js';
import { monotonicClock } from '../../../shared/base/clock.js';
import { createLogger } from '../../../shared/base/log.js';
import { parseSecretKeys } from '../../../shared/secrets/seal.js';
import { DatabaseClock } from '../../support/database-clock.js';
import { until } from '../../support/until.js';
import { SECRETS_KEYS, WebhookQueue } from '../../support/webhook-queue.js';

/**
 * Dropping the database ends connections that a pool is still closing. A connection that is lost during a test makes its
 * statement fail.
 */
const ignoreLost = () => {};

const LEASE_MS = 30_000;

/** A claimer and a writer as one engine host has them. Attempts end when they are written, according to a clock that stands still. */
function host(t: Test, slots = new EndpointSlots()) {
  const pool = createQueuePool(queue.url, ignoreLost);
  const claimer = new Claimer({
    pool,
    slots,
    secretKeys: parseSecretKeys(SECRETS_KEYS),
    leaseMs: LEASE_MS,
    log: createLogger('test', 'silent'),
  });
  const writer = new OutcomeWriter({
    pool,
    delaysSeconds: [60],
    random: () => 0.5,
    now: () => 0,
    onFailure: (error) => t.fail(String(error)),
  });
  writer.start();
  t.teardown(async () => {
    await writer.stop(1000);
    await pool.end();
  });
  const finish = async (pass: ClaimPass, result: AttemptResult) => {
    for (const work of pass.work) {
      slots.released(work.slot, result.response_code === 200);
      writer.add({ delivery: work.delivery, claimId: work.claimId, result });
    }
    await until(() => writer.waiting === 0);
  };
  return { claimer, slots, writer, finish, pool };
}

function answered(code: number): AttemptResult {
  return { response_code: code, response_body: '', error: null, latency_ms: 1, finished_at_ms: 0 };
}

/** One database for all cases. Each case begins with an empty queue. */
const queue = await WebhookQueue.create(t);
const clock = await DatabaseClock.of(queue.pool);
t.beforeEach(async () => {
  await queue.clear();
  await clock.release();
});

t.test('a claimed row belongs to its claim until the lease ends, and then to the next claim', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const [first, second] = [host(t), host(t)];
  const [event] = await queue.emit(1, clock.now());
  const pass = await first.claimer.claim();
  t.match(pass, {
    work: [{ url: 'https://hooks.example.com/', secrets: [endpoint.secret], body: event?.body }],
  });
  const leaseEndsInMs = (pass.work[0]?.leaseEndsAtMs ?? 0) - monotonicClock();
  t.ok(leaseEndsInMs <= LEASE_MS && leaseEndsInMs > LEASE_MS - 10_000, 'the host counts its lease as no longer than the database does');
  t.match((await queue.deliveries(endpoint.id))[0], {
    status: 'pending',
    leased_until: new Date(clock.now() + LEASE_MS),
    claim_id: pass.work[0]?.claimId,
  });
  t.same((await second.claimer.claim()).work, []);
  t.same((await second.claimer.claim()).work, []);

  await clock.advance(LEASE_MS);
  const taken = await second.claimer.claim();
  t.match(taken.work, [{ delivery: { id: pass.work[0]?.delivery.id, attempt: 1 } }], 'the same row and the same attempt');
  t.not(taken.work[0]?.claimId, pass.work[0]?.claimId);

  await second.finish(taken, answered(200));
  await first.finish(pass, answered(500));
  t.match(
    await queue.deliveries(endpoint.id),
    [{ status: 'succeeded', response_code: 200, claim_id: null, due_at: null, leased_until: null }],
    'the stale worker overwrites nothing',
  );
  t.equal((await queue.endpoint(endpoint.id)).failing_since, null, 'the stale worker starts no streak');
  t.match(first.writer.stats(), { written: 0, stale: 1 });
  t.match(second.writer.stats(), { written: 1, stale: 0 });
});

t.test('a stale worker also writes nothing while the new one is still at work', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const [first, second] = [host(t), host(t)];
  await queue.emit(1, clock.now());
  const stale = await first.claimer.claim();
  await clock.advance(LEASE_MS);
  const current = await second.claimer.claim();
  await first.finish(stale, answered(200));
  t.match(await queue.deliveries(endpoint.id), [{ status: 'pending', claim_id: current.work[0]?.claimId }]);
  await second.finish(current, answered(500));
  t.match(await queue.deliveries(endpoint.id), [
    { status: 'retrying', response_code: 500, next_attempt_at: new Date(clock.now() + 60_000) },
  ]);
});

t.test('an outcome that arrives after the lease, but before another claim, is still written', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  await queue.emit(1, clock.now());
  const pass = await only.claimer.claim();
  await clock.advance(LEASE_MS * 2);
  await only.finish(pass, answered(200));
  t.match(await queue.deliveries(endpoint.id), [{ status: 'succeeded' }]);
});

t.test('the next attempt is a row of its own, which is made when it is claimed, and not before it is due', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  const [event] = await queue.emit(1, clock.now());
  await only.finish(await only.claimer.claim(), answered(500));
  await clock.advance(59_999);
  t.match(await only.claimer.claim(), { work: [], nextDueInMs: 1 });
  await clock.advance(1);
  const pass = await only.claimer.claim();
  t.match(pass.work, [{ delivery: { attempt: 2, kind: 'automatic', event_id: event?.id }, body: event?.body }]);
  const rows = await queue.deliveries(endpoint.id);
  t.match(rows, [
    { attempt: 1, status: 'retrying', due_at: null, response_code: 500 },
    { attempt: 2, status: 'pending', response_code: null, claim_id: pass.work[0]?.claimId, created_at: new Date(clock.now()) },
  ]);
  t.ok(rows[1] && rows[0] && rows[1].id > rows[0].id);
  await only.finish(pass, answered(200));
  t.match(
    (await queue.deliveries(endpoint.id)).map(({ status }) => status),
    ['retrying', 'succeeded'],
  );
});

t.test('two hosts never claim the same row', async (t) => {
  await queue.addEndpoint('https://a.example.com/');
  await queue.addEndpoint('https://b.example.com/');
  await queue.emit(40);
  const hosts = Array.from({ length: 4 }, () => host(t));
  const passes = (await Promise.all(hosts.map(({ claimer }) => claimer.claim()))).flatMap(({ work }) => work);
  t.equal(passes.length, 4 * 2 * CAP_FIRST);
  t.equal(new Set(passes.map(({ delivery }) => delivery.id)).size, passes.length);
});

t.test('a long queue of one endpoint does not delay others', async (t) => {
  const long = await queue.addEndpoint('https://a.example.com/');
  await queue.emit(500, Date.now() - 60_000);
  const short = await queue.addEndpoint('https://b.example.com/');
  await queue.emit(1, Date.now() - 1000);
  const { claimer } = host(t);
  const pass = await claimer.claim();
  t.equal(pass.work.filter(({ delivery }) => delivery.webhook_id === short.id).length, 1);
  t.equal(pass.work.filter(({ delivery }) => delivery.webhook_id === long.id).length, CAP_FIRST);
  t.equal(pass.backlog, 'waits_for_slots');
  t.ok(pass.lagMs >= 60_000);
});

t.test('a slot that is released during a claim is noticed, since nothing else would announce it', async (t) => {
  const full = await queue.addEndpoint('https://a.example.com/');
  await queue.addEndpoint('https://b.example.com/');
  await queue.emit(CAP_FIRST - 1);
  const fullKey = { queue: full.id, host: 'a.example.com' };
  class ReleasingSlots extends EndpointSlots {
    override grant(due: readonly SlotKey[]) {
      const grant = super.grant(due);
      queueMicrotask(() => {
        for (let index = 0; index < CAP_FIRST; index++) this.released(fullKey, null);
      });
      return grant;
    }
  }
  const slots = new ReleasingSlots();
  for (let index = 0; index < CAP_FIRST; index++) slots.taken(fullKey);
  const pass = await host(t, slots).claimer.claim();
  t.equal(pass.work.length, CAP_FIRST - 1, 'the endpoint without free slots got nothing');
  t.equal(pass.backlog, 'claimable');
});

t.test('replays and tests do not wait for the events of their endpoint, nor for its slots', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await queue.emit(500, Date.now() - 60_000);
  const { claimer, slots, finish } = host(t);
  const events = await claimer.claim();
  t.equal(events.work.length, CAP_FIRST, 'all slots of the endpoint are taken, and it does not respond');
  for (const kind of ['test', 'replay'] as const) {
    const id = await queue.queueSingle(endpoint.id, kind);
    const pass = await claimer.claim();
    t.same(
      pass.work.map(({ delivery }) => delivery.id),
      [id],
      kind,
    );
    t.equal(pass.backlog, 'waits_for_slots', 'the events still wait');
    await finish(pass, answered(200));
  }
  for (let index = 0; index < 2 * CAP_FIRST; index++) await queue.queueSingle(endpoint.id, 'replay');
  const many = await claimer.claim();
  t.ok(many.work.length >= CAP_FIRST && many.work.length < 2 * CAP_FIRST, `single deliveries have slots of their own: ${many.work.length}`);
  t.ok(slots.isFull(many.work[0]?.slot as SlotKey));
});

t.test('no event is claimed for an endpoint that is not active, but a test that was requested by hand is', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await queue.emit(3);
  await queue.pool.query("UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1", [endpoint.id]);
  const id = await queue.queueSingle(endpoint.id, 'test');
  const { claimer } = host(t);
  const pass = await claimer.claim();
  t.match(pass, { work: [{ delivery: { id } }], inactiveIds: [endpoint.id] });
  t.equal(pass.work.length, 1);
});

t.test('what was queued before an endpoint was disabled is abandoned, even if the endpoint is active again', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  await queue.emit(2, clock.now());
  const pass = await only.claimer.claim();
  t.equal(pass.work.length, 2);
  await only.finish({ ...pass, work: pass.work.slice(0, 1) }, answered(500));
  await clock.advance(1000);
  await queue.pool.query('UPDATE webhook_endpoints SET queue_epoch = queue_epoch + 1 WHERE id = $1', [endpoint.id]);
  await only.finish({ ...pass, work: pass.work.slice(1) }, answered(500));
  const [event] = await queue.emit(1, clock.now());
  const next = await only.claimer.claim();
  t.match(next, { work: [{ delivery: { event_id: event?.id } }] });
  t.equal(next.work.length, 1, 'later events are sent');
  await only.finish(next, answered(200));
  await noteSwept(only.pool, [endpoint.id]);
  t.same(await unsweptIds(only.pool), [endpoint.id], 'a retry that is not due yet is left');
  await clock.advance(120_000);
  const late = await only.claimer.claim();
  t.match(late, { work: [], inactiveIds: [endpoint.id] }, 'it is found once it is due, and is not sent');
  t.equal(late.work.length, 0);
  const abandoned = await inTransaction(only.pool, (client) => abandonQueue(client, [endpoint.id], 10));
  t.match(abandoned, [{ count: 1 }]);
  await noteSwept(only.pool, [endpoint.id]);
  t.same(await unsweptIds(only.pool), []);
  const statuses = (await queue.deliveries(endpoint.id)).map(({ status }) => status);
  t.same(statuses.toSorted(), ['abandoned', 'abandoned', 'succeeded']);
});

t.test('an attempt belongs to the epoch of the queue in which its event was queued, and to the current one if it has none', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  const disableAndEnable = () =>
    queue.pool.query('UPDATE webhook_endpoints SET queue_epoch = queue_epoch + 1 WHERE id = $1', [endpoint.id]);
  const attemptAfterMinute = async () => {
    await clock.advance(60_000);
    const pass = await only.claimer.claim();
    await only.finish(pass, answered(500));
    return pass.work.map(({ delivery }) => delivery.attempt);
  };
  await disableAndEnable();
  await queue.emit(1, clock.now());
  for (const attempt of [1, 2, 3]) t.same(await attemptAfterMinute(), [attempt]);
  await disableAndEnable();
  t.same(await attemptAfterMinute(), []);
  await inTransaction(only.pool, (client) => abandonQueue(client, [endpoint.id], 10));
  await queue.emit(1, clock.now());
  // As an engine of the release before makes the row of a next attempt.
  await queue.pool.query("UPDATE webhook_deliveries SET queue_epoch = NULL WHERE status = 'pending'");
  for (const attempt of [1, 2]) t.same(await attemptAfterMinute(), [attempt]);
});

t.test('nothing is claimed for an endpoint while its queue begins with what was queued before it was disabled', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  const other = await queue.addEndpoint('https://b.example.com/');
  await clock.hold();
  const only = host(t);
  await queue.emit(3, clock.now() - 60_000);
  await queue.pool.query('UPDATE webhook_endpoints SET queue_epoch = queue_epoch + 1 WHERE id = $1', [endpoint.id]);
  await queue.emit(1, clock.now());
  const replay = await queue.queueSingle(endpoint.id, 'replay', clock.now());
  const pass = await only.claimer.claim();
  const claimed = pass.work.filter(({ delivery }) => delivery.webhook_id === endpoint.id);
  t.same(
    claimed.map(({ delivery }) => delivery.id),
    [replay],
    'what was requested by hand does not wait',
  );
  t.equal(pass.work.length - claimed.length, 4, 'other endpoints do not wait');
  t.match(pass, { inactiveIds: [endpoint.id], backlog: 'none' });
  await only.finish({ ...pass, work: pass.work.filter(({ delivery }) => delivery.webhook_id === other.id) }, answered(200));
  t.match(await only.claimer.claim(), { work: [], inactiveIds: [endpoint.id], lagMs: 0 });
  await inTransaction(only.pool, (client) => abandonQueue(client, [endpoint.id], 10));
  t.equal((await only.claimer.claim()).work.length, 1);
});

t.test('replays that were delivered are passed over once, and those that are inserted late are found by a complete scan', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  await queue.queueSingle(endpoint.id, 'replay', clock.now());
  await only.finish(await only.claimer.claim(), answered(200));
  await clock.advance(COMMIT_GRACE_MS + 100);
  t.same((await only.claimer.claim()).work, []);
  const late = await queue.queueSingle(endpoint.id, 'replay', clock.now() - COMMIT_GRACE_MS - 50);
  t.same((await only.claimer.claim()).work, [], 'the mark is beyond it');
  t.equal(await only.claimer.scanInFull(), true);
  t.match((await only.claimer.claim()).work, [{ delivery: { id: late } }]);
});

t.test('a failed attempt is abandoned if its endpoint is disabled meanwhile, and a successful one stays a success', async (t) => {
  const endpoint = await queue.addEndpoint('https://hooks.example.com/');
  await clock.hold();
  const only = host(t);
  await queue.emit(2, clock.now());
  const pass = await only.claimer.claim();
  await queue.pool.query("UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1", [endpoint.id]);
  await only.finish({ ...pass, work: pass.work.slice(0, 1) }, answered(500));
  await only.finish({ ...pass, work: pass.work.slice(1) }, answered(200));
  const rows = await queue.deliveries(endpoint.id);
  t.same(rows.map(({ status }) => status).sort(), ['abandoned', 'succeeded']);
  for (const row of rows) t.match(row, { due_at: null, next_attempt_at: null, claim_id: null });
});

t.test(
  'an endpoint whose secret cannot be decrypted is claimed without it and reported, until the secret works or the endpoint is deleted',
  async (t) => {
    const broken = await queue.addEndpoint('https://a.example.com/');
    const gone = await queue.addEndpoint('https://c.example.com/');
    const works = await queue.addEndpoint('https://b.example.com/');
    const { rows } = await queue.pool.query('SELECT secret FROM webhook_endpoints WHERE id = $1', [broken.id]);
    await queue.pool.query('UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = $1) WHERE id <> $1', [
      works.id,
    ]);
    await queue.emit(1);
    const { claimer } = host(t);
    const secrets = new Map((await claimer.claim()).work.map(({ delivery, secrets }) => [delivery.webhook_id, secrets]));
    t.same(Object.fromEntries(secrets), { [broken.id]: null, [gone.id]: null, [works.id]: [works.secret] });
    t.same(claimer.unreadableSecrets.toSorted(), [broken.id, gone.id].toSorted());
    await claimer.scanInFull();
    t.same(claimer.unreadableSecrets.toSorted(), [broken.id, gone.id].toSorted(), 'the attempt is repeated');
    await queue.pool.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [broken.id, rows[0].secret]);
    await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [gone.id]);
    await claimer.scanInFull();
    t.same(claimer.unreadableSecrets, []);
  },
);

t.test(
  'a complete scan finds rows that a partial scan misses: after a lease without an outcome, or after a long transaction',
  async (t) => {
    await queue.addEndpoint('https://a.example.com/');
    await queue.emit(1);
    await clock.hold(Date.now() + 1000);
    const [dead, alive] = [host(t), host(t)];
    const [lost] = (await dead.claimer.claim()).work;
    const late = await queue.pool.connect();
    await late.query('BEGIN');
    const inTransaction = await queue.emit(1, undefined, late);
    t.same((await alive.claimer.claim()).work, []);
    await clock.advance(COMMIT_GRACE_MS + 100);
    t.same((await alive.claimer.claim()).work, [], 'the floor is beyond both by now');
    await late.query('COMMIT');
    late.release();
    await clock.advance(LEASE_MS);
    t.same((await alive.claimer.claim()).work, []);
    t.equal(await alive.claimer.scanInFull(), true);
    const found = (await alive.claimer.claim()).work.map(({ delivery }) => delivery.event_id);
    t.same(found.toSorted(), [lost?.delivery.event_id, ...inTransaction.map(({ id }) => id)].toSorted());
    t.equal(await alive.claimer.scanInFull(), false, 'there is nothing more');
  },
);

t.test('a scan never hides rows that an earlier scan has seen, however long they wait for a slot', async (t) => {
  const endpoint = await queue.addEndpoint('https://a.example.com/');
  await queue.emit(CAP_FIRST + 1, Date.now() - 60_000);
  const { claimer, finish, slots } = host(t);
  const first = await claimer.claim();
  t.equal(first.work.length, CAP_FIRST);
  t.match(await claimer.claim(), { work: [], backlog: 'waits_for_slots' });
  t.match(await claimer.claim(), { work: [], backlog: 'waits_for_slots' });
  await finish({ ...first, work: first.work.slice(1) }, answered(200));
  t.equal(slots.inFlight, 1);
  t.match(
    (await claimer.claim()).work,
    [{ delivery: { webhook_id: endpoint.id } }],
    'the row is a minute old, and is found without a complete scan',
  );
});

for (const [statement, isMade] of [
  ['claim_deliveries', true],
  ['claim_deliveries', false],
  ['endpoint_targets', false],
  ['event_bodies', false],
] as const)
  t.test(`a claim that fails at ${statement}${isMade ? ', after it was made,' : ''} sends nothing and is not counted`, async (t) => {
    const endpoint = await queue.addEndpoint('https://a.example.com/');
    await clock.hold();
    const { claimer, pool } = host(t);
    await queue.emit(2, clock.now());
    // A delivery that has failed before: the claim creates the row of its next attempt.
    await queue.pool.query(
      `UPDATE webhook_deliveries SET status = 'retrying' WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE webhook_id = $1)`,
      [endpoint.id],
    );
    let lost = true;
    const query = pool.query.bind(pool) as (statement: { name: string }) => Promise<unknown>;
    t.intercept(pool, 'query', {
      value: async (sent: { name: string }) => {
        const fails = sent.name === statement && lost;
        const answer = fails && !isMade ? null : await query(sent);
        if (fails) throw new Error('the connection was lost');
        return answer;
      },
    });
    for (let round = 0; round < 6; round++) {
      await t.rejects(claimer.claim(), /was lost/);
      await clock.advance(LEASE_MS);
      await claimer.scanInFull();
    }
    lost = false;
    const { work } = await claimer.claim();
    t.same(work.map(({ delivery }) => [delivery.attempt, delivery.claims]).toSorted(), [
      [1, 1],
      [2, 1],
    ]);
  });

t.test('an uncertain claim of a replay or test is not counted, however many events are queued before it', async (t) => {
  const endpoint = await queue.addEndpoint('https://a.example.com/');
  await clock.hold();
  await queue.emit(1100, clock.now() - 60_000);
  const slots = new EndpointSlots();
  const { claimer, pool } = host(t, slots);
  // All slots of the endpoint's events are taken.
  for (let index = 0; index < CAP_FIRST; index++) slots.taken({ queue: endpoint.id, host: 'a.example.com' });
  await queue.queueSingle(endpoint.id, 'replay', clock.now());
  await queue.queueSingle(endpoint.id, 'test', clock.now());
  let lost = true;
  const query = pool.query.bind(pool) as (statement: { name: string }) => Promise<unknown>;
  t.intercept(pool, 'query', {
    value: async (sent: { name: string }) => {
      const answer = await query(sent);
      if (lost && sent.name === 'claim_deliveries') throw new Error('the connection was lost');
      return answer;
    },
  });
  for (let round = 0; round < 6; round++) {
    await t.rejects(claimer.claim(), /was lost/);
    await clock.advance(LEASE_MS);
    await claimer.scanInFull();
  }
  lost = false;
  const { work } = await claimer.claim();
  t.same(work.map(({ delivery }) => [delivery.kind, delivery.claims]).toSorted(), [
    ['replay', 1],
    ['test', 1],
  ]);
});

t.test('a claim that could not be reverted is reverted before anything else is claimed', async (t) => {
  await queue.addEndpoint('https://a.example.com/');
  await clock.hold();
  const { claimer, pool } = host(t);
  await queue.emit(1, clock.now());
  const failing = new Set(['event_bodies', 'uncount_claims']);
  const sent: string[] = [];
  const query = pool.query.bind(pool) as (statement: { name: string }) => Promise<unknown>;
  t.intercept(pool, 'query', {
    value: async (statement: { name: string }) => {
      sent.push(statement.name);
      if (failing.has(statement.name)) throw new Error('the connection was lost');
      return query(statement);
    },
  });
  await t.rejects(claimer.claim(), /was lost/);
  await clock.advance(LEASE_MS);
  sent.length = 0;
  for (let round = 0; round < 3; round++) await t.rejects(claimer.claim(), /was lost/);
  t.same(sent, Array(3).fill('uncount_claims'));
  failing.clear();
  await claimer.scanInFull();
  t.match((await claimer.claim()).work, [{ delivery: { claims: 1 } }]);
});

t.test('the timeout of the server for a statement of the queue is shorter than that of the host', async (t) => {
  const { pool } = host(t);
  const { rows: compiled } = await pool.query('SHOW jit');
  t.same(compiled, [{ jit: 'off' }], 'PostgreSQL compiles no statement of the queue: that takes a second');
  const { rows } = await pool.query("SELECT extract(epoch FROM current_setting('statement_timeout')::interval)::float8 * 1000 AS ms");
  const { query_timeout } = pool.options as { readonly query_timeout?: number };
  t.ok(rows[0].ms > 0 && rows[0].ms < (query_timeout ?? 0), `${rows[0].ms} ms`);
});

t.test('an event that a standby lacks is not taken for one that is no longer stored', async (t) => {
  await queue.addEndpoint('https://a.example.com/');
  await clock.hold();
  const { claimer, pool } = host(t);
  await queue.emit(1, clock.now());
  const query = pool.query.bind(pool) as (statement: { name: string; text: string }) => Promise<{ rows: readonly object[] }>;
  let isStandby = true;
  t.intercept(pool, 'query', {
    value: async (sent: { name: string; text: string }) => {
      if (sent.name !== 'event_bodies' || !isStandby) return query(sent);
      // A standby that has not received the event yet.
      const text = sent.text.replace('FROM events', 'FROM (SELECT * FROM events LIMIT 0) AS events').replace('pg_is_in_recovery()', 'true');
      return query({ ...sent, name: 'bodies_of_standby', text });
    },
  });
  await t.rejects(claimer.claim(), /read from a standby/);
  isStandby = false;
  await clock.advance(LEASE_MS);
  await claimer.scanInFull();
  const { work } = await claimer.claim();
  t.match(work, [{ delivery: { attempt: 1, claims: 1 } }]);
  t.type(work[0]?.body, 'string');
});

t.test('an event that is no longer stored is claimed without its body', async (t) => {
  await queue.addEndpoint('https://a.example.com/');
  const [, kept] = await queue.emit(2);
  await queue.pool.query('DELETE FROM events WHERE id <> $1', [kept?.id]);
  const { claimer } = host(t);
  const pass = await claimer.claim();
  t.same(pass.work.map(({ body }) => body).sort(), [null, kept?.body].sort());
});
