import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { serverUser } from '../../deploy/local/server-user.js';
import { blocksOf, hasBackupPrograms } from '../support/backup-machine.js';
import { debianPostgres } from '../support/debian-postgres.js';
import { freePort } from '../support/free-port.js';
import {
  asSuperuser,
  type Cluster,
  hasPair,
  type Member,
  ownFolder,
  primaryOf,
  settingsOf,
  startEtcd,
  startMember,
  startPatroni,
  untilWhole,
} from '../support/postgres-pair.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const PAGE = 'deploy/backup.md';
const BLOCKS = blocksOf(PAGE);
const START_MS_MAX = 120_000;
/** Enough for a base backup of both servers, and several starts. */
const COMMAND_MS_MAX = 180_000;

async function startCluster(t: Test): Promise<Cluster> {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  writeFileSync(join(folder, 'patroni.yaml'), settingsOf(true));
  writeFileSync(join(folder, 'settings'), 'SECRETS_KEYS=first:x\n', { mode: 0o600 });
  ownFolder(join(folder, 'backup'), user);
  return { t, folder, user, etcdPort: await startEtcd(t, folder, user) };
}

/** Returns a function that runs a block of the page, or other commands, on the host of a member, as the user named in their first line. */
function runner({ t, folder, user, etcdPort }: Cluster) {
  const root = { uid: process.getuid?.(), gid: process.getgid?.() };
  return (member: Member, name: string, more: Readonly<Record<string, string>> = {}): string => {
    const commands = name.startsWith('# as ') ? name : (BLOCKS.get(name) ?? `exit 1 # ${PAGE} has no ${name}`);
    const home = join(folder, member.name);
    const env = {
      PATH: `${debianPostgres()}:${process.env.PATH}`,
      LC_ALL: 'C.UTF-8',
      PGHOST: '/var/run/postgresql',
      PGPORT: String(member.port),
      PGUSER: 'postgres',
      PGDATA: member.dataDir,
      PGOWNER: String(user?.uid ?? process.getuid?.()),
      REPOSITORY: join(folder, 'backup', 'link-service'),
      KEPT_SECRETS: join(folder, 'backup-of-keys'),
      SECRETS_FILE: join(folder, 'settings'),
      PGBACKREST_CONFIG: join(folder, `pgbackrest-${member.name}.conf`),
      PGBACKREST_LOG_PATH: ownFolder(join(home, 'log'), user),
      PGBACKREST_LOCK_PATH: ownFolder(join(home, 'lock'), user),
      PGBACKREST_SPOOL_PATH: ownFolder(join(home, 'spool'), user),
      PATRONI_CONFIG: join(folder, 'patroni.yaml'),
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
      ...more,
    };
    const as = user === null || commands.startsWith('# as root') ? root : { uid: user.uid, gid: user.gid };
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      cwd: '/',
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      env,
      ...as,
    });
    t.equal(status, 0, `${name}: ${stdout}${stderr}`);
    return stdout;
  };
}

const wordsOf = async (member: Member) =>
  (await asSuperuser<{ word: string }>(member, ['SELECT word FROM words ORDER BY word'])).map(({ word }) => word);

t.test('a pair of servers is restored to a point in time, and the standby follows again', async (t) => {
  if (!hasPair(t) || !hasBackupPrograms(t)) return;
  const cluster = await startCluster(t);
  const run = runner(cluster);
  const first = await startMember(cluster, 'postgres-1');
  await until(() => primaryOf([first]), 'the first server to be primary', START_MS_MAX);
  const second = await startMember(cluster, 'postgres-2');
  const members = [first, second];
  await untilWhole(members, true);

  run(first, 'keys');
  for (const member of members) run(member, 'configure');
  run(first, 'pair-archive');
  await untilWhole(members, true);
  await asSuperuser(first, ['CREATE TABLE words (word text)', `INSERT INTO words VALUES ('kept')`]);
  run(first, 'full');
  const [{ second: target } = { second: '' }] = await asSuperuser<{ second: string }>(first, [
    `SELECT (date_trunc('second', now()) + interval '1 second')::text AS second`,
  ]);
  await setTimeout(1_500);
  await asSuperuser(first, [`INSERT INTO words VALUES ('later')`, 'SELECT pg_switch_wal()']);
  await until(async () => (await wordsOf(second)).length === 2, 'the standby to have the row');

  t.comment('both Patronis are stopped, as systemctl would, and PostgreSQL with them');
  await second.patroni.stop();
  await first.patroni.stop();
  run(first, 'rescue');
  // A different port from the one in the restored settings, as on another host.
  const PGPORT = String(await freePort());
  run(first, 'pair-restore', { TARGET: target, PGPORT });
  t.equal(run(first, '# as postgres\npsql -d postgres -Atc "SELECT word FROM words"', { PGPORT }), 'kept\n');
  run(first, 'pair-forget');
  first.patroni = await startPatroni(cluster, first);
  await until(() => primaryOf([first]), 'the restored server to be primary', START_MS_MAX);

  run(second, 'pair-aside');
  second.patroni = await startPatroni(cluster, second);
  await untilWhole(members, true);
  await asSuperuser(first, [`INSERT INTO words VALUES ('new')`]);
  await until(async () => (await wordsOf(second)).join() === 'kept,new', 'the standby to follow the restored server');
  t.match(
    await asSuperuser(second, ['SHOW archive_command']),
    [{ archive_command: /archive-push/ }],
    'the archive command is set on the standby',
  );
  run(first, 'full');
});
