import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../shared/base/clock.js';
import { readSymbolicLink } from '../../shared/base/symbolic-link.js';

/**
 * The store's folder (copies.ts). One LMDB folder per generation, and `CURRENT`, a symbolic link that names the one to read:
 *
 *     store/CURRENT -> m5x2k1-9f3a77c2
 *     store/BUILDING -> m5x9p0-03d1f4aa   the generation that is being filled, if any; a bootstrap continues it
 *     store/m5x2k1-9f3a77c2/{data.mdb,lock.mdb,bytes,checking}
 *     store/m5x2k1-9f3a77c2.suspect     a reader found something it could not read
 *     store/damaged/                    the last generation that was moved aside, for inspection
 *
 * It is a symbolic link because one system call reads it completely, and renaming one over another is atomic. Names are never
 * reused, so a reader that still has a deleted generation open sees that the name differs.
 */
const POINTER = 'CURRENT';
const BUILDING_POINTER = 'BUILDING';

/** What `CURRENT` names from when a generation was moved aside until the next one is there: readers close what they have. */
export const NO_GENERATION = 'none';

/** Contains the last size of `data.mdb` that the writer has seen. LMDB never makes the file smaller. */
const BYTES_FILE = 'bytes';

/** Exists while a generation that was found on disk is opened and read completely for the first time. */
const CHECKING_FILE = 'checking';

export function newGenerationName(clock: Clock): string {
  return `${clock().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** Returns the name in `CURRENT`; null if there is none. */
export function readPointer(folder: string): string | null {
  return readSymbolicLink(join(folder, POINTER));
}

/** Returns the name of the generation that is being filled; null if there is none. */
export function readBuilding(folder: string): string | null {
  return readSymbolicLink(join(folder, BUILDING_POINTER));
}

/** Makes `CURRENT` name the generation, durably and atomically for every reader. */
export function swapPointer(folder: string, generation: string): void {
  replaceLink(join(folder, POINTER), generation);
  syncFolder(folder);
}

/** Removes `CURRENT`, so that readers find no generation. */
export function removePointer(folder: string): void {
  rmSync(join(folder, POINTER), { force: true });
}

/** Makes `BUILDING` name the generation, or removes it. Not durable: after a power loss the generation is not continued. */
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

/**
 * Makes a finished generation durable: data, its recorded size, and the names of both. Runs off the event loop, because the
 * data may be gigabytes.
 */
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

/** Returns the size and inode of the generation's data file; null if it is gone. */
export function dataFile(folder: string, generation: string): { readonly bytes: number; readonly inode: number } | null {
  const found = statSync(join(folder, generation, 'data.mdb'), { throwIfNoEntry: false });
  return found === undefined ? null : { bytes: found.size, inode: found.ino };
}

/** Records the data file's size, so that a process that opens it later can detect that it was cut short. */
export function noteBytes(folder: string, generation: string, bytes: number): void {
  writeFileSync(join(folder, generation, BYTES_FILE), String(bytes));
}

/**
 * Whether the data file is at least as large as it once was. Opening or reading a shorter one would end the process with
 * SIGBUS, which cannot be caught.
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

/** Whether the process that last opened the generation died while it read it completely for the first time. */
export function diedInCheck(folder: string, generation: string): boolean {
  return existsSync(join(folder, generation, CHECKING_FILE));
}

function damageReportFile(folder: string, generation: string): string {
  return join(folder, `${generation}.suspect`);
}

/** Reports damage from a reader to the writer, which checks for it at every poll. */
export function reportDamage(folder: string, generation: string, reason: string): void {
  writeFileSync(damageReportFile(folder, generation), `${reason}\n`);
}

/** Returns why a reader distrusts the generation, or null. */
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
 * Removes every generation that is neither named by `CURRENT` or `BUILDING` nor in `keep`. If a process still has one open, its
 * bytes stay until the process closes it.
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
