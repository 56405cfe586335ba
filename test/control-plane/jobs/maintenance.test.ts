import { pino } from 'pino';
import t, { type Test } from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { createPool, type Database, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { forgetOldKeys } from '../../../control-plane/http/idempotency.js';
import { forgetEndedRuns } from '../../../control-plane/http/running-keys.js';
import { createMaintenance } from '../../../control-plane/jobs/maintenance.js';
import { forgetInstalls } from '../../../control-plane/jobs/old-rows.js';
import { idFloor, idToUuid } from '../../../shared/base/ids.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/until.js';

const log = pino({ level: 'silent' });

/** Retention times that do not matter to most tests. */
const KEPT = { events: 300, installs: 350 };
const feedChanged = () => {};

async function openDatabase(t: Test): Promise<Database> {
  const own = await createDatabase();
  const pool = createPool(own.url, 2, 'test', () => {});
  const database = databaseOf(pool);
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  return database;
}

/** Does everything once, for which no part may fail. Clicks are kept for 40 days. */
async function maintainOnce(t: Test, database: Database, onFeedChange = feedChanged): Promise<void> {
  const maintenance = createMaintenance({
    database,
    clickStore: postgresClicks,
    log,
    clock: Date.now,
    retention: { clicks: 40, ...KEPT },
    feedChanged: onFeedChange,
  });
  maintenance.start();
  await until(() => maintenance.stats().rounds === 1, 'the first successful run');
  await maintenance.stop();
  t.same(maintenance.stats(), { rounds: 1, failures: 0 });
}

t.test('a run makes future partitions, drops old ones, and deletes old idempotency keys and hash keys', async (t) => {
  const database = await openDatabase(t);
  const run = (text: string) => database.query<{ name: string }>({ text, values: [] });
  await run(`DROP TABLE ${(await partitions('clicks')).slice(-3).join(', ')}`);
  await run(`SELECT ensure_day_partition('webhook_deliveries', current_date - 31), ensure_day_partition('webhook_deliveries', current_date - 29),
               ensure_day_partition('events', current_date - 63), ensure_day_partition('events', current_date - 31), ensure_day_partition('clicks', current_date - 40), ensure_day_partition('clicks', current_date - 41),
               ensure_day_partition('click_devices', current_date - 8), ensure_day_partition('click_devices', current_date - 9)`);
  await run(`INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC');`);
  await run(`INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('e', 'p', 'live', 'a', 'b')`);
  await run(
    `INSERT INTO api_keys (id, environment_id, kind, name, scopes, hash, prefix, last4) VALUES ('k', 'e', 'secret', 'n', '{}', sha256('x'), 'sk', 'last')`,
  );
  await run(`INSERT INTO idempotency_keys (key_id, idempotency_key, fingerprint, status, headers, body, created_at)
             SELECT 'k', gen_random_uuid(), '', 201, '{}', '', now() - make_interval(hours => hours) FROM unnest(ARRAY[1, 23, 25, 48]) AS hours`);
  await run(`INSERT INTO idempotency_runs (key_id, idempotency_key, request_id, ends_at)
             SELECT 'k', gen_random_uuid(), 'r', now() + make_interval(secs => seconds) FROM unnest(ARRAY[-1, 30]) AS seconds`);

  async function partitions(parent: string): Promise<string[]> {
    const { rows } = await run(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${parent}'::regclass ORDER BY 1`,
    );
    return rows.map((row) => row.name);
  }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

  await run(`UPDATE environments SET attribution_window_minutes = 60`);
  await run(
    `INSERT INTO environments (id, project_id, name, link_host, open_host, attribution_window_minutes) VALUES ('f', 'p', 'test', 'c', 'd', 4320)`,
  );
  await run(`INSERT INTO hash_keys (day, visitor_key, address_key)
             SELECT (now() AT TIME ZONE 'UTC')::date - age, '', '' FROM unnest(ARRAY[0, 1, 2, 3, 4, 5, 9]) AS age`);

  await maintainOnce(t, database);
  t.match((await run('SELECT count(*)::text AS name FROM idempotency_keys')).rows, [{ name: '2' }]);
  t.match((await run('SELECT count(*)::text AS name FROM idempotency_runs')).rows, [{ name: '1' }]);
  const { rows } = await database.query<{ age: number }>({
    text: `SELECT (now() AT TIME ZONE 'UTC')::date - day AS age FROM hash_keys WHERE (now() AT TIME ZONE 'UTC')::date - day <> 4 ORDER BY day DESC`,
    values: [],
  });
  // The day four days ago is left out: its 36 hours and the 3 days of the longest window end some time today.
  t.strictSame(
    rows.map(({ age }) => age),
    [0, 1, 2, 3],
  );
  for (let offset = 0; offset <= 7; offset++)
    t.ok((await partitions('clicks')).includes(`clicks_${day(offset)}`), `the partition of the day ${offset} days ahead exists`);
  t.ok((await partitions('clicks')).includes(`clicks_${day(-40)}`), 'the click log is kept for the configured days');
  t.notOk((await partitions('clicks')).includes(`clicks_${day(-41)}`));
  t.ok(
    (await partitions('click_devices')).includes(`click_devices_${day(-8)}`),
    'devices of clicks are kept for as long as an open may look back',
  );
  t.notOk((await partitions('click_devices')).includes(`click_devices_${day(-9)}`));
  t.notOk((await partitions('webhook_deliveries')).includes(`webhook_deliveries_${day(-31)}`));
  t.ok((await partitions('webhook_deliveries')).includes(`webhook_deliveries_${day(-29)}`));
  t.notOk((await partitions('events')).includes(`events_${day(-63)}`));
  t.ok((await partitions('events')).includes(`events_${day(-31)}`));
});

t.test('a replaced secret of a webhook endpoint is deleted when its time is over', async (t) => {
  const database = await openDatabase(t);
  const run = (text: string) => database.query<{ id: string }>({ text, values: [] });
  await run(`INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')`);
  await run(`INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('e', 'p', 'live', 'a', 'b')`);
  await run(`INSERT INTO webhook_endpoints
               (id, environment_id, url, events, secret, previous_secret, previous_secret_expires_at, created_at, updated_at)
             SELECT 'wh_' || minutes, 'e', 'https://example.com/', '{}', 'new', 'old', now() + make_interval(mins => minutes), now(), now()
             FROM unnest(ARRAY[-1, 1]) AS minutes`);
  await maintainOnce(t, database);
  t.same((await run('SELECT id FROM webhook_endpoints WHERE previous_secret IS NOT NULL')).rows, [{ id: 'wh_1' }]);
  t.same((await run('SELECT id FROM webhook_endpoints WHERE previous_secret_expires_at IS NULL')).rows, [{ id: 'wh_-1' }]);
});

t.test('deletion in steps skips rows that a call has locked', async (t) => {
  const database = await openDatabase(t);
  const run = (text: string) => database.query<{ value: string }>({ text, values: [] });
  await run(`INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')`);
  await run(`INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('e', 'p', 'live', 'a', 'b')`);
  await run(
    `INSERT INTO api_keys (id, environment_id, kind, name, scopes, hash, prefix, last4) VALUES ('k', 'e', 'secret', 'n', '{}', sha256('x'), 'sk', 'last')`,
  );
  await run(`INSERT INTO idempotency_keys (key_id, idempotency_key, fingerprint, status, headers, body, created_at)
             SELECT 'k', gen_random_uuid(), '', 201, '{}', '', now() - interval '2 days' FROM generate_series(1, 2)`);
  await run(`INSERT INTO idempotency_runs (key_id, idempotency_key, request_id, ends_at)
             SELECT 'k', gen_random_uuid(), 'r', now() - interval '1 second' FROM generate_series(1, 2)`);
  await run(`INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, reason, answer)
             SELECT 'e', number, now() - interval '2 days', 'ios', 'organic', 'no_candidate', '{}' FROM generate_series(1, 2) AS number`);
  for (const [table, forget] of [
    ['idempotency_keys', () => forgetOldKeys(database, 10)],
    ['idempotency_runs', () => forgetEndedRuns(database, 10)],
    ['installs', () => forgetInstalls(database, 1, 10)],
  ] as const) {
    await database.transaction(async (transaction) => {
      await transaction.query({ text: `SELECT FROM ${table} LIMIT 1 FOR UPDATE`, values: [] });
      t.equal(await forget(), 1, table);
    });
    t.equal(await forget(), 1, table);
  }
});

t.test('installations are deleted by whole days in UTC', async (t) => {
  const database = await openDatabase(t);
  const run = (text: string) => database.query<{ kept: string }>({ text, values: [] });
  await run(`INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')`);
  await run(`INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('e', 'p', 'live', 'a', 'b')`);
  await run(`SET TIME ZONE 'Asia/Tokyo'`);
  await run(`INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, reason, answer)
             SELECT 'e', hour, (date_trunc('day', now() AT TIME ZONE 'UTC') - hour * interval '1 hour') AT TIME ZONE 'UTC', 'ios', 'organic', 'no_candidate', '{}'
             FROM generate_series(1, 96) AS hour`);
  t.equal(await forgetInstalls(database, 2, 1000), 48);
  const { rows } = await run(
    `SELECT string_agg(DISTINCT (now() AT TIME ZONE 'UTC')::date - (opened_at AT TIME ZONE 'UTC')::date || '', ' ') AS kept FROM installs`,
  );
  t.match(rows, [{ kept: '1 2' }]);
});

t.test('a run is tried again while the database is away, and health fails after two days without a run', async (t) => {
  const clock = manualClock(0);
  const pool = createPool('postgres://postgres@127.0.0.1:1/none', 1, 'test', () => {});
  t.teardown(() => pool.end());
  const maintenance = createMaintenance({
    database: databaseOf(pool),
    clickStore: postgresClicks,
    log,
    clock: clock.now,
    retention: { clicks: 400, ...KEPT },
    feedChanged,
    intervalMs: 20,
  });
  maintenance.start();
  await until(() => maintenance.stats().failures >= 3, 'failures');
  t.equal(maintenance.health().ok, true);
  clock.advance(2 * 86_400_000 + 1);
  t.match(maintenance.health(), { ok: false, reason: /1970-01-01/ });
  await maintenance.stop();
});

t.test('a failed step does not prevent the others, and the run is tried again', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 2, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  const database = databaseOf(pool);
  await database.query({ text: "INSERT INTO hash_keys (day, visitor_key, address_key) VALUES ('2020-01-01', '', '')", values: [] });
  await database.query({ text: 'ALTER FUNCTION ensure_day_partition RENAME TO hidden', values: [] });
  const maintenance = createMaintenance({
    database,
    clickStore: postgresClicks,
    log,
    clock: Date.now,
    retention: { clicks: 400, ...KEPT },
    feedChanged,
    intervalMs: 20,
  });
  t.teardown(() => maintenance.stop());
  maintenance.start();
  await until(() => maintenance.stats().failures >= 1, 'the first failure');
  t.equal(maintenance.stats().rounds, 0);
  t.same((await database.query({ text: 'SELECT day FROM hash_keys', values: [] })).rows, []);
  await database.query({ text: 'ALTER FUNCTION hidden RENAME TO ensure_day_partition', values: [] });
  await until(() => maintenance.stats().rounds > 0, 'the first successful run');
});

