import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { MESSAGES_VERSION } from '../processes/messages.js';
import { readLink } from '../store/generations.js';

/**
 * Where the socket of the answers is. Paths of sockets are short (104 to 108 bytes) and DATA_DIR need not be: so the
 * socket lies in a folder of its own below the system's temporary one, which no other user can enter, and a symbolic link
 * in DATA_DIR names it. The link's own name tells the version of the messages, so that processes of two releases that do
 * not understand each other do not meet.
 */
const FOLDER_PREFIX = 'link-service-';

function placeOf(dataDir: string): string {
  return join(dataDir, 'engine', `previews-${MESSAGES_VERSION}.socket`);
}

/** A path for a socket, in a folder made for it (mode 700). */
export function newSocketPath(): string {
  return join(mkdtempSync(join(tmpdir(), FOLDER_PREFIX)), 'socket');
}

/** Makes the socket the one that is found, in one step. What a killed process left behind goes. */
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

/** Where to ask; null if nobody has been there yet. */
export function findSocket(dataDir: string): string | null {
  return readLink(placeOf(dataDir));
}

/** Removes the socket and its folder, where it is one that `newSocketPath` made. */
export function removeSocket(path: string): void {
  const folder = dirname(path);
  if (basename(folder).startsWith(FOLDER_PREFIX) && dirname(folder) === tmpdir()) rmSync(folder, { recursive: true, force: true });
}
