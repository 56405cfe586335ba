import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder } from '../../shared/base/process-lock.js';
import { CODEC_VERSION } from '../../shared/feed/codec.js';

/**
 * The host's copies of the database's contents, one folder for each version of the codec that ever ran here:
 *
 *     DATA_DIR/copy-5/store      the configuration (generations.ts)
 *     DATA_DIR/copy-5/answers    answers of metadata APIs, laid out in the same way
 *     DATA_DIR/copy-5/writer     the lock of the one process that writes them
 *
 * Two releases with different versions run side by side on one DATA_DIR, each with its own folder: neither reads, changes or
 * removes what the other one serves from. A copy is removed after its release has left the host.
 */
const LOCK = 'writer';
const FOLDER_NAME = /^copy-\d+$/;

/** Where copies were stored before the folder name contained the version. */
const UNVERSIONED = ['store', 'answers'];

/** Returns the name of this version's folder. */
export function copyFolderName(): string {
  return `copy-${CODEC_VERSION}`;
}

export function storeFolder(dataDir: string): string {
  return join(dataDir, copyFolderName(), 'store');
}

export function answersFolder(dataDir: string): string {
  return join(dataDir, copyFolderName(), 'answers');
}

/** The lock held by the process that writes this version's copy. */
export function copyLock(dataDir: string): string {
  return join(dataDir, copyFolderName(), LOCK);
}

/** Returns the folders of the copies that this release cannot read. */
function otherCopies(dataDir: string): readonly string[] {
  if (!existsSync(dataDir)) return [];
  const isOther = (name: string) => (FOLDER_NAME.test(name) && name !== copyFolderName()) || UNVERSIONED.includes(name);
  return readdirSync(dataDir).filter(isOther);
}

/** Whether the host has served from a copy of another version, which that version may still be able to read. */
export function hasOtherCopies(dataDir: string): boolean {
  return otherCopies(dataDir).length > 0;
}

/** Removes the copies of other versions that no process writes. Must be called when no other engine runs. Returns their names. */
export function removeOtherCopies(dataDir: string): readonly string[] {
  const others = otherCopies(dataDir).filter((name) => lockHolder(join(dataDir, name, LOCK)) === null);
  for (const name of others) rmSync(join(dataDir, name), { recursive: true, force: true });
  return others;
}
