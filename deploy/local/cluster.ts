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
import { stopStaleServer } from './stale-server.js';
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
  /** Of the superuser. */
  readonly password: string;
  /** Of the role that owns the service's database. */
  readonly ownerPassword: string;
}

/** What initdb needs to know. */
type NewCluster = Pick<Cluster, 'binaries' | 'user' | 'password'>;

export const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;

interface ClusterPlace {
  /** Folder that holds `data`. */
  readonly parent: string;
  readonly user: ServerUser | null;
}

/**
 * DATA_DIR/postgres; or, when root starts it, a folder of `reachableDir`, since DATA_DIR is closed to the user that the
 * server runs as. The choice is written down, so that a later start finds the same data whatever the folders' modes are.
 */
async function findPlace(options: ClusterOptions): Promise<ClusterPlace> {
  const note = join(options.dataDir, 'postgres-folder');
  const noted = readPrivateFile(note);
  if (noted !== null) {
    const owner = ownerOfData(noted);
    if (owner !== null && canWriteIn(noted, owner.user)) return { parent: noted, user: owner.user };
    const moved = reachableFolder(options);
    if (owner !== null) await moveOut(noted, moved, options);
    const arrived = ownerOfData(moved);
    if (arrived !== null) {
      writePrivateFile(note, moved);
      return { parent: moved, user: arrived.user };
    }
  }
  const user = serverUser(null);
  const parent = noted ?? chooseParent(options, user);
  prepareFolder(parent, user);
  if (!canWriteIn(parent, user)) throw new StartError(`user ${user?.name ?? 'of this process'} cannot write in ${parent}`);
  writePrivateFile(note, parent);
  return { parent, user };
}

/** Null if there is no data. A null user is this process's own. */
function ownerOfData(parent: string): { readonly user: ServerUser | null } | null {
  const data = statSync(join(parent, 'data'), { throwIfNoEntry: false });
  return data === undefined ? null : { user: serverUser(data.uid) };
}

function folderInside({ dataDir }: ClusterOptions): string {
  return join(realpathSync(dataDir), 'postgres');
}

/** Named after DATA_DIR, so that several of them have one each. */
function reachableFolder(options: ClusterOptions): string {
  const name = createHash('sha256').update(folderInside(options)).digest('hex').slice(0, 16);
  return join(options.reachableDir, name);
}

/**
 * Earlier releases left DATA_DIR open for the server's user to pass through. It is closed now, and the database moves to
 * where that user may go. A start that is killed here finds the data at either place.
 */
async function moveOut(from: string, to: string, { reachableDir, progress }: ClusterOptions): Promise<void> {
  // A server that is left over goes on in a moved folder, and would not be found there.
  await stopStaleServer(join(from, 'data'), progress);
  openToEverybody(reachableDir);
  progress(`moving the database from ${from} to ${to}, where PostgreSQL's user may enter`);
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EXDEV') throw error;
    throw new StartError(`the database cannot stay in DATA_DIR, which is private, and ${to} is on another disk: run mv '${from}' '${to}'`);
  }
}

function chooseParent(options: ClusterOptions, user: ServerUser | null): string {
  const inside = folderInside(options);
  if (user === null) return inside;
  prepareFolder(inside, user);
  if (canWriteIn(inside, user)) return inside;
  rmSync(inside, { recursive: true });
  openToEverybody(options.reachableDir);
  const folder = reachableFolder(options);
  if (!existsSync(join(folder, 'data'))) return folder;
  // Of a DATA_DIR that was removed, with the passwords. It may be all that is left of somebody's data.
  options.progress(`keeping the database of an earlier DATA_DIR in ${folder}`);
  return `${folder}-${randomBytes(4).toString('hex')}`;
}

/** Everybody may enter and list it, whatever this process's umask is. What lies in there is private. */
function openToEverybody(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

function prepareFolder(folder: string, user: ServerUser | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

function readOrMakePassword(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  const kept = readPrivateFile(file);
  if (kept !== null) return kept;
  const made = randomBytes(PASSWORD_BYTES).toString('base64url');
  writePrivateFile(file, made);
  return made;
}

/** `initdb` says "running bootstrap script ... ok": each such line is a step. */
function runInitdb(cluster: NewCluster, target: string, passwordFile: string, options: ClusterOptions): Promise<void> {
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
async function createCluster(parent: string, cluster: NewCluster, options: ClusterOptions): Promise<void> {
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

/** Finds the cluster of `dataDir`, making it if there is none yet. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { parent, user } = await findPlace(options);
  const binaries = findBinaries(user, options.reachableDir, options.progress);
  const password = readOrMakePassword(options.dataDir, 'postgres-password');
  const ownerPassword = readOrMakePassword(options.dataDir, 'database-password');
  const folder = join(parent, 'data');
  try {
    if (!existsSync(folder)) await createCluster(parent, { binaries, user, password }, options);
  } finally {
    removeUnfinished(parent);
  }
  checkVersion(folder, binaries);
  return { binaries, user, password, ownerPassword, folder: realpathSync(folder) };
}

function checkVersion(folder: string, binaries: Binaries): void {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (made !== major)
    throw new StartError(
      `${folder} was created by PostgreSQL ${made}, but this is PostgreSQL ${major}: dump it with the old version and restore it, or set DATABASE_URL`,
    );
}
