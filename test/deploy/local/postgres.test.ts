import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import t, { type Test } from 'tap';
import { type PostgresOptions, startPostgres } from '../../../deploy/local/postgres.js';
import { serverUser } from '../../../deploy/local/server-user.js';
import { sharedBuffersMb } from '../../../deploy/local/shared-buffers.js';
import { findStaleServer } from '../../../deploy/local/stale-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const PARENT = fileURLToPath(new URL('../../support/postgres-parent.js', import.meta.url));
const IS_ROOT = process.getuid?.() === 0;

function options(dataDir: string, more: Partial<PostgresOptions> = {}): PostgresOptions {
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const quiet = () => {};
  return { dataDir, reachableDir: `${dataDir}-reachable`, durable: false, connectionsMax: 20, progress: quiet, log: quiet, ...more };
}

/** Most of the time is spent waiting for servers to start and to stop. */
t.jobs = 3;

const MADE = join(temporaryFolder(t), 'data');
await (await startPostgres(options(MADE))).stop();

/** A folder with the database of an earlier start, for tests that are not about the first start. */
function usedFolder(t: Test): string {
  const dataDir = join(temporaryFolder(t), 'data');
  options(dataDir);
  // Only cp keeps the owner, which is PostgreSQL's own user if the tests run as root.
  execFileSync('cp', ['-a', join(MADE, 'postgres'), join(MADE, 'postgres-password'), join(MADE, 'database-password'), dataDir]);
  return dataDir;
}

async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The processes that run PostgreSQL on the folder. These are postmasters only, because backends have another command line. */
function serversOn(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const file = `/proc/${name}/cmdline`;
      return existsSync(file) && readFileSync(file, 'utf8').includes(`postgres\0-D\0${folder}\0`);
    })
    .map(Number);
}

