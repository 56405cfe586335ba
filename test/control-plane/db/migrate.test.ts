import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createPool } from '../../../control-plane/db/database.js';
import { migrate, schemaDifference } from '../../../control-plane/db/migrate.js';
import { withClient } from '../../../deploy/local/with-client.js';
import { makeEnvironment } from '../../support/click-log.js';
import { createDatabase, serverUrl } from '../../support/database.js';

t.test('a database with a migration from before the releases is refused and left unchanged', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query("UPDATE schema_migrations SET name = '0001_spine'");
  await t.rejects(migrate(own.url), { name: 'SettingError', message: /older than 0001_first_schema/ });
  t.match((await pool.query('SELECT name FROM schema_migrations')).rows, [{ name: '0001_spine' }]);
});

t.test('a migration of a later build in the database is accepted', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_of_a_later_build', now())");
  t.same(await migrate(own.url), []);
});

t.test('a migration that PostgreSQL refuses is named in one line, with the reason', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query("DELETE FROM schema_migrations WHERE name >= '0062'");
  await t.rejects(migrate(own.url), {
    name: 'SettingError',
    message: 'the migration 0062_groups_of_days has failed, and nothing of it was kept: relation "click_day_groups" already exists',
  });
});

/** Creates an empty database on the server of the tests. */
async function emptyDatabase(t: Test, options = ''): Promise<string> {
  const name = `test_empty_${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl(), (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`));
  t.teardown(() => withClient(serverUrl(), (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const url = new URL(serverUrl());
  url.pathname = name;
  return url.href;
}

t.test('limits of time that a database or a role has do not end migrations', async (t) => {
  const url = await emptyDatabase(t);
  await withClient(url, async (client) => {
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${limit} = 1', current_database()); END $$`);
  });
  t.ok((await migrate(url)).includes('0001_first_schema'));
});

t.test('an empty database with another encoding than UTF8 is refused', async (t) => {
  const url = await emptyDatabase(t, "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'");
  await t.rejects(migrate(url), { name: 'SettingError', message: /encoding LATIN1: .*--encoding UTF8/ });
  await withClient(url, async (client) =>
    t.same((await client.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema')).rows, []),
  );
});

t.test('a migration that waits for a long transaction blocks other statements only briefly, and runs after it', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 2, 'test', () => {});
  const reader = await pool.connect();
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query('ALTER TABLE domains DROP COLUMN qr_style');
  await pool.query('ALTER TABLE api_keys DROP COLUMN last_used_at');
  await pool.query('DROP INDEX links_deleted_newest, links_deleted_by_name, links_deleted_campaign, links_deleted_search');
  await pool.query('ALTER TABLE links DROP COLUMN created_by');
  await pool.query('DROP FUNCTION address_lock, lock_address');
  await pool.query('DROP INDEX links_alias_search; DROP FUNCTION link_alias_text');
  await pool.query('DROP TRIGGER installs_item_read ON installs; DROP FUNCTION read_item_of_install, find_logged_click');
  for (const table of ['installs', 'app_opens', 'tracked_events'])
    await pool.query(`ALTER TABLE ${table} DROP COLUMN resource_type, DROP COLUMN item_id`);
  await pool.query('DROP TABLE click_day_groups, click_columns, click_column_days');
  for (const trigger of ['click_log_batches_forget_sums', 'click_log_batches_forget_sums_again'])
    await pool.query(`DROP TRIGGER ${trigger} ON click_log_batches`);
  await pool.query('DROP FUNCTION forget_summed_days');
  await pool.query('DROP TABLE click_summed_days');
  await pool.query('DROP INDEX webhook_endpoints_of_clicks');
  await pool.query('DROP INDEX webhook_deliveries_manual; ALTER TABLE webhook_deliveries DROP COLUMN queue_epoch');
  await pool.query('ALTER TABLE webhook_endpoints DROP COLUMN queue_epoch, DROP COLUMN swept_epoch');
  await pool.query('DROP FUNCTION feed_epoch; ALTER TABLE config_feed DROP COLUMN is_creation');
  const environment = await makeEnvironment(reader);
  const ofItem = JSON.stringify({ link: null, resource: { resource_type: 'product', id: '17' } });
  await pool.query(
    `INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, match_type, reason, answer)
       VALUES ($1, 'phone', now(), 'ios', 'attributed', 'clipboard', 'matched', $2)`,
    [environment.id, ofItem],
  );
  const queueDelivery = (id: string) =>
    pool.query(
      `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
       VALUES ($1, now(), 'wh_1', $2, 'evt_1', 'link.created', 'automatic', 1, 'pending')`,
      [id, environment.id],
    );
  await queueDelivery('whd_1');
  await pool.query("DELETE FROM schema_migrations WHERE name >= '0041'");
  await reader.query('BEGIN');
  await reader.query('SELECT FROM domains');
  const lines: string[] = [];
  const migrated = migrate(own.url, { log: (line) => lines.push(line), lockPauseMs: 100 });
  let slowestMs = 0;
  while (lines.filter((line) => line.includes('trying again')).length < 2) {
    const beganAt = performance.now();
    await pool.query('SELECT FROM domains');
    slowestMs = Math.max(slowestMs, performance.now() - beganAt);
    await setTimeout(20);
  }
  t.ok(slowestMs > 500 && slowestMs < 4_000, `the slowest statement waited behind the migration for ${Math.round(slowestMs)} ms`);
  await reader.query('COMMIT');
  reader.release();
  t.same((await migrated)[0], '0041_qr_styles_of_domains');
  await pool.query('SELECT qr_style FROM domains');
  await queueDelivery('whd_2');
  t.same(
    (await pool.query('SELECT queue_epoch FROM webhook_deliveries ORDER BY id')).rows,
    [{ queue_epoch: 0 }, { queue_epoch: null }],
    'what was queued is of the first epoch, and what an older release inserts is of none',
  );
  t.same((await pool.query('SELECT resource_type, item_id FROM installs')).rows, [{ resource_type: 'product', item_id: '17' }]);
});

t.test(
  'a server that does not reply counts as one that cannot be reached, whether it falls silent before a connection or after',
  async (t) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // 'authentication ok' and 'ready for query', if the first connections are to get that far.
      socket.once('data', () => accepts && socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')));
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const url = `postgres://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/silent`;
    let accepts = false;
    await t.rejects(schemaDifference(url, { connectMs: 100 }), { name: 'DatabaseUnavailableError' });
    await t.rejects(migrate(url, { connectMs: 100 }), { name: 'DatabaseUnavailableError' });
    accepts = true;
    await t.rejects(schemaDifference(url, { queryMs: 100 }), { name: 'DatabaseUnavailableError' });
  },
);
