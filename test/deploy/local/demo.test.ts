import { createServer } from 'node:net';
import t from 'tap';
import { createDatabase, createPool } from '../../../control-plane/db/database.js';
import { startSampleApi } from '../../../deploy/demo/sample-api.js';
import { prepareDemo } from '../../../deploy/local/demo.js';
import { findSample } from '../../../deploy/local/sample-type.js';
import { createDatabase as createTestDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';
import { insertMetadataApi } from '../../support/metadata-api.js';
import { insertResourceType, insertTemplate } from '../../support/resource-type.js';

const LOST = { test: null, live: null };

async function open(t: { teardown(fn: () => Promise<void>): void }) {
  const { url, drop } = await createTestDatabase();
  const pool = createPool(url, 2, 'demo-test', () => {});
  t.teardown(async () => {
    await pool.end();
    await drop();
  });
  return { database: createDatabase(pool), clock: manualClock(Date.UTC(2026, 10, 20)).now, pool };
}

t.test('a first start makes one project with two environments and four keys, and a second start reuses them', async (t) => {
  const { database, clock, pool } = await open(t);
  const first = await prepareDemo(database, LOST, clock);
  t.equal(first.first, true);
  t.strictSame(first.made, ['test', 'live']);
  for (const name of ['test', 'live'] as const) {
    t.match(first.keys[name].secret_key, new RegExp(`^sk_${name}_[0-9A-Za-z]{32}$`));
    t.match(first.keys[name].publishable_key, new RegExp(`^pk_${name}_[0-9A-Za-z]{32}$`));
  }
  const second = await prepareDemo(database, first.keys, clock);
  t.strictSame(second, { first: false, keys: first.keys, made: [] });
  const { rows } = await pool.query(`
    SELECT (SELECT count(*) FROM projects)::integer AS projects, (SELECT count(*) FROM api_keys)::integer AS keys,
      (SELECT array_agg(link_host ORDER BY link_host) FROM environments) AS hosts`);
  t.strictSame({ ...rows[0] }, { projects: 1, keys: 4, hosts: ['live.localhost', 'test.localhost'] });
});

t.test('keys that are lost, revoked or of the other environment are replaced, for that environment only', async (t) => {
  const { database, clock, pool } = await open(t);
  const first = await prepareDemo(database, LOST, clock);
  const lost = await prepareDemo(database, { ...first.keys, live: null }, clock);
  t.strictSame(lost.made, ['live']);
  t.strictSame(lost.keys.test, first.keys.test);
  t.not(lost.keys.live.secret_key, first.keys.live.secret_key);

  await pool.query("UPDATE api_keys SET revoked_at = now() WHERE prefix = 'pk_test_'");
  const revoked = await prepareDemo(database, lost.keys, clock);
  t.strictSame(revoked.made, ['test']);

  // The keys of one environment are not accepted for the other.
  const swapped = await prepareDemo(database, { test: revoked.keys.live, live: revoked.keys.live }, clock);
  t.strictSame(swapped.made, ['test']);
});

t.test('a database with only one of the two demo hosts stops the start', async (t) => {
  const { database, clock, pool } = await open(t);
  await prepareDemo(database, LOST, clock);
  await pool.query("UPDATE environments SET link_host = 'go.example.com', open_host = 'open.go.example.com' WHERE name = 'live'");
  await t.rejects(prepareDemo(database, LOST, clock), { name: 'StartError', message: /live\.localhost/ });
});

t.test(
  "the demo's resource type counts as unmade while parts of it are missing, and as left once an operator has changed it",
  async (t) => {
    const { database, clock, pool } = await open(t);
    await prepareDemo(database, LOST, clock);
    const state = async () => findSample(database);
    t.strictSame(await state(), { kind: 'unmade' });
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM environments WHERE name = 'live'");
    const environmentId = rows[0]?.id ?? '';
    const resourceTypeId = await insertResourceType(pool, environmentId, 'demo_shoe');
    t.strictSame(await state(), { kind: 'unmade' }, 'a type without a template and a metadata API is unmade');
    await insertTemplate(pool, { environmentId, resourceTypeId, pathPattern: '/demo/shoes/{id}' });
    t.strictSame(await state(), { kind: 'unmade' }, 'a type without a metadata API is unmade');
    await insertMetadataApi(pool, { environmentId, resourceTypeId });
    t.strictSame(await state(), { kind: 'left' }, 'a type with another metadata API is left');
    await pool.query("UPDATE metadata_apis SET url_template = 'http://127.0.0.1:40123/shoes/{id}'");
    t.strictSame(await state(), { kind: 'made', port: 40123 });
    for (const [change, back] of [
      ["metadata_apis SET status = 'disabled'", "metadata_apis SET status = 'active'"],
      ["url_templates SET status = 'disabled'", "url_templates SET status = 'active'"],
      ["resource_types SET status = 'archived'", "resource_types SET status = 'active'"],
      ["resource_types SET key = 'own'", "resource_types SET key = 'demo_shoe'"],
    ] as const) {
      await pool.query(`UPDATE ${change}`);
      t.strictSame(await state(), { kind: 'left' }, change);
      await pool.query(`UPDATE ${back}`);
    }
    t.strictSame(await state(), { kind: 'made', port: 40123 });
  },
);

t.test('the sample API takes its former port, unless it is taken or to be avoided', async (t) => {
  const first = await startSampleApi({ wanted: 0, avoided: [] });
  await first.stop();
  const again = await startSampleApi({ wanted: first.port, avoided: [] });
  t.equal(again.port, first.port);
  t.match(await (await fetch(`${again.origin}/shoes/1`)).json(), { shoe: { name: 'Trail runner', state: 'on_sale' } });
  for (const path of ['/shoes/4', '/shoes/constructor', '/shoes/', '/']) t.equal((await fetch(again.origin + path)).status, 404, path);
  await again.stop();
  const other = await startSampleApi({ wanted: first.port, avoided: [first.port] });
  t.not(other.port, first.port);
  await other.stop();

  const taken = createServer().listen(first.port, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const beside = await startSampleApi({ wanted: first.port, avoided: [] });
  t.not(beside.port, first.port);
  await Promise.all([beside.stop(), new Promise((resolve) => taken.close(resolve))]);
});
