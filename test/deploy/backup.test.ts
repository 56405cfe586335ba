import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { serverUser } from '../../deploy/local/server-user.js';
import { startControlPlane } from '../support/control-plane.js';
import { freePort } from '../support/free-port.js';
import { readTreeFile } from '../support/source-tree.js';
import { startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
/** The commands of the page, by the word behind `sh` where they begin. */
const BLOCKS = new Map(
  [...readTreeFile('deploy/backup.md').matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [
    name as string,
    text as string,
  ]),
);

t.test('the page has these commands, and every one of them is run below', async (t) => {
  t.same([...BLOCKS.keys()], ['archive', 'watch', 'base', 'expire', 'secrets', 'restore', 'recovered', 'spool']);
  t.equal([...readTreeFile('deploy/backup.md').matchAll(/^```\w/gm)].length, BLOCKS.size, 'no block is without a name');
});

/** Runs commands as the user of PostgreSQL, with the variables of the page. */
function shellOf(
  variables: Readonly<Record<string, string>>,
): (name: string, more?: Readonly<Record<string, string>>) => SpawnSyncReturns<string> {
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  return (name, more = {}) =>
    spawnSync('bash', ['-e', '-o', 'pipefail', '-c', BLOCKS.get(name) ?? name], {
      cwd: '/',
      encoding: 'utf8',
      timeout: 120_000,
      env: { PATH: `${variables.BIN}:${PROGRAMS}:${process.env.PATH}`, LC_ALL: 'C', ...variables, ...more },
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    });
}

const skip = existsSync(join(PROGRAMS, 'pg_basebackup')) ? false : 'PostgreSQL 15 of Debian is not installed';

t.test('a restore brings back a second of the past, engines follow it, and clicks of afterwards are stored again', { skip }, async (t) => {
  const dir = temporaryFolder(t);
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  const own = (path: string): string => {
    mkdirSync(path, { recursive: true });
    if (user !== null) chownSync(path, user.uid, user.gid);
    return path;
  };
  const port = String(await freePort());
  const home = own(join(dir, 'home'));
  const variables = {
    BIN: own(join(home, 'bin')),
    PGDATA: join(home, 'data'),
    PGHOST: home,
    PGPORT: port,
    PGUSER: 'postgres',
    BACKUPS: join(home, 'backups'),
    KEPT_SECRETS: join(home, 'kept-secrets'),
    SECRETS_FILE: join(home, 'environment'),
    LOST_SPOOL: own(join(home, 'lost', 'spool')),
  };
  writeFileSync(variables.SECRETS_FILE, 'SECRETS_KEYS=first:x\n');
  chmodSync(variables.SECRETS_FILE, 0o644);
  const shell = shellOf(variables);
  const run = (name: string, more?: Readonly<Record<string, string>>) => {
    const done = shell(name, more);
    t.equal(done.status, 0, `${name}: ${done.stdout}${done.stderr}`);
    return done.stdout;
  };
  t.teardown(() => shell('pg_ctl -D "$PGDATA" -m immediate stop'));
  run(`initdb -D "$PGDATA" -U postgres --auth=trust >/dev/null
    printf "port = $PGPORT\\nunix_socket_directories = '$PGHOST'\\nlisten_addresses = '127.0.0.1'\\nfsync = off\\n" >> "$PGDATA/postgresql.conf"
    pg_ctl -D "$PGDATA" -w -l "$PGDATA/server.log" start >/dev/null`);
  run('archive');
  run('createdb link_service');
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/link_service`;
  await migrate(databaseUrl);

  const stack = await startStack(t, { databaseUrl, processes: 1 });
  const make = async (path: string) =>
    t.equal(
      (await stack.controlPlane.call(stack.project, 'POST', '/links', { path, destinations: { web: 'https://example.com/' } })).status,
      201,
    );
  // A connection each: between two visits commands hold up this process for seconds, and the engine closes idle connections.
  const visit = async (path: string) => {
    const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
    const { status } = await visitor.visit(`/${path}`).finally(visitor.close);
    return status;
  };
  const count = async (table: string): Promise<number> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`)).rows[0]?.count ?? 0;
    } finally {
      await client.end();
    }
  };
  const bootstraps = async () => Number(/^config_sync_bootstraps_total\{[^}]*\} (\d+)$/m.exec(await stack.engine.metrics())?.[1]);
  await make('kept');
  await until(async () => (await visit('kept')) === 302, 'the first link');
  run('base');
  run('secrets');
  t.equal(readFileSync(join(variables.KEPT_SECRETS, 'secrets-keys'), 'utf8'), 'SECRETS_KEYS=first:x\n');

  const target = run(`psql -d postgres -Atc "SELECT date_trunc('second', now()) + interval '1 second'"`).trim();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await make('later');
  await until(async () => (await visit('later')) === 302, 'the link of afterwards');
  for (let times = 0; times < 20; times++) await visit('kept');
  await until(async () => (await count('clicks')) >= 22, 'clicks in the log');
  const before = await count('clicks');
  const [linksBefore, bootstrapsBefore] = [await count('links'), await bootstraps()];
  t.match(run('watch'), /archived_count +\| [1-9]/);
  run('psql -d postgres -c "SELECT pg_switch_wal()"');
  await until(
    () => /failed_count +\| 0/.test(run('watch')) && readdirSync(join(variables.BACKUPS, 'wal')).length > 1,
    'the log in the archive',
  );
  run('expire');

  await stack.controlPlane.kill();
  run('restore', { TARGET: target });
  run('recovered');
  t.equal(await count('links'), linksBefore - 1, 'the link of afterwards is not in the database');
  stack.controlPlane = await startControlPlane(stack.controlPlaneOptions);
  await until(async () => (await visit('later')) === 404, 'the engine to follow the restored database', 60_000);
  t.equal(await visit('kept'), 302);
  // Processes tell their figures once in a while.
  await until(async () => (await bootstraps()) > bootstrapsBefore, 'it has read everything again');
  await until(async () => (await count('clicks')) >= before, 'the clicks of afterwards, once more', 60_000);
  await make('again');
  await until(async () => (await visit('again')) === 302, 'a link that is made afterwards');
  await stack.engine.whenReady();

  writeFileSync(join(variables.BIN, 'linkd'), `#!/bin/sh\necho "$@"\n`);
  chmodSync(join(variables.BIN, 'linkd'), 0o755);
  t.equal(run('spool').trim(), `spool ship --dir ${variables.LOST_SPOOL}`, 'the command itself: test/deploy/spool/ship.test.ts');
});
