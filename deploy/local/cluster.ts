import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
import { folderInside, NOTE, notedPlace, reachableFolder } from './noted-place.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';
import { canWriteIn, runAs, type ServerUser, serverUser } from './server-user.js';
import { stopStaleServer } from './stale-server.js';
import { StartError } from './start-error.js';

export interface ClusterOptions {
  /** The folder of the state (DATA_DIR). */
  readonly dataDir: string;
  /** The folder for data and binaries if the server's user cannot reach `dataDir`. Only used as root. */
  readonly reachableDir: string;
  /** If false, nothing is flushed to disk. This is for tests, whose data may be lost. */
  readonly durable: boolean;
  /** Called with each step while a new database is prepared. */
  readonly progress: (step: string) => void;
}

/** A database cluster on disk that is ready to be started. */
export interface Cluster {
  readonly binaries: Binaries;
  readonly user: ServerUser | null;
  /** The real path, as PostgreSQL itself writes it. */
  readonly folder: string;
  /** The password of the superuser. */
  readonly password: string;
  /** The password of the role that owns the service's database. */
  readonly ownerPassword: string;
}

/** What initdb needs to know. */
type NewCluster = Pick<Cluster, 'binaries' | 'user' | 'password'>;

export const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;

interface ClusterPlace {
  /** The folder that contains `data`. */
  readonly parent: string;
  readonly user: ServerUser | null;
}

/**
 * Returns DATA_DIR/postgres or, if root starts the service, a folder of `reachableDir`, because the user that the server runs as cannot
 * enter DATA_DIR. The choice is stored, so that a later start finds the same data whatever the modes of the folders are.
 */
async function findPlace(options: ClusterOptions): Promise<ClusterPlace> {
  const note = join(options.dataDir, NOTE);
  const noted = notedPlace(note, options, options.progress);
  if (noted !== null) {
    const owner = ownerOfData(noted);
    if (owner !== null && canWriteIn(noted, owner.user)) {
      if (readPrivateFile(note) !== noted) writePrivateFile(note, noted);
      return { parent: noted, user: owner.user };
    }
    const moved = reachableFolder(options);
    if (owner !== null) await moveOut(noted, moved, options);
    const arrived = owner !== null || leftByMove(noted, options) ? ownerOfData(moved) : null;
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

/** Null if there is no data. If `user` is null, it is the user of this process. */
function ownerOfData(parent: string): { readonly user: ServerUser | null } | null {
  const data = statSync(join(parent, 'data'), { throwIfNoEntry: false });
  return data === undefined ? null : { user: serverUser(data.uid, parent) };
}

/**
 * Whether a start was killed between a move and its note. A move takes the whole folder with it. A start that was killed during initdb
 * leaves the folder, and then data at the other place belongs to an earlier DATA_DIR.
 */
function leftByMove(noted: string, options: ClusterOptions): boolean {
  return noted === folderInside(options) && !existsSync(noted);
}

/**
 * Earlier releases left DATA_DIR open so that the server's user could pass through. Now it is closed, and the database moves to a folder
 * that this user may enter. If a start is killed here, the next one finds the data in either place.
 */
async function moveOut(from: string, to: string, { reachableDir, progress }: ClusterOptions): Promise<void> {
  // A server that is left over would keep running in the moved folder, where it would not be found.
  await stopStaleServer(join(from, 'data'), progress);
  openToEverybody(reachableDir);
  progress(`moving the database from ${from} to ${to}, where PostgreSQL's user may enter`);
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const cannotStay = 'the database cannot stay in DATA_DIR, which is private';
    if (code === 'EXDEV') throw new StartError(`${cannotStay}, and ${to} is on another disk: run mv '${from}' '${to}'`);
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new StartError(`${cannotStay}, and ${to} holds the database of an earlier DATA_DIR: run mv '${to}' '${to}-earlier'`);
    throw error;
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
  // It belongs to a DATA_DIR that was removed, together with the passwords. It may be all that is left of somebody's data.
  options.progress(`keeping the database of an earlier DATA_DIR in ${folder}`);
  return `${folder}-${randomBytes(4).toString('hex')}`;
}

/** Lets everybody enter and list the folder, whatever this process's umask is. Its contents are private. */
function openToEverybody(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  } catch (error) {
    throw new StartError(`EMBEDDED_POSTGRES_DIR ${folder} cannot be used: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

function prepareFolder(folder: string, user: ServerUser | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

/** The file with the password of the superuser. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

function readOrMakePassword(file: string): string {
  const kept = readPrivateFile(file);
  if (kept !== null) return kept;
  const made = randomBytes(PASSWORD_BYTES).toString('base64url');
  writePrivateFile(file, made);
  return made;
}

/** `initdb` prints "running bootstrap script ... ok"; each such line is a step. */
function runInitdb(cluster: NewCluster, target: string, file: string, options: ClusterOptions): Promise<void> {
  const flags = [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${file}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Byte order and Unicode case rules are the same on every machine, and no locale has to be installed.
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
 * The cluster is created in a separate folder and renamed when it is complete, so a start that is killed in the meantime is simply
 * repeated. The folder has a new name each time, because the initdb of a killed start keeps writing into its own.
 */
async function createCluster(parent: string, cluster: NewCluster, options: ClusterOptions): Promise<void> {
  const unfinished = mkdtempSync(join(parent, UNFINISHED));
  const file = join(unfinished, 'password');
  writeFileSync(file, `${cluster.password}\n`, { mode: 0o600 });
  if (cluster.user !== null) for (const path of [unfinished, file]) chownSync(path, cluster.user.uid, cluster.user.gid);
  await runInitdb(cluster, join(unfinished, 'data'), file, options);
  renameSync(join(unfinished, 'data'), join(parent, 'data'));
}

/** Removes the unfinished folders of killed starts, and the one that this start has just emptied. */
function removeUnfinished(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(UNFINISHED))) {
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch (error) {
      // An initdb that outlived its start is still writing there. A later start removes the folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Finds the cluster of `dataDir`, and creates it if there is none yet. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { parent, user } = await findPlace(options);
  const binaries = findBinaries(user, options.reachableDir, options.progress);
  const password = readOrMakePassword(passwordFile(options.dataDir));
  const ownerPassword = readOrMakePassword(join(options.dataDir, 'database-password'));
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
