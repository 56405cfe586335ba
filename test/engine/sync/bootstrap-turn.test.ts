import pg from 'pg';
import t from 'tap';
import { giveTurnBack, limitSilence, tryTakeTurn } from '../../../engine/sync/bootstrap-turn.js';
import { BOOTSTRAPS_MAX } from '../../../shared/base/limits.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { configFixture, following, openReader, seen, startSync } from './config-fixture.js';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

t.test('each database has a fixed number of turns, and a turn ends with its session at the latest', async (t) => {
  const database = await createDatabase();
  const other = await createDatabase();
  const clients = await Promise.all(Array.from({ length: BOOTSTRAPS_MAX + 1 }, () => connect(database.url)));
  const stranger = await connect(other.url);
  t.teardown(async () => {
    await Promise.all([...clients, stranger].map((client) => client.end()));
    await Promise.all([database.drop(), other.drop()]);
  });
  const [first, second] = clients as [pg.Client, pg.Client];
  const last = clients.at(-1) as pg.Client;
  for (const client of clients.slice(0, -1)) t.equal(await tryTakeTurn(client), true);
  t.equal(await tryTakeTurn(last), false);
  t.equal(await tryTakeTurn(stranger), true, 'another database has its own turns');
  await giveTurnBack(first);
  t.equal(await tryTakeTurn(last), true);
  t.equal(await tryTakeTurn(first), false);
  await second.end();
  await until(() => tryTakeTurn(first), 'the turn of a session that has ended');
});

t.test('a session that falls silent loses its turn', async (t) => {
  const database = await createDatabase();
  const silent = await Promise.all(Array.from({ length: BOOTSTRAPS_MAX }, () => connect(database.url)));
  const waiting = await connect(database.url);
  t.teardown(async () => {
    await waiting.end();
    await database.drop();
  });
  for (const client of silent) {
    await limitSilence(client, 400);
    t.equal(await tryTakeTurn(client), true);
  }
  t.equal(await tryTakeTurn(waiting), false);
  await until(() => tryTakeTurn(waiting), 'the turn of a silent session');
  await t.rejects((silent[0] as pg.Client).query('SELECT 1'));
});

t.test('a host that waits for its turn says so in its readiness, and follows once it has had its turn', async (t) => {
  const fixture = await configFixture(t);
  await fixture.createLink('a');
  const holders = await Promise.all(Array.from({ length: BOOTSTRAPS_MAX }, () => connect(fixture.url)));
  for (const holder of holders) t.equal(await tryTakeTurn(holder), true);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await until(() => sync.health().reason.includes('waiting'), 'the host to wait');
  t.strictSame(sync.health(), {
    part: 'config-sync',
    ok: false,
    reason: `no copy of the configuration yet: waiting while ${BOOTSTRAPS_MAX} other hosts copy it`,
  });
  t.match(sync.stats(), { state: 'bootstrapping', bootstraps: 0 });
  await until(() => reader.readTableInput().environments.length === 2, 'the tables of the waiting host');
  t.notOk(reader.isWhole(), 'unknown paths are looked up in PostgreSQL');
  await Promise.all(holders.map((holder) => holder.end()));
  await following(sync);
  await seen(reader, 'a', (link) => link !== undefined);
  t.equal(sync.health().ok, true);
});