t.test('after a year no table has rows older than their retention', async (t) => {
  const database = await openDatabase(t);
  const run = (text: string) => database.query<{ value: string }>({ text, values: [] });
  await run(`INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')`);
  await run(`INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('e', 'p', 'live', 'a', 'b')`);
  for (const [name, days] of [
    ['old', 365],
    ['new', 60],
  ] as const) {
    const at = `now() - interval '${days} days'`;
    const segment = idToUuid('click', idFloor('click', Date.now() - days * 86_400_000));
    await run(`SELECT ensure_day_partition('tracked_events', current_date - ${days})`);
    await run(
      `INSERT INTO tracked_events (id, created_at, environment_id, source, name, occurred_at) VALUES ('${name}', ${at}, 'e', 'sdk', 'n', now())`,
    );
    await run(`INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, reason, answer)
               VALUES ('e', '${name}', ${at}, 'ios', 'organic', 'no_candidate', '{}')`);
    await run(`INSERT INTO links (id, environment_id, path, state, deep_link_path, created_at, updated_at, deleted_at)
               VALUES ('${name}', 'e', '${name}', 'deleted', '/', ${at}, ${at}, ${at}),
                      ('${name} and active', 'e', '${name}-active', 'active', '/', ${at}, ${at}, NULL)`);
    await run(`INSERT INTO click_segments (segment_id, shipped_bytes, shipped_clicks) VALUES ('${segment}', 200, 1)`);
    await run(`INSERT INTO erased_environments VALUES (${days}, ${at})`);
    await run(`INSERT INTO user_agents (user_agent_hash, user_agent, last_day) VALUES (${days}, '${name}', current_date - ${days})`);
  }
  // Everything that is partitioned by day, including tables that are added after this test was written.
  const days = `SELECT relname AS value FROM pg_class WHERE relname ~ ('_' || to_char(current_date - 365, 'YYYYMMDD') || '$') AND relkind = 'r'`;
  await run(`SELECT ensure_day_partition(partrelid::regclass::text, current_date - 365) FROM pg_partitioned_table`);
  t.ok((await run(days)).rows.length >= 11);
  let told = 0;
  await maintainOnce(t, database, () => void told++);
  const left = async (text: string) => (await run(text)).rows.map(({ value }) => value);
  t.same(await left('SELECT id AS value FROM tracked_events'), ['new']);
  t.same(await left('SELECT install_id AS value FROM installs'), ['new']);
  t.same(await left(days), []);
  t.same(await left('SELECT user_agent AS value FROM user_agents'), [], 'user agents are kept as long as the click log');
  t.same(await left('SELECT id AS value FROM links ORDER BY id'), ['new', 'new and active', 'old and active']);
  t.same(await left('SELECT count(*)::text AS value FROM click_segments'), ['1']);
  t.same(await left('SELECT number::text AS value FROM erased_environments'), ['60']);
  t.same(
    await left(`SELECT object_key AS value FROM config_feed WHERE kind = 'link' AND object_id = 'old'`),
    ['old'],
    'the feed has a row for the deleted link',
  );
  t.equal(told, 1);
});
