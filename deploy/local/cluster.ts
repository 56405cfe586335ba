import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Binaries, findBinaries } from './binaries.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';
import { canWriteIn, runAs, type ServerUser, serverUser } from './server-user.js';
import { StartError } from './start-error.js';

export interface ClusterOptions {
  /** Folder the state is kept in (DATA_DIR). */
  readonly dataDir: string;
  /** Where data and binaries go when the server's user cannot reach `dataDir`; only ever used as root. */
  readonly reachableDir: string;
  /** false leaves out every flush to disk: for tests, whose data nobody misses. */
  readonly durable: boolean;
  /** Told what is being done, step by step, while a new database is prepared. */
  readonly progress: (step: string) => void;
}

/** A database cluster on disk that is ready to be started. */
export interface Cluster {
  readonly binaries: Binaries;
  readonly user: ServerUser | null;
  /** Its real path, as PostgreSQL itself writes it. */
  readonly folder: string;
  readonly password: string;
}

export const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;

/**
 * DATA_DIR/postgres, or as root, where the server's user may not enter DATA_DIR, a folder of the same name's hash that it
 * may. The choice is written down, so that a later start finds the same data whatever the folders' modes have become.
 */
function clusterParent(options: ClusterOptions): { parent: string; user: ServerUser | null } {
  const note = join(options.dataDir, 'postgres-folder');
  const noted = readPrivateFile(note);
  if (noted !== null) {
    const folder = statSync(join(noted, 'data'), { throwIfNoEntry: false });
    if (folder !== undefined) return { parent: noted, user: serverUser(folder.uid) };
  }
  const user = serverUser(null);
  const parent = noted ?? chooseParent(options, user);
  prepareFolder(parent, user);
  if (!canWriteIn(parent, user)) throw new StartError(`user ${user?.name ?? 'of this process'} cannot write in ${parent}`);
  writePrivateFile(note, parent);
  return { parent, user };
}

function chooseParent(options: ClusterOptions, user: ServerUser | null): string {
  const inside = join(realpathSync(options.dataDir), 'postgres');
  if (user === null) return inside;
  prepareFolder(inside, user);
  if (canWriteIn(inside, user)) return inside;
  rmSync(inside, { recursive: true });
  mkdirSync(options.reachableDir, { recursive: true });
  chmodSync(options.reachableDir, 0o755); // whatever the umask
  const name = createHash('sha256').update(inside).digest('hex').slice(0, 16);
  return join(options.reachableDir, name);
}

function prepareFolder(folder: string, user: ServerUser | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

function readOrMakePassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password');
  const kept = readPrivateFile(file);
  if (kept !== null) return kept;
  const made = randomBytes(PASSWORD_BYTES).toString('base64url');
  writePrivateFile(file, made);
  return made;
}

/** `initdb` says "running bootstrap script ... ok": each such line is a step. */
function runInitdb(cluster: Omit<Cluster, 'folder'>, target: string, passwordFile: string, options: ClusterOptions): Promise<void> {
  const flags = [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Byte order and Unicode case rules on every machine alike; no locale has to be installed.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(cluster.binaries.initdb, flags, { ...runAs(cluster.user), stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (said + chunk).split('\n');
      said = lines.pop() ?? '';
      for (const line of lines) if (line.endsWith(' ... ok')) options.progress(line.slice(0, -' ... ok'.length));
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new StartError(`initdb failed (${signal ?? code}): ${complaint.trim().replaceAll('\n', '; ')}`));
    });
  });
}

const UNFINISHED = 'unfinished-';

/**
 * Made in a folder of its own and renamed when it is whole: a start that is killed meanwhile is simply begun again. The
 * folder has a name that was never used before, since the initdb of a killed start goes on writing into its own.
 */
async function createCluster(parent: string, cluster: Omit<Cluster, 'folder'>, options: ClusterOptions): Promise<void> {
  const unfinished = mkdtempSync(join(parent, UNFINISHED));
  const passwordFile = join(unfinished, 'password');
  writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (cluster.user !== null) for (const path of [unfinished, passwordFile]) chownSync(path, cluster.user.uid, cluster.user.gid);
  await runInitdb(cluster, join(unfinished, 'data'), passwordFile, options);
  renameSync(join(unfinished, 'data'), join(parent, 'data'));
}

/** What killed starts have left unfinished, and this one has just emptied. */
function removeUnfinished(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(UNFINISHED))) {
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch (error) {
      // An initdb that has outlived its start still writes there: a later start removes it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Finds the cluster of `dataDir`, making it where there is none yet. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { parent, user } = clusterParent(options);
  const binaries = findBinaries(user, options.reachableDir, options.progress);
  const password = readOrMakePassword(options.dataDir);
  const folder = join(parent, 'data');
  try {
    if (!existsSync(folder)) await createCluster(parent, { binaries, user, password }, options);
  } finally {
    removeUnfinished(parent);
  }
  checkVersion(folder, binaries);
  return { binaries, user, password, folder: realpathSync(folder) };
}

function checkVersion(folder: string, binaries: Binaries): void {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (made !== major)
    throw new StartError(
      `${folder} was made by PostgreSQL ${made} and this is ${major}: dump it with the old version and restore it, or set DATABASE_URL`,
    );
}
