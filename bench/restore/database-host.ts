import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverUser } from '../../deploy/local/server-user.js';
import { SettingError } from '../../shared/base/settings.js';

const PAGE = fileURLToPath(new URL('../../../deploy/backup.md', import.meta.url));
const RELEASES = '/usr/lib/postgresql';

/** As of deploy/compose.yaml, for 2 GB of memory; durable, as in the field. */
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

/** A host of PostgreSQL with pgBackRest, on which the commands of deploy/backup.md are run as they stand there. */
export interface DatabaseHost {
  readonly databaseUrl: string;
  /** Runs commands of the page, by their name there, or others. Resolves with what they print. */
  run(commands: string, variables?: Readonly<Record<string, string>>): Promise<string>;
  /** What the newest backup takes in the repository. */
  backupBytes(): Promise<number>;
  /** Backups and the log. */
  repositoryBytes(): number;
  /** Takes the disk away from a server that is killed. */
  lose(): Promise<void>;
  stop(): Promise<void>;
  /** At once, for a bench that is interrupted: the server is a daemon, which outlives it. */
  kill(): void;
}

function programs(): string {
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES).map(Number) : [];
  const found = join(RELEASES, String(releases.includes(15) ? 15 : Math.max(...releases)), 'bin');
  if (!existsSync(join(found, 'postgres')) || !existsSync('/usr/bin/pgbackrest'))
    throw new SettingError('restore needs PostgreSQL and pgBackRest of Debian: apt-get install -y postgresql pgbackrest');
  return found;
}

/** What `pgbackrest info` says, as far as it is read here. */
interface Stanza {
  readonly backup: readonly { readonly info: { readonly repository: { readonly size: number } } }[];
}

/** Throws a `SettingError` where the disk has less room. */
export function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = (value: number) => (value / 1e9).toFixed(0);
  if (bavail * bsize < bytes)
    throw new SettingError(`${folder} has ${gigabytes(bavail * bsize)} GB free, and ${gigabytes(bytes)} GB are needed; see --data`);
}

export async function startDatabaseHost(home: string): Promise<DatabaseHost> {
  const path = `${programs()}:${process.env.PATH}`;
  const blocks = new Map(
    [...readFileSync(PAGE, 'utf8').matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name as string, text as string]),
  );
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
    REPOSITORY: join(root, 'repository'),
    KEPT_SECRETS: join(root, 'kept-secrets'),
    SECRETS_FILE: join(home, 'settings'),
    PGBACKREST_CONFIG: join(root, 'pgbackrest.conf'),
    PGBACKREST_LOG_PATH: own('postgres/log'),
    PGBACKREST_LOCK_PATH: own('postgres/lock'),
    PGBACKREST_SPOOL_PATH: own('postgres/spool'),
  };
  writeFileSync(variables.SECRETS_FILE, 'SECRETS_KEYS=bench:x\n', { mode: 0o644 });
  const options = (more: Readonly<Record<string, string>>) => ({
    cwd: '/',
    env: { PATH: path, LC_ALL: 'C', ...variables, ...more },
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  const run = async (commands: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', blocks.get(commands) ?? commands], {
      ...options(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    // A server that it starts keeps the pipes open: the end of the command itself counts.
    const [code] = (await once(child, 'exit')) as [number | null];
    child.stdout.destroy();
    child.stderr.destroy();
    if (code !== 0) throw new Error(`${commands} ended with ${code}: ${said.slice(-2000)}`);
    return printed;
  };
  await run('initdb -D "$PGDATA" -U postgres --auth=trust');
  const settings = `port = ${variables.PGPORT}${SETTINGS.replace('%s', root)}`;
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

/** What the folder takes of the disk. */
function diskUsage(folder: string): number {
  return 1024 * Number.parseInt(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout, 10);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
