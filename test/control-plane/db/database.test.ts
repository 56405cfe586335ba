import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import t, { type Test } from 'tap';
import {
  createDatabase,
  createLongStatementPool,
  createPool,
  type Database,
  DatabaseUnavailableError,
} from '../../../control-plane/db/database.js';
import { createDatabase as createTestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

const KILL = { text: 'SELECT pg_terminate_backend($1)' };

/** A database of its own, over a pool of one connection. */
async function onOneConnection(t: Test): Promise<Database> {
  const own = await createTestDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  return createDatabase(pool);
}

t.test('a connection that breaks between two statements of a transaction fails only that transaction', async (t) => {
  const own = await createTestDatabase();
  const lost: Error[] = [];
  const pool = createPool(own.url, 1, 'test', (error) => lost.push(error));
  const other = new pg.Pool({ connectionString: own.url, max: 1 });
  t.teardown(async () => {
    await Promise.all([pool.end(), other.end()]);
    await own.drop();
  });
  const database = createDatabase(pool);
  await t.rejects(
    database.transaction(async (joined) => {
      const { rows } = await joined.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
      await other.query({ ...KILL, values: [rows[0]?.pid] });
      await until(() => lost.length > 0, 'the report of the lost connection');
      await joined.query({ text: 'SELECT 1', values: [] });
    }),
    DatabaseUnavailableError,
  );
  t.match(await database.query({ text: 'SELECT 1 AS one', values: [] }), { rows: [{ one: 1 }] }, 'the next statement has a new connection');
  t.equal(pool.totalCount, 1);
});

t.test('a transaction whose work throws is rolled back, and its connection is used again', async (t) => {
  const database = await onOneConnection(t);
  const insert = { text: "INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')", values: [] };
  const pid = async () => (await database.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] })).rows[0]?.pid;
  const before = await pid();
  const failure = new Error('of the work');
  await t.rejects(
    database.transaction(async (joined) => {
      await joined.transaction((inner) => inner.query(insert));
      throw failure;
    }),
    failure,
  );
  t.match(await database.query({ text: 'SELECT count(*)::integer AS projects FROM projects', values: [] }), { rows: [{ projects: 0 }] });
  t.equal(await pid(), before);
});

t.test('a COPY whose reader throws closes its connection, because the rest of the COPY would have to be read first', async (t) => {
  const database = await onOneConnection(t);
  // Not one of PostgreSQL, even if it looks like one.
  const failure = new Error('of the reader');
  const copy = (within: Database, fail: () => Promise<void>) =>
    within.copyOut(`COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT`, fail);
  const throws = () => {
    throw failure;
  };
  const rejects = () => Promise.reject(failure);
  for (const fail of [throws, rejects]) {
    await t.rejects(
      database.transaction((joined) => copy(joined, fail)),
      failure,
    );
    t.match(await database.query({ text: 'SELECT 1 AS one', values: [] }), { rows: [{ one: 1 }] });
    await t.rejects(copy(database, fail), failure);
    t.match(await database.query({ text: 'SELECT 1 AS one', values: [] }), { rows: [{ one: 1 }] });
  }
  const other = await createTestDatabase();
  const pool = createLongStatementPool(other.url, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await other.drop();
  });
  const ofCounting = createDatabase(pool);
  await t.rejects(
    ofCounting.transaction((joined) => copy(joined, throws)),
    failure,
  );
  t.match(await ofCounting.query({ text: 'SELECT 1 AS one', values: [] }), { rows: [{ one: 1 }] });
});

t.test('errors about the server count as unavailability and close the connection, and errors about the statement do not', async (t) => {
  const database = await onOneConnection(t);
  const pid = async () => (await database.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] })).rows[0]?.pid;
  const raise = (code: string) =>
    database.query({ text: `DO $$ BEGIN RAISE EXCEPTION 'as a server would' USING ERRCODE = '${code}'; END $$`, values: [] });
  for (const code of [
    '0A000',
    '25006',
    '55000',
    '08006',
    '53100',
    '53300',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '58030',
    '40001',
    '40P01',
    '55P03',
  ]) {
    const before = await pid();
    await t.rejects(raise(code), DatabaseUnavailableError, code);
    t.not(await pid(), before, `${code}: the next statement has another connection`);
  }
  for (const code of ['23505', '22P02', '42P01']) {
    const before = await pid();
    await t.rejects(raise(code), { code });
    t.equal(await pid(), before, `${code}: the next statement has the same connection`);
  }
});

t.test('a prepared statement whose table has changed fails once, and is then prepared again', async (t) => {
  const database = await onOneConnection(t);
  const read = () => database.query({ name: 'read', text: 'SELECT * FROM changing', values: [] });
  await database.query({ text: 'CREATE TABLE changing AS SELECT 1::integer AS number', values: [] });
  t.strictSame((await read()).rows, [{ number: 1 }]);
  await database.query({ text: "ALTER TABLE changing ADD COLUMN name text NOT NULL DEFAULT 'one'", values: [] });
  await t.rejects(read(), DatabaseUnavailableError);
  t.strictSame((await read()).rows, [{ number: 1, name: 'one' }]);
});

/** A message of PostgreSQL's protocol. https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1');
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

/**
 * PgBouncer does this while a server starts, is being set up, or has lost its roles: sessions with PgBouncer stay open, and a
 * statement receives the server's refusal.
 */
t.test('an error that ends the session counts as unavailability, whatever its code', async (t) => {
  let code = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]));
      socket.once('data', () => socket.end(message('E', `SFATAL\0VFATAL\0C${code}\0Mno session\0\0`)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = createPool(`postgres://user@127.0.0.1:${port}/link`, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    server.close();
  });
  for (code of ['28000', '28P01', '3D000', '42501', 'XX000', '08P01']) {
    await t.rejects(createDatabase(pool).query({ text: 'SELECT 1', values: [] }), DatabaseUnavailableError, code);
    await until(() => pool.totalCount === 0, 'the connection to be closed');
  }
});

t.test('sessions for long statements have short TCP timeouts, so that the server soon notices a lost host', async (t) => {
  const own = await createTestDatabase();
  const pool = createLongStatementPool(own.url, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  const { rows } = await createDatabase(pool).query({
    text: "SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(keepalives|user)_' ORDER BY name",
    values: [],
  });
  t.strictSame(rows, [
    { name: 'tcp_keepalives_count', setting: '3' },
    { name: 'tcp_keepalives_idle', setting: '10' },
    { name: 'tcp_keepalives_interval', setting: '5' },
    { name: 'tcp_user_timeout', setting: '20000' },
  ]);
});

t.test('no session compiles statements', async (t) => {
  const own = await createTestDatabase();
  const pools = [createPool(own.url, 1, 'test', () => {}), createLongStatementPool(own.url, 'test', () => {})];
  t.teardown(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await own.drop();
  });
  for (const pool of pools) t.same((await pool.query('SHOW jit')).rows, [{ jit: 'off' }]);
});
