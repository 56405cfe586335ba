import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { newId } from '../../../shared/base/ids.js';
import { until } from '../../support/until.js';
import { configFixture, differences, following, openReader, seen, startSync } from './config-fixture.js';

/** Most of the time is spent waiting: for polls, timeouts and PostgreSQL. */
t.jobs = 4;

const absent = (link: unknown) => link === undefined;
const present = (link: unknown) => link !== undefined;

t.test('an empty host copies everything, then follows every change', async (t) => {
  const fixture = await configFixture(t);
  const id = await fixture.createLink('before', '/1');
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  t.equal(sync.health().ok, false, 'not ready before there is a copy');
  await following(sync);
  t.strictSame(sync.health(), { part: 'config-sync', ok: true, reason: '' });
  await seen(reader, 'before', present);
  await fixture.changeLink(id, '/2');
  await seen(reader, 'before', (link) => link?.deep_link_path === '/2');
  await fixture.createLink('after');
  await seen(reader, 'after', present);
  t.strictSame(
    reader.readTableInput().environments.map(({ number, link_host }) => [number, link_host]),
    [
      [1, 'live.localhost'],
      [2, 'test.localhost'],
    ],
  );
  const version = reader.tableVersion();
  await fixture.renameHost(1, 'renamed.localhost');
  await until(() => reader.tableVersion() !== version, 'the table version to change');
  t.equal(reader.readTableInput().environments[1]?.link_host, 'renamed.localhost');
  t.strictSame(await differences(fixture, sync, reader), []);
});

t.test('resource types and templates are copied and change the table, and an archived template is removed from it', async (t) => {
  const fixture = await configFixture(t);
  const type = newId('resourceType');
  const [before, after] = [newId('urlTemplate'), newId('urlTemplate')].sort() as [string, string];
  await fixture.createResourceType(type);
  await fixture.createTemplate(before, type, '/p/{id}');
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  const table = () => reader.readTableInput();
  await until(() => table().templates.length === 1, 'the first template');
  t.strictSame(table().resource_types, [{ id: type, environment_number: 1, key: 'product', state: 'active' }]);
  t.strictSame(table().templates, [
    {
      id: before,
      environment_number: 1,
      resource_type_id: type,
      state: 'active',
      path_pattern: '/p/{id}',
      id_format: { kind: 'preset', preset: 'numeric' },
      deep_link_path: '/{id}',
      redirects: { ios: null, android: null, web: null, desktop: null, fallback: null },
      allow_param_passthrough: false,
    },
  ]);
  const version = reader.tableVersion();
  await fixture.createTemplate(after, type, '/q/{id}');
  await until(() => reader.tableVersion() !== version, 'the table version to change');
  const kept = table().templates[0];
  t.equal(table().templates.length, 2);
  t.equal(table().templates[0], kept, 'an unchanged template is the same object');
  await fixture.changeObject('url_template', before, `UPDATE url_templates SET status = 'disabled' WHERE id = $1`);
  await until(() => table().templates[0]?.state === 'disabled', 'the disabled template');
  await fixture.changeObject('url_template', before, `UPDATE url_templates SET status = 'archived' WHERE id = $1`);
  await until(() => table().templates.length === 1, 'the archived template to go');
  t.equal(table().templates[0]?.id, after);
  await fixture.changeObject('resource_type', type, `UPDATE resource_types SET status = 'archived' WHERE id = $1`);
  await until(() => table().resource_types[0]?.state === 'archived', 'the archived type');
});

t.test(
  'campaigns and verified domains are copied and change the table, and a domain that is not verified is removed from it',
  async (t) => {
    const fixture = await configFixture(t);
    const before = await fixture.createCampaign('before', 'print');
    const dir = t.testdir();
    const sync = startSync(t, fixture.url, dir);
    const reader = openReader(t, dir);
    await following(sync);
    const table = () => reader.readTableInput();
    const source = (utm_source: string) => ({ utm_source, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null });
    await until(() => table().campaigns.length === 1, 'the first campaign');
    t.strictSame(table().campaigns, [{ id: before, environment_number: 1, key: 'before', utm: source('print') }]);
    const version = reader.tableVersion();
    await fixture.changeObject('campaign', before, `UPDATE campaigns SET utm_source = 'mail' WHERE id = $1`);
    await until(() => reader.tableVersion() !== version, 'the table version to change');
    t.strictSame(table().campaigns[0]?.utm, source('mail'));
    await fixture.changeObject('campaign', before, 'UPDATE campaigns SET utm_source = NULL WHERE id = $1');
    await until(() => table().campaigns[0]?.utm === null, 'the campaign to set nothing');
    const domain = await fixture.createDomain('links.example.org', 1);
    await until(() => table().domains.length === 1, 'the domain');
    t.match(table().domains, [
      { id: domain, environment_number: 2, hostname: 'links.example.org', case_insensitive: false, root_url: null },
    ]);
    await fixture.changeObject('domain', domain, `UPDATE domains SET status = 'failed' WHERE id = $1`);
    await until(() => table().domains.length === 0, 'the failed domain to go');
    await fixture.changeObject('domain', domain, `UPDATE domains SET status = 'verified' WHERE id = $1`);
    await until(() => table().domains.length === 1, 'the domain to come back');
    await fixture.changeObject('domain', domain, 'DELETE FROM domains WHERE id = $1');
    await until(() => table().domains.length === 0, 'the deleted domain to go');
  },
);

