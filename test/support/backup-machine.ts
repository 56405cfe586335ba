import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { serverUser } from '../../deploy/local/server-user.js';
import { withClient } from '../../deploy/local/with-client.js';
import { debianPostgres, hasDebianPostgres } from './debian-postgres.js';
import { freePort } from './free-port.js';
import { hasProgram } from './programs.js';
import { readTreeFile } from './source-tree.js';
import { temporaryFolder } from './temporary-folder.js';

const COMMAND_MS_MAX = 120_000;

type Variables = Readonly<Record<string, string>>;

/** Returns the commands of a page, by the word after `sh` at their beginning. */
export function blocksOf(page: string): ReadonlyMap<string, string> {
  const blocks = readTreeFile(page).matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name, text]) => [name as string, text as string]));
}

/** A host of PostgreSQL as deploy/backup.md assumes it. As in Debian's clusters, the configuration is outside of the data. */
export interface BackupMachine {
  readonly variables: Variables &
    Readonly<Record<'BIN' | 'KEPT_SECRETS' | 'LOST_SPOOL' | 'PGBACKREST_CONFIG' | 'PGCONFIG' | 'PGDATA' | 'PGHOST' | 'REPOSITORY', string>>;
  readonly databaseUrl: string;
  /** Returns a folder of PostgreSQL's user. */
  folder(...path: readonly string[]): string;
  /**
   * Runs commands as the user that their first line names, `# as root`, or else as PostgreSQL's. Returns their output.
   * The test fails if they fail.
   */
  run(commands: string, more?: Variables): string;
  /** Like `run`, but returns status and output, whatever they are. */
  attempt(commands: string, more?: Variables): { readonly status: number | null; readonly output: string };
  /** Stops the server if it runs. */
  stop(more?: Variables): void;
  count(table: string): Promise<number>;
}

export function hasBackupPrograms(t: Test): boolean {
  return hasDebianPostgres(t) && hasProgram(t, 'pgbackrest');
}

/** Starts a server without backups, and creates the service's schema in it. */
export async function startMachine(t: Test): Promise<BackupMachine> {
  const home = join(temporaryFolder(t), 'home');
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  const folder = (...path: readonly string[]): string => {
    const folder = join(home, ...path);
    mkdirSync(folder, { recursive: true });
    if (user !== null) chownSync(folder, user.uid, user.gid);
    return folder;
  };
  // Owned by root, like /etc and the disks of other machines: PostgreSQL's user may read them, but not write to them.
  const ofRoot = (name: string): string => {
    const folder = join(home, name);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    return folder;
  };
  const port = String(await freePort());
  const variables = {
    PGHOST: folder(),
    PGPORT: port,
    PGUSER: 'postgres',
    PGDATA: join(home, 'data'),
    PGCONFIG: folder('config'),
    BIN: folder('bin'),
    PGOWNER: String(user?.uid ?? process.getuid?.()),
    REPOSITORY: join(ofRoot('backup'), 'link-service'),
    KEPT_SECRETS: join(ofRoot('backup-of-keys'), 'link-service'),
    SECRETS_FILE: join(ofRoot('etc'), 'settings'),
    LOST_SPOOL: join(home, 'lost', 'spool'),
    PGBACKREST_CONFIG: join(ofRoot('etc'), 'pgbackrest.conf'),
    // Instead of those of the package, which belong to the user `postgres`.
    PGBACKREST_LOG_PATH: folder('log'),
    PGBACKREST_LOCK_PATH: folder('lock'),
    PGBACKREST_SPOOL_PATH: folder('spool'),
  };
  writeFileSync(variables.SECRETS_FILE, 'SECRETS_KEYS=first:x\n');
  chmodSync(variables.SECRETS_FILE, 0o600);
  const start = (commands: string, more: Variables) =>
    spawnSync('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      cwd: '/',
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      env: { PATH: `${variables.BIN}:${debianPostgres()}:${process.env.PATH}`, LC_ALL: 'C', ...variables, ...more },
      ...(user === null || /^# as root\b/.test(commands) ? {} : { uid: user.uid, gid: user.gid }),
    });
  const attempt = (commands: string, more: Variables = {}) => {
    const { status, stdout, stderr } = start(commands, more);
    return { status, output: `${stdout}${stderr}` };
  };
  const run = (commands: string, more: Variables = {}) => {
    const { status, stdout, stderr } = start(commands, more);
    t.equal(status, 0, `${commands}\n${stdout}${stderr}`);
    return stdout;
  };
  const stop = (more: Variables = {}) => void start('pg_ctl -D "$PGDATA" -m immediate stop', more);
  t.teardown(() => stop());
  run(`initdb -D "$PGDATA" -U postgres --encoding=UTF8 --auth=trust >/dev/null
    mv "$PGDATA"/postgresql.conf "$PGDATA"/pg_hba.conf "$PGDATA"/pg_ident.conf "$PGCONFIG"
    printf "port = $PGPORT\\nunix_socket_directories = '$PGHOST'\\nlisten_addresses = '127.0.0.1'\\nfsync = off\\n" >> "$PGCONFIG/postgresql.conf"
    printf "data_directory = '$PGDATA'\\n" >> "$PGCONFIG/postgresql.conf"
    pg_ctl -D "$PGCONFIG" -w -l "$PGDATA/server.log" start >/dev/null
    createdb link_service`);
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/link_service`;
  await migrate(databaseUrl);
  return { variables, databaseUrl, folder, run, attempt, stop, count: (table) => countRows(databaseUrl, table) };
}

/** Returns a second that is over when this resolves, and that had begun when it was called. */
export async function secondOf({ run }: BackupMachine): Promise<string> {
  const second = run(`psql -d postgres -Atc "SELECT date_trunc('second', now()) + interval '1 second'"`).trim();
  await setTimeout(1_500);
  return second;
}

function countRows(databaseUrl: string, table: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`);
    return rows[0]?.count ?? 0;
  });
}
