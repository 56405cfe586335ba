import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { isPooled, markPooled } from '../../../shared/base/pooled-url.js';
import { clientClass } from '../../../shared/net/pooled-client.js';
import { createDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const own = await createDatabase();
t.teardown(() => own.drop());

t.test('a URL is marked for PgBouncer only once, and a URL that is not for PostgreSQL is refused', async (t) => {
  const marked = markPooled('postgres://user:p%40ss@127.0.0.1:6432/link?sslmode=disable') as string;
  t.equal(marked, 'postgres://user:p%40ss@127.0.0.1:6432/link?sslmode=disable&pgbouncer=true');
  t.equal(markPooled(marked), marked);
  t.ok(isPooled(marked));
  for (const url of ['postgres://h/pgbouncer=true', 'postgres://h/d?pgbouncer=false', 'postgres://h/d?apgbouncer=true'])
    t.notOk(isPooled(url), url);
  for (const url of ['', '6432', 'http://127.0.0.1/', 'postgres://[/']) t.equal(markPooled(url), null, url);
  t.type(new (clientClass('postgres://127.0.0.1/link'))(), pg.Client);
});

t.test('a client for PgBouncer names no statements, and sets limits within each transaction', async (t) => {
  const url = markPooled(own.url) as string;
  const client = new (clientClass(url))({ connectionString: url, statement_timeout: 1234, idle_in_transaction_session_timeout: 5678 });
  await client.connect();
  t.teardown(() => client.end());
  const setting = async (name: string) =>
    (await client.query({ name: `read_${name}`, text: `SELECT current_setting($1) AS value`, values: [name] })).rows;
  t.strictSame(await setting('statement_timeout'), [{ value: '0' }], 'no limit is set for the session');
  t.strictSame((await client.query('SELECT name FROM pg_prepared_statements')).rows, []);
  await client.query({ text: 'BEGIN', values: [] });
  t.strictSame(await setting('statement_timeout'), [{ value: '1234ms' }]);
  t.strictSame(await setting('idle_in_transaction_session_timeout'), [{ value: '5678ms' }]);
  await client.query('COMMIT');
  t.strictSame(await setting('statement_timeout'), [{ value: '0' }], 'no limit is left after the transaction');
});

t.test('a client whose certificate authority cannot be read fails when it connects, and a later one reads the file again', async (t) => {
  const authority = join(temporaryFolder(t), 'authority.pem');
  const direct = new URL(own.url);
  // Without TLS, the driver reads the file all the same.
  direct.searchParams.set('sslmode', 'disable');
  direct.searchParams.set('sslrootcert', authority);
  for (const connectionString of [direct.href, markPooled(direct.href) as string]) {
    const Client = clientClass(connectionString);
    const client = new Client({ connectionString });
    t.type(client, pg.Client);
    await t.rejects(client.connect(), { code: 'ENOENT', path: authority });
    await client.end();
    const pool = new pg.Pool({ connectionString, Client, max: 1 });
    await t.rejects(pool.query('SELECT 1'), { code: 'ENOENT' });
    await pool.end();
    writeFileSync(authority, '');
    const later = new Client({ connectionString });
    await later.connect();
    await later.end();
    rmSync(authority);
  }
});

t.test('times are read whatever form of dates the database has', async (t) => {
  const { pathname } = new URL(own.url);
  const admin = new (clientClass(own.url))({ connectionString: own.url });
  await admin.connect();
  for (const style of ['SQL, DMY', 'German', 'Postgres']) {
    await admin.query(`ALTER DATABASE ${pathname.slice(1)} SET DateStyle = '${style}'`);
    for (const connectionString of [own.url, markPooled(own.url) as string]) {
      const client = new (clientClass(connectionString))({ connectionString });
      await client.connect();
      const { rows } = await client.query("SELECT '2026-02-03 04:05:06.789Z'::timestamptz AS at");
      t.same(rows, [{ at: new Date('2026-02-03T04:05:06.789Z') }], style);
      await client.end();
    }
  }
  await admin.query(`ALTER DATABASE ${pathname.slice(1)} RESET DateStyle`);
  await admin.end();
});

/** A message of PostgreSQL: its type, its length, and what it says. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** Starts a server that answers every client with the messages of `greeting`, in one packet. Returns the URL of its database. */
async function serveGreeting(t: Test, greeting: () => readonly Buffer[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(Buffer.concat(greeting())));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `postgres://user:none@127.0.0.1:${(server.address() as AddressInfo).port}/link`;
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', 'I');

t.test('a standby is a server that cannot be reached, to a client and to a pool', async (t) => {
  let standby = 'on';
  const connectionString = await serveGreeting(t, () => [AUTHENTICATED, message('S', `in_hot_standby\0${standby}\0`), READY]);
  const Client = clientClass(connectionString);
  await t.rejects(new Client({ connectionString }).connect(), { message: 'the server is a standby' });
  const pool = new pg.Pool({ connectionString, Client, max: 1 });
  await t.rejects(pool.connect(), { message: 'the server is a standby' });
  standby = 'off';
  (await pool.connect()).release(true);
  t.equal(pool.totalCount, 0);
  await pool.end();
});

t.test('a session that the server ends in the packet that begins it does not end the process', async (t) => {
  for (const standby of ['on', 'off']) {
    const ended = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
    const parameter = message('S', `in_hot_standby\0${standby}\0`);
    const connectionString = await serveGreeting(t, () => [AUTHENTICATED, parameter, READY, ended]);
    const pool = new pg.Pool({ connectionString, Client: clientClass(connectionString), max: 1 });
    // As pools of the service do. tap fails a test in which an error has no listener.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    const outcome = await pool.connect().then(
      (client) => {
        client.release(true);
        return 'connected';
      },
      (error: Error) => error.message,
    );
    t.equal(outcome, standby === 'on' ? 'the server is a standby' : 'connected');
    await pool.end();
  }
});
