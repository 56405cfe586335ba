import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LookupConnection, LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { readLinksByPath } from '../../../engine/read-through/sql.js';
import { until } from '../../support/until.js';
import { log } from '../store/store-fixture.js';
import { configFixture } from '../sync/config-fixture.js';

const lookUp = async (connection: LookupConnection, environmentId: string, path: string) =>
  (await connection.ask((client) => readLinksByPath(client, [{ environmentId, path }])))[0] ?? null;

function opened(t: Test, databaseUrl: string): LookupConnection {
  const connection = new LookupConnection({ databaseUrl, part: 'test', log, random: () => 0.01 });
  t.teardown(() => connection.stop());
  return connection;
}

t.test('the first query waits for the connection; a stopped connection answers none', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const id = await fixture.createLink('a');
  const connection = opened(t, fixture.url);
  t.equal(connection.kind(), 'opening');
  t.equal((await lookUp(connection, fixture.environmentIds[0], 'a'))?.id, id);
  t.equal(await lookUp(connection, fixture.environmentIds[0], 'b'), null);
  connection.stop();
  await t.rejects(lookUp(connection, fixture.environmentIds[0], 'a'), LookupUnavailableError);
  await sleep(20);
  t.equal(connection.kind(), 'stopped');
});

t.test('a query without an answer within a second fails, and the next query works', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const id = await fixture.createLink('a');
  const connection = opened(t, fixture.url);
  await lookUp(connection, fixture.environmentIds[0], 'a');
  const blocker = await fixture.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
  await t.rejects(lookUp(connection, fixture.environmentIds[0], 'a'), LookupUnavailableError);
  await blocker.query('ROLLBACK');
  blocker.release();
  t.equal((await lookUp(connection, fixture.environmentIds[0], 'a'))?.id, id);
});

t.test('queries are sent one after the other, and the wait for the ones before does not count', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const connection = opened(t, fixture.url);
  let underWay = 0;
  const sleeping = (seconds: number) =>
    connection.ask(async (client) => {
      t.equal(++underWay, 1);
      await client.query('SELECT pg_sleep($1)', [seconds]);
      underWay--;
    });
  await Promise.all([sleeping(0.6), sleeping(0.6), sleeping(0.1)]);
  const hung = connection.ask((client) => client.query('SELECT pg_sleep(5)'));
  const behind = sleeping(0);
  await t.rejects(hung, LookupUnavailableError);
  await t.rejects(behind, LookupUnavailableError, 'what waited for a lost connection fails with it');
  await sleeping(0);
});

t.test('while the server is away queries fail at once, and the connection is retried until it works', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const target = new URL(fixture.url);
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const url = new URL(fixture.url);
  url.port = String(port);
  const connection = opened(t, url.href);
  await until(() => connection.kind() === 'away', 'the failed attempt');
  let refused: unknown;
  lookUp(connection, fixture.environmentIds[0], 'a').catch((error: unknown) => {
    refused = error;
  });
  await new Promise((resolve) => process.nextTick(resolve));
  t.ok(refused instanceof LookupUnavailableError, 'the query fails within the same turn');
  const { connect } = await import('node:net');
  const proxy = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  await until(() => connection.kind() === 'ready', 'the connection to be back');
  t.equal(await lookUp(connection, fixture.environmentIds[0], 'a'), null);
  connection.stop();
});
