import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Permissions of the group and of everybody else. */
const OTHERS = 0o077;

/**
 * Makes every file and folder that this process and its children create from now on private to their user: 0600 and
 * 0700, whatever a library asks for (LMDB asks for 0664). Called once, before anything is written.
 */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Removes the permissions of others. Follows no link, and does not change what belongs to another user. */
function takeAccessFromOthers(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink() || stat.uid !== process.getuid?.()) return;
  if ((stat.mode & OTHERS) !== 0) chmodSync(path, stat.mode & 0o700);
}

function takeAccessBelow(folder: string): void {
  takeAccessFromOthers(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) takeAccessBelow(path);
    else takeAccessFromOthers(path);
  }
}

/**
 * Creates the folder of a process's state, accessible only to its user. If the folder already exists, the permissions
 * of others are removed: from the folder itself, and from everything below those of `own` that exist, which are the
 * process's own folders. Nothing else is touched, because an operator may have named a folder that contains other
 * things. Throws the system's error if the folder cannot be used.
 */
export function openPrivateFolder(folder: string, own: readonly string[]): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const present = new Set(readdirSync(folder)); // fails if it is not a folder, before anything is changed
  takeAccessFromOthers(folder);
  for (const name of own) if (present.has(name)) takeAccessBelow(join(folder, name));
}