async function startParent(dataDir: string, identity: { uid?: number; gid?: number } = {}) {
  const child: ChildProcess = spawn(process.execPath, [PARENT, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    env: { HOME: '' },
    ...identity,
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; pid: number }) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

t.test('a first start shows its steps, later starts find the same database, and only the owner may read its password', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const steps: string[] = [];
  const first = await startPostgres(options(dataDir, { progress: (step) => steps.push(step) }));
  t.ok(steps.includes('running bootstrap script'), steps.join(', '));
  await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
  t.equal(await query(first.url(), 'SHOW server_encoding'), 'UTF8');
  t.equal(
    await query(first.url(), "SELECT lower('ÄÖ') || ('a' > 'B')::text"),
    'äötrue',
    'the collation is by bytes, and case mapping is Unicode',
  );
  await first.stop();
  t.strictSame(serversOn(join(dataDir, 'postgres/data')), []);

  const stepsAgain: string[] = [];
  const second = await startPostgres(options(dataDir, { progress: (step) => stepsAgain.push(step) }));
  t.strictSame(stepsAgain, []);
  t.equal(second.url(), first.url());
  t.equal(await query(second.url(), 'SELECT value FROM kept'), 7);
  await t.rejects(query(second.url().replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1'), { code: '28P01' }, 'another password is refused');
  await second.stop();
  await second.stop();
  t.equal(statSync(join(dataDir, 'postgres-password')).mode & 0o777, 0o600);
  t.equal(statSync(join(dataDir, 'postgres/data')).mode & 0o777, 0o700);
});

t.test('after kill -9 of the parent, the next start is quick and has one server with every committed row (promise A7)', async (t) => {
  const dataDir = usedFolder(t);
  const parent = await startParent(dataDir);
  await query(parent.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS value');
  await end(parent.child, 'SIGKILL');
  const folder = join(dataDir, 'postgres/data');
  t.strictSame(serversOn(folder), [parent.pid], 'the server outlives its parent');
  const began = performance.now();
  const postgres = await startPostgres(options(dataDir));
  t.ok(performance.now() - began < 10_000);
  t.strictSame(serversOn(folder), [postgres.stats().pid]);
  t.not(postgres.stats().pid, parent.pid);
  t.equal(postgres.url(), parent.url, 'the server keeps its port');
  t.equal(await query(postgres.url(), 'SELECT count(*)::integer FROM kept'), 1000);
  await postgres.stop();
});

t.test('a durable server caches with a share of the memory', async (t) => {
  const postgres = await startPostgres(options(usedFolder(t), { durable: true }));
  const megabytes = `SELECT setting::integer * 8 / 1024 FROM pg_settings WHERE name = 'shared_buffers'`;
  t.equal(await query(postgres.url(), megabytes), sharedBuffersMb(totalmem(), process.constrainedMemory()));
  await postgres.stop();
});

t.test('another process with the pid of an old postmaster.pid is not signalled and does not prevent the start', async (t) => {
  const dataDir = usedFolder(t);
  const parent = await startParent(dataDir);
  await query(parent.url, 'CREATE TABLE kept AS SELECT 7 AS value');
  await end(parent.child, 'SIGKILL');
  process.kill(parent.pid, 'SIGKILL');
  const folder = join(dataDir, 'postgres/data');
  while (findStaleServer(folder) !== null) await new Promise((resolve) => setTimeout(resolve, 10));
  const user = serverUser(statSync(folder).uid);
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore', ...(user === null ? {} : { uid: user.uid, gid: user.gid }) });
  t.teardown(() => bystander.kill('SIGKILL'));
  const file = join(folder, 'postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(bystander.pid)));
  t.equal(findStaleServer(folder), null);
  const postgres = await startPostgres(options(dataDir));
  t.equal(await query(postgres.url(), 'SELECT value FROM kept'), 7);
  t.equal(bystander.exitCode ?? bystander.signalCode, null, 'the other process still runs');
  await postgres.stop();
  t.equal(bystander.exitCode ?? bystander.signalCode, null);
});

t.test('a killed server whose end nobody has asked for does not prevent the start', async (t) => {
  const dataDir = usedFolder(t);
  const folder = join(dataDir, 'postgres/data');
  const user = serverUser(statSync(folder).uid);
  // The shell starts a process, and becomes a program that never asks how that ended. The shell itself would, until then.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  t.teardown(() => parent.kill('SIGKILL'));
  const [pid] = (await once(createInterface({ input: parent.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  const status = (of: string | number | undefined) => readFileSync(`/proc/${of}/status`, 'utf8');
  await until(() => /^Name:\s+sleep$/m.test(status(parent.pid)), 'the shell to become the program');
  process.kill(Number(pid), 'SIGKILL');
  await until(() => /^State:\s+Z/m.test(status(pid)), 'the process to have ended');
  writeFileSync(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n`);
  const postgres = await startPostgres(options(dataDir));
  t.equal(await query(postgres.url(), 'SELECT 7'), 7);
  await postgres.stop();
});

t.test('a server that is killed is restarted on the same address', async (t) => {
  const dataDir = usedFolder(t);
  const lines: string[] = [];
  const postgres = await startPostgres(options(dataDir, { log: (line) => lines.push(line) }));
  await query(`${postgres.url()}?options=-csynchronous_commit%3Don`, 'CREATE TABLE kept AS SELECT 7 AS value');
  for (const round of [1, 2]) {
    process.kill(postgres.stats().pid as number, 'SIGKILL');
    while (postgres.stats().restarts < round || postgres.stats().pid === null) await new Promise((resolve) => setTimeout(resolve, 10));
    t.equal(await query(postgres.url(), 'SELECT value FROM kept'), 7);
  }
  t.match(lines, [
    /stopped unexpectedly \(SIGKILL\)/,
    'PostgreSQL is running again',
    /stopped unexpectedly/,
    'PostgreSQL is running again',
  ]);
  process.kill(postgres.stats().pid as number, 'SIGKILL');
  await postgres.stop();
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.strictSame(serversOn(join(dataDir, 'postgres/data')), [], 'after a stop no restart follows');
});

t.test('a stop does not wait for clients', async (t) => {
  const postgres = await startPostgres(options(usedFolder(t)));
  const idle = new pg.Client({ connectionString: postgres.url() });
  idle.on('error', () => {}); // the server ends the connection, which the test provokes
  await idle.connect();
  await idle.query('BEGIN');
  const began = performance.now();
  await postgres.stop();
  t.ok(performance.now() - began < 9000, 'the fast stop ends before an immediate one would follow');
});

t.test('a database that a killed first start left unfinished is made from the beginning', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(join(dataDir, 'postgres/unfinished-abc/data'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres/unfinished-abc/data/PG_VERSION'), '18\n');
  const postgres = await startPostgres(options(dataDir));
  t.equal(await query(postgres.url(), 'SELECT 1'), 1);
  await postgres.stop();
  t.strictSame(readdirSync(join(dataDir, 'postgres')), ['data']);
});

t.test('if the former port is in use, another one is chosen', async (t) => {
  const dataDir = usedFolder(t);
  const first = await startPostgres(options(dataDir));
  await first.stop();
  const port = Number(new URL(first.url()).port);
  const thief = createServer().listen(port, '127.0.0.1');
  await once(thief, 'listening');
  const second = await startPostgres(options(dataDir));
  t.not(Number(new URL(second.url()).port), port);
  t.equal(await query(second.url(), 'SELECT 1'), 1);
  await second.stop();
  thief.close();
});

/** What each file and folder below the folder has: its content, its mode, its owner and when it was written. */
function stateOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths.map((path) => {
      const stats = statSync(join(folder, path));
      const content = stats.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, path)))
            .digest('hex')
        : 'folder';
      return [path, `${stats.mode} ${stats.uid} ${stats.mtimeMs} ${content}`];
    }),
  );
}

t.test('a database of another major version stops the start with one line that says so, and is left as it is', async (t) => {
  const dataDir = usedFolder(t);
  const file = join(dataDir, 'postgres/data/PG_VERSION');
  chmodSync(file, 0o600);
  writeFileSync(file, '17\n');
  const folder = join(dataDir, 'postgres');
  const before = stateOf(folder);
  t.ok(Object.keys(before).length > 500, 'the whole database is compared');
  await t.rejects(startPostgres(options(dataDir)), {
    name: 'StartError',
    message: /was created by PostgreSQL 17, but this is PostgreSQL 18: .*DATABASE_URL$/,
  });
  t.strictSame(stateOf(folder), before, 'no file is changed, added or removed');
});

t.test('a failed start of the server names the log file with the reason', async (t) => {
  const dataDir = usedFolder(t);
  await t.rejects(startPostgres(options(dataDir, { connectionsMax: -1 })), { name: 'StartError', message: /logs\/postgres\.log$/ });
  t.match(readFileSync(join(dataDir, 'logs/postgres.log'), 'utf8'), /max_connections/);
});

t.test(
  'as root, if the server may not enter DATA_DIR, the database is kept in a folder that it may enter, and is found again',
  async (t) => {
    const folder = temporaryFolder(t);
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const given = options(join(closed, 'data'), { reachableDir: join(folder, 'reachable') });
    const first = await startPostgres(given);
    await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
    await first.stop();
    const inside = existsSync(join(closed, 'data/postgres/data'));
    t.equal(inside, !IS_ROOT, 'the database is in DATA_DIR unless the start runs as root');
    const noted = readFileSync(join(closed, 'data/postgres-folder'), 'utf8').trim();
    t.equal(noted.startsWith(join(folder, 'reachable')), IS_ROOT);
    t.equal(statSync(join(noted, 'data')).uid === 0, false, 'PostgreSQL never runs as root');
    // The database is found even if the folder's modes have changed since.
    chmodSync(closed, 0o755);
    const second = await startPostgres(given);
    t.equal(await query(second.url(), 'SELECT value FROM kept'), 7);
    await second.stop();
  },
);

t.test('as root, a database in a DATA_DIR that the server may no longer enter is moved, also after a killed move', async (t) => {
  const dataDir = usedFolder(t);
  const given = options(dataDir);
  const first = await startPostgres(given);
  await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
  await first.stop();
  const note = join(dataDir, 'postgres-folder');
  const before = readFileSync(note, 'utf8');
  chmodSync(dataDir, 0o700);
  for (const moment of ['moved', 'killed before that is noted']) {
    const again = await startPostgres(given);
    t.equal(await query(again.url(), 'SELECT value FROM kept'), 7, moment);
    await again.stop();
    t.equal(readFileSync(note, 'utf8').startsWith(given.reachableDir), IS_ROOT, moment);
    writeFileSync(note, before);
  }
});

t.test('a new DATA_DIR does not take over the database that a removed one of the same name left elsewhere', async (t) => {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, 'data');
  const given = options(dataDir);
  for (const [start, left] of [
    ['first', 0],
    ['after the folder was removed', IS_ROOT ? 1 : 0],
  ] as const) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir, { mode: 0o700 });
    const steps: string[] = [];
    const postgres = await startPostgres({ ...given, progress: (step) => steps.push(step) });
    await query(postgres.url(), 'CREATE TABLE fresh AS SELECT 1');
    await postgres.stop();
    t.equal(steps.filter((step) => step.startsWith('keeping the database of an earlier DATA_DIR in ')).length, left, start);
  }
});

t.test('a first start that was killed is repeated where it began, also beside the database of an earlier DATA_DIR', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const given = options(dataDir);
  const noted = () => readFileSync(join(dataDir, 'postgres-folder'), 'utf8').trim();
  const startAnew = async (mode: number) => {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir);
    chmodSync(dataDir, mode);
    await (await startPostgres(given)).stop();
  };
  await startAnew(0o700);
  const earlier = noted();
  for (const mode of [0o700, 0o711]) {
    await startAnew(mode);
    const begun = noted();
    t.equal(begun.startsWith(given.reachableDir), IS_ROOT && mode === 0o700);
    // What a start leaves that is killed during initdb.
    rmSync(join(begun, 'data'), { recursive: true });
    mkdirSync(join(begun, 'unfinished-abc'));
    const again = await startPostgres(given);
    t.equal(await query(again.url(), 'SELECT 1'), 1);
    await again.stop();
    t.equal(noted(), begun);
    t.strictSame(
      readdirSync(begun).filter((name) => name !== 'data-dir'),
      ['data'],
    );
    t.equal(existsSync(join(earlier, 'data')), true);
  }
  chmodSync(dataDir, 0o700);
  if (IS_ROOT) await t.rejects(startPostgres(given), { name: 'StartError', message: new RegExp(`mv '${earlier}' '${earlier}-earlier'$`) });
});

t.test('a DATA_DIR that was moved has its database, and a copy of it has a copy', async (t) => {
  const dataDir = usedFolder(t);
  const first = await startPostgres(options(dataDir));
  await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
  await first.stop();
  const moved = `${dataDir}-moved`;
  const copy = `${dataDir}-copy`;
  renameSync(dataDir, moved);
  execFileSync('cp', ['-a', moved, copy]);
  const original = await startPostgres(options(moved));
  await query(original.url(), 'UPDATE kept SET value = 8');
  const copied = await startPostgres(options(copy));
  t.equal(await query(copied.url(), 'SELECT value FROM kept'), 7);
  t.equal(await query(original.url(), 'SELECT value FROM kept'), 8);
  await Promise.all([original.stop(), copied.stop()]);
  t.equal(existsSync(dataDir), false, 'nothing is made at the former place');
});

t.test('the start on a copy of a DATA_DIR that names a running database does not disturb it', async (t) => {
  const dataDir = usedFolder(t);
  const running = await startPostgres(options(dataDir));
  const copy = `${dataDir}-copy`;
  mkdirSync(copy);
  for (const file of ['postgres-folder', 'postgres-password', 'database-password']) cpSync(join(dataDir, file), join(copy, file));
  const given = { ...options(copy), reachableDir: options(dataDir).reachableDir };
  const folder = join(dataDir, 'postgres');
  await t.rejects(startPostgres(given), {
    name: 'StartError',
    message: new RegExp(
      `^the database in ${folder} belongs to the DATA_DIR ${dataDir}, and is in use \\(process ${process.pid}\\): .*cp -a`,
    ),
  });
  t.equal(await query(running.url(), 'SELECT 1'), 1);
  t.equal(running.stats().restarts, 0);
  await query(running.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
  await running.stop();
  const before = stateOf(folder);
  const message = await startPostgres(given).then(
    () => 'started',
    (error: Error) => error.message,
  );
  t.match(message, new RegExp(`^the database in ${folder} belongs to the DATA_DIR ${dataDir}: .*cp -a`));
  execFileSync('/bin/sh', ['-c', message.slice(message.indexOf('cp -a'))]);
  const later = await startPostgres(given);
  t.equal(await query(later.url(), 'UPDATE kept SET value = 8 RETURNING value'), 8, 'it has the copy that the message names');
  await later.stop();
  t.strictSame(stateOf(folder), before, 'the original is left as it is');
});

const onlyAsRoot = { skip: IS_ROOT ? false : 'only root keeps the database outside of DATA_DIR' };

t.test(
  'as root, a folder for databases that cannot be made stops the start with one line that names the setting',
  onlyAsRoot,
  async (t) => {
    const dataDir = join(temporaryFolder(t), 'data');
    const given = options(dataDir);
    chmodSync(dataDir, 0o700);
    writeFileSync(`${dataDir}-file`, '');
    const reachableDir = `${dataDir}-file/postgres`;
    await t.rejects(startPostgres({ ...given, reachableDir }), {
      name: 'StartError',
      message: `EMBEDDED_POSTGRES_DIR ${reachableDir} cannot be used: ENOTDIR`,
    });
  },
);

t.test('as root, a copy of DATA_DIR that names a copy of the database outside works on that one', onlyAsRoot, async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const given = options(dataDir);
  chmodSync(dataDir, 0o700);
  const first = await startPostgres(given);
  await query(first.url(), 'CREATE TABLE kept AS SELECT 7 AS value');
  await first.stop();
  const original = readFileSync(join(dataDir, 'postgres-folder'), 'utf8').trim();
  const before = stateOf(original);
  const [copy, elsewhere] = [`${dataDir}-copy`, `${dataDir}-elsewhere`];
  mkdirSync(elsewhere);
  execFileSync('cp', ['-a', dataDir, copy]);
  execFileSync('cp', ['-a', original, elsewhere]);
  const noted = join(elsewhere, basename(original));
  writeFileSync(join(copy, 'postgres-folder'), noted);
  const copied = await startPostgres({ ...given, dataDir: copy });
  t.equal(await query(copied.url(), 'UPDATE kept SET value = 8 RETURNING value'), 8);
  await copied.stop();
  t.equal(readFileSync(join(copy, 'postgres-folder'), 'utf8').trim(), noted);
  t.strictSame(stateOf(original), before, 'the original is left as it is');
});

t.test('a password that is not that of the database stops the start with one line that names the folder and the file', async (t) => {
  const dataDir = usedFolder(t);
  const file = join(dataDir, 'postgres-password');
  writeFileSync(file, 'another\n');
  const folder = join(dataDir, 'postgres/data');
  await t.rejects(startPostgres(options(dataDir)), {
    name: 'StartError',
    message: new RegExp(`^${file} is not the password of the database in ${folder}: .* mv '${folder}' '${folder}-earlier'$`),
  });
  t.strictSame(serversOn(folder), []);
});

t.test('the service owns its database without being a superuser, and takes over every object that a superuser made', async (t) => {
  const dataDir = usedFolder(t);
  const first = await startPostgres(options(dataDir));
  t.equal(await query(first.url(), 'SHOW is_superuser'), 'off');
  await t.rejects(query(first.url(), 'CREATE ROLE other SUPERUSER'), { code: '42501' });
  await t.rejects(query(first.url(), "COPY (SELECT 1) TO PROGRAM 'true'"), { code: '42501' });
  // The state after a release that worked as superuser.
  const superuser = first.superuserUrl('link_service');
  for (const statement of [
    'ALTER DATABASE link_service OWNER TO postgres',
    'CREATE TABLE kept (id bigint GENERATED ALWAYS AS IDENTITY, plain serial, day date) PARTITION BY RANGE (day)',
    "CREATE TABLE kept_today PARTITION OF kept FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
    'CREATE SEQUENCE apart',
    "CREATE TYPE mood AS ENUM ('good')",
    'CREATE VIEW seen AS SELECT * FROM kept',
    'CREATE FUNCTION twice(integer) RETURNS integer LANGUAGE sql RETURN $1 * 2',
  ])
    await query(superuser, statement);
  await first.stop();
  const second = await startPostgres(options(dataDir));
  t.equal(
    await query(
      second.url(),
      `SELECT count(*)::integer FROM (
         SELECT relowner AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace
         UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'public'::regnamespace) all_objects
       WHERE owner <> 'link_service'::regrole`,
    ),
    0,
  );
  await query(second.url(), "INSERT INTO kept (day) VALUES ('2026-06-01')");
  await query(second.url(), 'ALTER TABLE kept ADD COLUMN more text');
  await second.stop();
});

t.test('PostgreSQL runs as an ordinary user with an empty HOME', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  options(dataDir);
  const ordinary = serverUser(null); // if root: the account that PostgreSQL itself would run as
  if (ordinary !== null) chownSync(dataDir, ordinary.uid, ordinary.gid);
  const parent = await startParent(dataDir, ordinary === null ? {} : { uid: ordinary.uid, gid: ordinary.gid });
  t.equal(await query(parent.url, 'SELECT 1'), 1);
  t.equal(statSync(join(dataDir, 'postgres-password')).uid, ordinary?.uid ?? process.getuid?.());
  await end(parent.child, 'SIGTERM');
  t.strictSame(serversOn(join(dataDir, 'postgres/data')), []);
});
