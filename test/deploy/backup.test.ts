import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type BackupMachine, blocksOf, hasBackupPrograms, secondOf, startMachine } from '../support/backup-machine.js';
import { startControlPlane } from '../support/control-plane.js';
import { freePort } from '../support/free-port.js';
import { readTreeFile } from '../support/source-tree.js';
import { type Stack, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

const PAGE = 'deploy/backup.md';
const BLOCKS = blocksOf(PAGE);
const block = (name: string): string => BLOCKS.get(name) ?? `exit 1 # ${PAGE} has no ${name}`;

t.test('the page has exactly these blocks of commands, each with a name', async (t) => {
  const run = ['keys', 'configure', 'archive', 'full', 'watch', 'stop', 'rescue', 'restore', 'numbers', 'elsewhere', 'spool'];
  // test/fault/restored-pair.test.ts runs the commands of a pair of servers, and test/deploy/backup-with-compose.test.ts those of Compose.
  t.same(
    [...BLOCKS.keys()].filter((name) => !/^(?:pair|compose)-/.test(name)),
    run,
  );
  t.equal([...readTreeFile(PAGE).matchAll(/^```\w/gm)].length, BLOCKS.size, 'every block has a name');
});

/** The command that systemd runs for a unit. */
function commandOf(unit: string, instance: string): string {
  const command = /^ExecStart=(.*)$/m.exec(readTreeFile(`deploy/systemd/${unit}`))?.[1];
  return (command ?? 'exit 1').replaceAll('%i', instance).replaceAll('/usr/bin/', '');
}

/** The service on the machine's database, with functions to use it. */
async function startService(t: Test, { databaseUrl }: BackupMachine) {
  const stack = await startStack(t, { databaseUrl, processes: 1 });
  return {
    stack,
    async make(path: string) {
      const link = { path, destinations: { web: 'https://example.com/' } };
      t.equal((await stack.controlPlane.call(stack.project, 'POST', '/links', link)).status, 201);
      await until(async () => (await visit(stack, path)) === 302, `the link ${path}`);
    },
    visit: (path: string) => visit(stack, path),
    async bootstraps() {
      return Number(/^config_sync_bootstraps_total\{[^}]*\} (\d+)$/m.exec(await stack.engine.metrics())?.[1]);
    },
  };
}

/** Uses a new connection for each visit, because commands block this process for seconds, and the engine closes idle connections. */
async function visit(stack: Stack, path: string): Promise<number> {
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  const { status } = await visitor.visit(`/${path}`).finally(visitor.close);
  return status;
}

t.test('a restore returns to a point in time, engines follow the restored database, and later clicks are stored again', async (t) => {
  if (!hasBackupPrograms(t)) return;
  const machine = await startMachine(t);
  const { run, count } = machine;
  setUp(t, machine);
  const { stack, make, visit, bootstraps } = await startService(t, machine);
  await make('kept');
  run(block('full'));
  run(commandOf('link-service-backup@.service', 'diff'));
  await make('also-kept');
  run(commandOf('link-service-backup@.service', 'incr'));

  const target = await secondOf(machine);
  await make('later');
  for (let times = 0; times < 20; times++) await visit('kept');
  await until(async () => (await count('clicks')) >= 23, 'the clicks in the click log');
  const before = await count('clicks');
  const [linksBefore, bootstrapsBefore] = [await count('links'), await bootstraps()];
  const afterwards = await secondOf(machine);
  await make('last');
  run('psql -d postgres -c "SELECT pg_switch_wal()"');
  await until(() => /failed_count +\| 0/.test(run(block('watch'))), 'the WAL in the repository');
  t.match(run(block('watch')), /status: ok[\s\S]*cipher: aes-256-cbc[\s\S]*full backup[\s\S]*diff backup[\s\S]*incr backup/);
  checkVerification(t, machine);

  await stack.controlPlane.kill();
  run(block('stop'));
  t.match(machine.attempt(block('restore'), { TARGET: '2020-01-01 00:00:00+00' }), { status: /[^0]/, output: /ERROR/ });
  t.not(machine.attempt('pg_ctl -D "$PGDATA" status').status, 0, 'a restore that failed starts no server on the old data');
  run(block('restore'), { TARGET: target });
  run(block('numbers'));
  t.equal(await count('links'), linksBefore - 1, 'the link that was made after the point in time is not in the database');
  stack.controlPlane = await startControlPlane(stack.controlPlaneOptions);
  await until(async () => (await visit('later')) === 404, 'the engine to follow the restored database', 60_000);
  t.equal(await visit('kept'), 302);
  t.equal(await visit('also-kept'), 302);
  // Processes report their figures at intervals.
  await until(async () => (await bootstraps()) > bootstrapsBefore, 'the engine to read the configuration again');
  await until(async () => (await count('clicks')) >= before, 'the later clicks to be stored again', 60_000);
  await make('again');
  await stack.engine.whenReady();

  t.comment('lost rows are found by a restore of the old timeline on another host');
  const other = await anotherHost(machine);
  run(block('configure'), other);
  t.teardown(() => machine.stop(other));
  const found = run(block('elsewhere'), { ...other, TARGET: afterwards, TIMELINE: '1' });
  t.match(found, new RegExp(`^ +${linksBefore} \\| `, 'm'), 'the restore on the other host has the later link and not the last one');
  t.equal(run('psql -d postgres -Atc "SHOW archive_mode"', other).trim(), 'off', 'the other host archives nothing');

  t.comment('the disk is lost: a restore brings back everything archived, and the WAL rescued from the dead server');
  await make('newest');
  await stack.controlPlane.kill();
  run(`pg_ctl -D "$PGDATA" -m immediate stop`);
  run(block('rescue'));
  run('mv "$PGDATA" "$PGDATA.lost"');
  run(block('restore').replace(' --type=time --target="$TARGET" --target-action=promote', ''));
  stack.controlPlane = await startControlPlane(stack.controlPlaneOptions);
  await until(
    async () => (await visit('newest')) === 302 && (await count('links')) === linksBefore + 1,
    'the newest link to redirect',
    60_000,
  );
  await make('after-all');
  checkSpoolCommand(t, machine);
});

t.test('every block names the user that runs it', async (t) => {
  for (const [name, text] of BLOCKS) t.match(text, /^# as (?:root|postgres)\b/, name);
});

/** Checks that the unit fails while a file of a backup is missing, and succeeds otherwise. */
function checkVerification(t: Test, { run, attempt, variables }: BackupMachine): void {
  const verify = commandOf('link-service-backup-verify.service', '');
  t.match(run(verify), /status: ok/);
  const full = run(`ls -d '${variables.REPOSITORY}'/backup/link-service/*F/bundle/1`).trim();
  run(`mv '${full}' '${full}.away'`);
  t.match(attempt(verify), { status: /[^0]/, output: /status: error[\s\S]*missing: [1-9]/ });
  run(`mv '${full}.away' '${full}'`);
  run(verify);
}

/** The variables of another host, with a copy of the configuration of PostgreSQL. */
async function anotherHost({ folder, run, variables }: BackupMachine) {
  const PGHOST = folder('other');
  const other = {
    PGHOST,
    PGPORT: String(await freePort()),
    PGDATA: join(PGHOST, 'data'),
    PGCONFIG: folder('other', 'config'),
    PGBACKREST_CONFIG: join(PGHOST, 'pgbackrest.conf'),
    PGBACKREST_LOCK_PATH: folder('other', 'lock'),
    PGBACKREST_SPOOL_PATH: folder('other', 'spool'),
  };
  run(
    `cp '${variables.PGCONFIG}'/* "$PGCONFIG"
    sed -i "s#^data_directory = .*#data_directory = '$PGDATA'#" "$PGCONFIG/postgresql.conf"`,
    other,
  );
  return other;
}

t.test('a restore that pauses because of a lower setting ends with the line that names the setting', async (t) => {
  if (!hasBackupPrograms(t)) return;
  const machine = await startMachine(t);
  const { run, attempt } = machine;
  setUp(t, machine);
  run(block('full'));
  const other = await anotherHost(machine);
  run('echo "max_connections = 120" >> "$PGCONFIG/postgresql.conf"; pg_ctl -D "$PGCONFIG" -w -l "$PGDATA/server.log" restart');
  const TARGET = await secondOf(machine);
  run('createdb later && psql -d postgres -c "SELECT pg_switch_wal()" && pgbackrest --stanza=link-service check');
  run(block('configure'), other);
  t.teardown(() => machine.stop(other));
  t.match(attempt(block('elsewhere'), { ...other, TARGET }), { status: /[^0]/, output: /max_connections = 100 is a lower setting/ });
});

/** Runs the set-up of the page, once. */
function setUp(t: Test, machine: BackupMachine): void {
  const { run, variables } = machine;
  run(block('keys'));
  t.equal(readFileSync(join(variables.KEPT_SECRETS, 'secrets-keys'), 'utf8'), 'SECRETS_KEYS=first:x\n');
  const passphrase = readFileSync(join(variables.KEPT_SECRETS, 'repository-passphrase'), 'utf8');
  run(block('keys'));
  t.equal(readFileSync(join(variables.KEPT_SECRETS, 'repository-passphrase'), 'utf8'), passphrase, 'an existing passphrase is kept');
  checkUnreadable(t, machine);
  run(block('configure'));
  t.equal(statSync(variables.PGBACKREST_CONFIG).mode & 0o777, 0o600);
  run(block('archive'));
}

/** Checks that a block ends with an error if it cannot read a file, and leaves no configuration without a passphrase behind. */
function checkUnreadable(t: Test, { attempt, variables }: BackupMachine): void {
  const missing = { KEPT_SECRETS: join(variables.KEPT_SECRETS, 'nowhere') };
  t.not(attempt(block('configure'), missing).status, 0);
  t.not(attempt(block('keys'), { SECRETS_FILE: join(variables.KEPT_SECRETS, 'nowhere') }).status, 0);
  t.notOk(existsSync(variables.PGBACKREST_CONFIG));
  if (process.getuid?.() !== 0) return;
  // In a shell without -e too, such as an interactive one.
  const asPostgres = (name: string) => `set +e; ${block(name)}`;
  t.match(attempt(asPostgres('configure')), { status: /[^0]/, output: /repository-passphrase: Permission denied/ });
  t.match(attempt(asPostgres('keys')), { status: /[^0]/ });
  t.notOk(existsSync(variables.PGBACKREST_CONFIG));
}

function checkSpoolCommand(t: Test, { run, variables }: BackupMachine): void {
  mkdirSync(variables.LOST_SPOOL, { recursive: true });
  writeFileSync(join(variables.BIN, 'linkd'), `#!/bin/sh\necho "$@"\n`);
  chmodSync(join(variables.BIN, 'linkd'), 0o755);
  t.equal(
    run(block('spool')).trim(),
    `spool ship --dir ${variables.LOST_SPOOL}`,
    'the block calls linkd spool ship, which test/deploy/spool/ship.test.ts tests',
  );
}
