import { type ChildProcessByStdio, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { serverUser } from '../../deploy/local/server-user.js';
import { SettingError } from '../../shared/base/settings.js';
import { freePort } from '../load/servers.js';

const PAGE = fileURLToPath(new URL('../../../deploy/backup.md', import.meta.url));
const RELEASES = '/usr/lib/postgresql';

/** The settings of deploy/compose.yaml, for 2 GB of memory; durable, as in the field. */
const SETTINGS = `
unix_socket_directories = '%s'
listen_addresses = '127.0.0.1'
shared_buffers = 512MB
maintenance_work_mem = 128MB
random_page_cost = 1.1
max_wal_size = 2GB
wal_compression = on
max_connections = 150
`;

/** A host of PostgreSQL with pgBackRest, on which the commands of deploy/backup.md are run as written there. */
export interface DatabaseHost {
  readonly databaseUrl: string;
  /** Runs commands of the page, by their name there, or others. Resolves with their output. */
  run(commands: string, variables?: Variables): Promise<string>;
  /** Returns the size of the newest backup in the repository. */
  backupBytes(): Promise<number>;
  /** Returns the size of the backups and the log. */
  repositoryBytes(): number;
  /** Kills the server and takes its disk away. */
  lose(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it at once, for a bench that is interrupted. The server is a daemon, which would outlive the bench. */
  kill(): void;
}

function programs(): string {
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES).map(Number) : [];
  const found = join(RELEASES, String(releases.includes(15) ? 15 : Math.max(...releases)), 'bin');
  if (!existsSync(join(found, 'postgres')) || !existsSync('/usr/bin/pgbackrest'))
    throw new SettingError('restore needs PostgreSQL and pgBackRest of Debian: apt-get install -y postgresql pgbackrest');
  return found;
}

/** The part of `pgbackrest info` that is read here. */
interface Stanza {
  readonly backup: readonly { readonly info: { readonly repository: { readonly size: number } } }[];
}

/** Throws a `SettingError` if the disk has less free space. */
export function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = (value: number) => (value / 1e9).toFixed(0);
  if (bavail * bsize < bytes)
    throw new SettingError(`${folder} has ${gigabytes(bavail * bsize)} GB free, and ${gigabytes(bytes)} GB are needed; see --data`);
}

export async function startDatabaseHost(home: string): Promise<DatabaseHost> {
  const { variables, options } = await makeHome(home, programs());
  const run = runnerOf(options);
  await run('initdb -D "$PGDATA" -U postgres --encoding=UTF8 --auth=trust');
  const settings = `port = ${variables.PGPORT}${SETTINGS.replace('%s', variables.PGHOST)}`;
  await run('printf "%s" "$SETTINGS" >> "$PGDATA/postgresql.conf"', { SETTINGS: settings });
  await run('pg_ctl -D "$PGDATA" -w -l "$PGDATA/server.log" start && createdb link_service');
  return {
    databaseUrl: `postgres://postgres@127.0.0.1:${variables.PGPORT}/link_service`,
    run,
    async backupBytes() {
      const [stanza] = JSON.parse(await run('pgbackrest --stanza=link-service --output=json info')) as readonly Stanza[];
      return stanza?.backup.at(-1)?.info.repository.size ?? Number.NaN;
    },
    repositoryBytes: () => diskUsage(variables.REPOSITORY),
    async lose() {
      await run('pg_ctl -D "$PGDATA" -m immediate stop');
      await run('rescue');
      await run('rm -r "$PGDATA"');
    },
    async stop() {
      await run('pg_ctl -D "$PGDATA" -w -m immediate stop || true');
    },
    kill() {
      spawnSync('pg_ctl', ['-D', variables.PGDATA, '-m', 'immediate', 'stop'], options({}));
    },
  };
}

type Variables = Readonly<Record<string, string>>;
type Options = (more: Variables) => SpawnOptions & { env: NodeJS.ProcessEnv };

/** Creates folders of PostgreSQL's user, and the variables of the page. */
async function makeHome(home: string, programs: string) {
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  const own = (name: string): string => {
    mkdirSync(join(home, name), { recursive: true });
    if (user !== null) chownSync(join(home, name), user.uid, user.gid);
    return join(home, name);
  };
  const root = own('postgres');
  const variables = {
    PGHOST: root,
    PGPORT: String(await freePort()),
    PGUSER: 'postgres',
    PGDATA: join(root, 'data'),
    PGCONFIG: join(root, 'data'),
    PGOWNER: String(user?.uid ?? process.getuid?.()),
    REPOSITORY: join(root, 'repository'),
    KEPT_SECRETS: join(root, 'kept-secrets'),
    SECRETS_FILE: join(home, 'settings'),
    PGBACKREST_CONFIG: join(root, 'pgbackrest.conf'),
    PGBACKREST_LOG_PATH: own('postgres/log'),
    PGBACKREST_LOCK_PATH: own('postgres/lock'),
    PGBACKREST_SPOOL_PATH: own('postgres/spool'),
  };
  writeFileSync(variables.SECRETS_FILE, 'SECRETS_KEYS=bench:x\n', { mode: 0o644 });
  const options: Options = (more) => ({
    cwd: '/',
    env: { PATH: `${programs}:${process.env.PATH}`, LC_ALL: 'C', ...variables, ...more },
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  return { variables, options };
}

function runnerOf(options: Options): DatabaseHost['run'] {
  const blocks = new Map(
    [...readFileSync(PAGE, 'utf8').matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name as string, text as string]),
  );
  return async (commands, more = {}) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', blocks.get(commands) ?? commands], {
      ...options(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<null, Readable, Readable>;
    let [printed, said] = ['', ''];
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${commands} ended with ${code}: ${`${printed}${said}`.slice(-2000)}`);
    return printed;
  };
}

/** Returns the disk space that the folder takes. */
function diskUsage(folder: string): number {
  return 1024 * Number.parseInt(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout, 10);
}
