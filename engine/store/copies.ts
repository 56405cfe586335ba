import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder } from '../../shared/base/process-lock.js';
import { CODEC_VERSION } from '../../shared/feed/codec.js';

/**
 * The host's copies of what the database holds, one folder for each version of the codec that ever ran here:
 *
 *     DATA_DIR/copy-5/store      the configuration (generations.ts)
 *     DATA_DIR/copy-5/answers    answers of metadata APIs, laid out in the same way
 *     DATA_DIR/copy-5/writer     the lock of the one process that writes them
 *
 * Two releases with different versions run side by side on one DATA_DIR, each with a folder of its own: neither reads,
 * changes or removes what the other one serves from. A copy is removed when its release has left the host.
 */
const LOCK = 'writer';
const FOLDER_NAME = /^copy-\d+$/;

/** The copy's place before its name told the version. */
const UNVERSIONED = ['store', 'answers'];

/** The name of this version's folder. */
export function copyFolderName(): string {
  return `copy-${CODEC_VERSION}`;
}

export function storeFolder(dataDir: string): string {
  return join(dataDir, copyFolderName(), 'store');
}

export function answersFolder(dataDir: string): string {
  return join(dataDir, copyFolderName(), 'answers');
}

/** Held by the process that writes this version's copy. */
export function copyLock(dataDir: string): string {
  return join(dataDir, copyFolderName(), LOCK);
}

/** Folders of the copies that this release cannot read. */
function otherCopies(dataDir: string): readonly string[] {
  if (!existsSync(dataDir)) return [];
  const isOther = (name: string) => (FOLDER_NAME.test(name) && name !== copyFolderName()) || UNVERSIONED.includes(name);
  return readdirSync(dataDir).filter(isOther);
}

/** Whether the host has served from a copy of another version: what this release cannot read yet, another one can. */
export function hasOtherCopies(dataDir: string): boolean {
  return otherCopies(dataDir).length > 0;
}

/** Removes the copies of other versions that nobody writes. To be called when no other engine runs; returns their names. */
export function removeOtherCopies(dataDir: string): readonly string[] {
  const others = otherCopies(dataDir).filter((name) => lockHolder(join(dataDir, name, LOCK)) === null);
  for (const name of others) rmSync(join(dataDir, name), { recursive: true, force: true });
  return others;
}