t.test('a deleted link is removed from the store, and its path can serve the next link', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  const first = await fixture.createLink('path');
  await seen(reader, 'path', present);
  await fixture.purgeLink(first);
  await seen(reader, 'path', absent);
  const second = await fixture.createLink('path');
  await fixture.purgeLink(second);
  const third = await fixture.createLink('path');
  await seen(reader, 'path', (link) => link?.id === third);
});

t.test('a restart continues from its cursor, without a new copy', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const first = startSync(t, fixture.url, dir);
  await following(first);
  await fixture.createLink('a');
  await until(() => first.stats().position === 1, 'the row to be applied');
  await first.stop();
  await fixture.createLink('b');
  const second = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await seen(reader, 'b', present);
  t.equal(second.stats().bootstraps, 0);
  t.equal(second.stats().rows_applied, 1);
});

t.test('no change is lost, in any order of commits, while listeners and connections are killed', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  const write = async (writer: number) => {
    for (let n = 0; n < 60; n++) {
      const client = await fixture.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          `WITH written AS (
             INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
             VALUES (new_id('lnk_', now()), $1, $2, $3, now(), now())
             ON CONFLICT (environment_id, path) DO UPDATE SET deep_link_path = $3
             RETURNING id, environment_id, path)
           INSERT INTO config_feed (kind, environment_id, object_id, object_key) SELECT 'link', environment_id, id, path FROM written`,
          [fixture.environmentIds[n % 2], `w${writer}-${Math.floor(n / 2)}`, `/${n}`],
        );
        if (Math.random() < 0.3) await sleep(Math.random() * 30);
        await client.query(Math.random() < 0.9 ? 'COMMIT' : 'ROLLBACK');
      } finally {
        client.release();
      }
      fixture.assigner.poke();
    }
  };
  let writing = true;
  const killer = (async () => {
    const parts = ['link-service listen config_feed', 'link-service sync'];
    for (let n = 0; writing; n++) {
      await sleep(20 + Math.random() * 60);
      await fixture.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
        [parts[n % 4 === 0 ? 1 : 0]],
      );
    }
  })();
  await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
  writing = false;
  await killer;
  t.strictSame(await differences(fixture, sync, reader), []);
  const { rows } = await fixture.pool.query('SELECT count(*)::integer AS links FROM links');
  t.ok(rows[0].links > 1500);
  t.ok(sync.stats().listener_connections > 1, 'the listener was killed meanwhile');
});

t.test('a copy made during writes misses none of them', async (t) => {
  const fixture = await configFixture(t);
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'old' || n, '/0', now(), now() FROM generate_series(1, 6000) AS n`,
    [fixture.environmentIds[0]],
  );
  const dir = t.testdir();
  let writing = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; writing; n++) {
      await fixture.createLink(`new${writer}-${n}`);
      const { rows } = await fixture.pool.query<{ id: string }>('SELECT id FROM links WHERE path = $1', [
        `old${1 + Math.floor(Math.random() * 6000)}`,
      ]);
      await fixture.changeLink(rows[0]?.id as string, `/${n}`);
    }
  });
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  await sleep(100);
  writing = false;
  await Promise.all(writers);
  t.strictSame(await differences(fixture, sync, reader), []);
  t.equal(sync.stats().bootstraps, 1);
});

t.test('while an empty host copies its links, its hosts are already known', async (t) => {
  const fixture = await configFixture(t);
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'old' || n, '/0', now(), now() FROM generate_series(1, 20000) AS n`,
    [fixture.environmentIds[0]],
  );
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await until(() => reader.readTableInput().environments.length === 2, 'the environments');
  t.equal(reader.isWhole(), false);
  t.equal(sync.health().ok, false, 'not ready yet');
  t.equal(reader.findLink(1, 'old1'), undefined);
  await following(sync);
  await seen(reader, 'old20000', present);
  t.equal(reader.isWhole(), true);
  t.equal(sync.health().ok, true);
});

t.test('without notifications a change is seen by polling, and the subscription is renewed', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  const connections = sync.stats().listener_connections;
  // One change for every poll, until three polls in a row have found changes that no notification announced.
  for (let n = 0; n < 12 && sync.stats().listener_connections === connections; n++) {
    await fixture.createLink(`silent${n}`);
    await fixture.assignSilently();
    const ms = await seen(reader, `silent${n}`, present, 2000);
    t.ok(ms < 2000, `${Math.round(ms)} ms`);
  }
  await until(() => sync.stats().listener_connections > connections, 'a new subscription');
});

t.test('a notification with malformed or meaningless content does no harm', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  await fixture.pool.query(
    "SELECT pg_notify('config_feed', payload) FROM unnest(ARRAY['', 'no json', '{', '{\"position\":1e9}']) AS payload",
  );
  await fixture.createLink('a');
  await seen(reader, 'a', present);
  t.equal(sync.stats().failures, 0);
});

t.test('a process that starts without PostgreSQL serves its copy and is healthy, and one without a copy is not', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  await fixture.createLink('a');
  const first = startSync(t, fixture.url, dir);
  await following(first);
  await first.stop();
  const url = new URL(fixture.url);
  url.port = '1';
  const away = startSync(t, url.href, dir);
  const reader = openReader(t, dir);
  await until(() => away.stats().failures > 1, 'failures');
  t.equal(away.health().ok, true);
  await seen(reader, 'a', present);
  await away.stop();
  const empty = startSync(t, url.href, t.testdir({ other: {} }));
  await until(() => empty.stats().failures > 1, 'failures');
  t.match(empty.health(), { ok: false, reason: /no copy of the configuration yet/ });
});
