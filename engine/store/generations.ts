import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../shared/base/clock.js';

/**
 * The store's folder (copies.ts). One LMDB folder per generation, and `CURRENT`, a symbolic link that names the one to read:
 *
 *     store/CURRENT -> m5x2k1-9f3a77c2
 *     store/BUILDING -> m5x9p0-03d1f4aa   the generation that is being filled, if any; a bootstrap goes on with it
 *     store/m5x2k1-9f3a77c2/{data.mdb,lock.mdb,bytes,checking}
 *     store/m5x2k1-9f3a77c2.suspect     a reader met something it could not read
 *     store/damaged/                    the last generation that was moved aside, for inspection
 *
 * A symbolic link because reading it is one system call that gives the whole answer, and renaming one over another is
 * atomic. Names are never used twice: a reader that still holds a deleted generation sees that the name is another.
 */
const POINTER = 'CURRENT';
const BUILDING_POINTER = 'BUILDING';

/** What `CURRENT` names after a generation was moved aside and before the next one is there: readers close what they have. */
export const NO_GENERATION = 'none';

/** The size that the writer has seen `data.mdb` have: LMDB never makes the file smaller. */
const BYTES_FILE = 'bytes';

/** Stands while a generation that was found on disk is opened and read through for the first time. */
const CHECKING_FILE = 'checking';

export function newGenerationName(clock: Clock): string {
  return `${clock().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** The name that `CURRENT` holds; null if there is none. */
export function readPointer(folder: string): string | null {
  return readLink(join(folder, POINTER));
}

/** The name of the generation that is being filled; null if there is none. */
export function readBuilding(folder: string): string | null {
  return readLink(join(folder, BUILDING_POINTER));
}

/** What the symbolic link names; null if there is none. */
export function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    // ENOENT: nothing was ever built, or the folder was deleted. EINVAL: a plain file stands there, which is not ours.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EINVAL' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Makes `CURRENT` name the generation, durably, in one step for every reader. */
export function swapPointer(folder: string, generation: string): void {
  replaceLink(join(folder, POINTER), generation);
  syncFolder(folder);
}

/** Makes `BUILDING` name the generation, or nothing. Not durably: after a power loss nobody goes on with it. */
export function noteBuilding(folder: string, generation: string | null): void {
  const pointer = join(folder, BUILDING_POINTER);
  if (generation === null) rmSync(pointer, { force: true });
  else replaceLink(pointer, generation);
}

function replaceLink(pointer: string, generation: string): void {
  const temporary = `${pointer}.${randomBytes(4).toString('hex')}`;
  symlinkSync(generation, temporary);
  try {
    renameSync(temporary, pointer);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a finished generation durable: data, its noted size, and the names of both. Off the event loop: the data may be gigabytes. */
export async function syncGeneration(folder: string, generation: string): Promise<void> {
  const file = await open(join(folder, generation, 'data.mdb'), 'r+');
  try {
    noteBytes(folder, generation, (await file.stat()).size);
    await file.sync();
  } finally {
    await file.close();
  }
  syncFolder(join(folder, generation));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Size and identity of the generation's data file; null if it is gone. */
export function dataFile(folder: string, generation: string): { readonly bytes: number; readonly inode: number } | null {
  const found = statSync(join(folder, generation, 'data.mdb'), { throwIfNoEntry: false });
  return found === undefined ? null : { bytes: found.size, inode: found.ino };
}

/** Notes the data file's size, so that a process that opens it later can detect that it was cut short. */
export function noteBytes(folder: string, generation: string, bytes: number): void {
  writeFileSync(join(folder, generation, BYTES_FILE), String(bytes));
}

/**
 * Whether the data file has at least the bytes it once had. Opening or reading a shorter one would end the process with
 * SIGBUS, which nothing can catch.
 */
export function isWhole(folder: string, generation: string): boolean {
  const file = dataFile(folder, generation);
  const noted = join(folder, generation, BYTES_FILE);
  return file !== null && existsSync(noted) && file.bytes >= Number(readFileSync(noted, 'utf8'));
}

export function startCheck(folder: string, generation: string): void {
  writeFileSync(join(folder, generation, CHECKING_FILE), '');
}

export function endCheck(folder: string, generation: string): void {
  rmSync(join(folder, generation, CHECKING_FILE), { force: true });
}

/** True where the process that last opened the generation died while it read it through for the first time. */
export function diedInCheck(folder: string, generation: string): boolean {
  return existsSync(join(folder, generation, CHECKING_FILE));
}

function damageReportFile(folder: string, generation: string): string {
  return join(folder, `${generation}.suspect`);
}

/** A reader's word to the writer, which looks for it at every poll. */
export function reportDamage(folder: string, generation: string, reason: string): void {
  writeFileSync(damageReportFile(folder, generation), `${reason}\n`);
}

/** Why a reader distrusts the generation, or null. */
export function reportedDamage(folder: string, generation: string): string | null {
  const file = damageReportFile(folder, generation);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Takes the generation out of use and keeps it for inspection in place of the one kept before. */
export function moveAside(folder: string, generation: string): void {
  if (readPointer(folder) === generation) swapPointer(folder, NO_GENERATION);
  if (!existsSync(join(folder, generation))) return;
  const damaged = join(folder, 'damaged');
  rmSync(damaged, { recursive: true, force: true });
  renameSync(join(folder, generation), damaged);
}

/**
 * Removes every generation that is neither named by `CURRENT` or `BUILDING` nor in `keep`. A process that still has one open
 * keeps its bytes until it lets go.
 */
export function removeOthers(folder: string, keep: readonly string[]): void {
  const kept = new Set([...keep, readPointer(folder), readBuilding(folder), POINTER, BUILDING_POINTER, 'damaged']);
  for (const name of readdirSync(folder)) {
    const generation = name.endsWith('.suspect') ? name.slice(0, -'.suspect'.length) : name;
    if (!kept.has(generation)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

export function makeStoreFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
}
