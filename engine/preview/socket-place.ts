import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readSymbolicLink } from '../../shared/base/symbolic-link.js';
import { MESSAGES_VERSION } from '../processes/messages.js';

/**
 * Where the socket of the answers is. Socket paths must be short (104 to 108 bytes), but DATA_DIR may be long. So the socket is in
 * a folder of its own below the system's temporary folder, which no other user can enter, and a symbolic link in DATA_DIR points
 * to it. The link's name contains the version of the messages, so that processes of two releases that do not understand each other
 * do not meet.
 */
const FOLDER_PREFIX = 'link-service-';

function placeOf(dataDir: string): string {
  return join(dataDir, 'engine', `previews-${MESSAGES_VERSION}.socket`);
}

/** Returns a path for a socket, in a new folder (mode 700). */
export function newSocketPath(): string {
  return join(mkdtempSync(join(tmpdir(), FOLDER_PREFIX)), 'socket');
}

/** Makes the socket the one that is found, in one step. Removes what a killed process left behind. */
export function announceSocket(dataDir: string, path: string): void {
  const place = placeOf(dataDir);
  mkdirSync(dirname(place), { recursive: true });
  const before = findSocket(dataDir);
  const temporary = `${place}.new`;
  rmSync(temporary, { force: true });
  symlinkSync(path, temporary);
  renameSync(temporary, place);
  if (before !== null && before !== path) removeSocket(before);
}

/** Returns the path of the socket to ask; null if no process has announced one yet. */
export function findSocket(dataDir: string): string | null {
  return readSymbolicLink(placeOf(dataDir));
}

/** Removes the socket and its folder, if `newSocketPath` created it. */
export function removeSocket(path: string): void {
  const folder = dirname(path);
  if (basename(folder).startsWith(FOLDER_PREFIX) && dirname(folder) === tmpdir()) rmSync(folder, { recursive: true, force: true });
}
