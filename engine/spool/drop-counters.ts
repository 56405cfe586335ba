import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../shared/base/process-identity.js';
import { allocateFile, attempt, lockFile, openWindow } from '../mapped/mapped-file.js';
import { discardFile, listFolder, makeFolder, ownIdentity } from './segment-folder.js';

/**
 * The number of dropped clicks, in a small file for each process, so that the counts survive a killed process. A process that
 * starts takes over the file of one that has ended and continues its counts. So the sum over all files of the folder is the
 * number of clicks ever dropped, and there are no more files than processes.
 *
 * The file has 4096 bytes and is named `<pid>-<start, in hex>-<random>.counters`. It contains "CLKCOUNT", then two 64-bit
 * floats: the clicks dropped because the folder had reached its limit, and those dropped because the system refused to store
 * them.
 */
const SUFFIX = '.counters';
const FILE_BYTES = 4096;
const VALUES_OFFSET = 8;
const MAGIC = Buffer.from('CLKCOUNT', 'latin1');
const BOUND = 0;
const DISK = 1;

export interface DroppedClicks {
  readonly bound: number;
  readonly disk: number;
}

/** The counts of one process. */
export class DropCounters {
  /** A view of the mapped file, or ordinary memory. */
  #values: Float64Array = new Float64Array(2);
  /** The file to write to at each count; null if the values are mapped from the file, or if there is no file yet. */
  #fd: number | null = null;
  #stored = false;
  readonly #dir: string;
  readonly #mapped: boolean;

  constructor(dir: string, mapped: boolean) {
    this.#dir = dir;
    this.#mapped = mapped;
    this.ensureStored();
  }

  count(reason: 'bound' | 'disk'): void {
    const slot = reason === 'bound' ? BOUND : DISK;
    this.#values[slot] = (this.#values[slot] as number) + 1;
    if (this.#fd !== null) this.#write(this.#fd);
  }

  /** Returns the counts of this process and of those whose files it took over. */
  read(): DroppedClicks {
    return { bound: this.#values[BOUND] as number, disk: this.#values[DISK] as number };
  }

  /** Moves the counts into a file if they are only in memory because the disk was full when the process started. */
  ensureStored(): void {
    if (this.#stored || makeFolder(this.#dir) !== null) return;
    const fd = takeOver(this.#dir) ?? createFile(this.#dir);
    if (fd === null) return;
    const before = this.#values;
    const inherited = readValues(fd);
    this.#values = (this.#mapped ? mapValues(fd) : null) ?? this.#writtenValues(fd);
    this.#values[BOUND] = (inherited?.bound ?? 0) + (before[BOUND] as number);
    this.#values[DISK] = (inherited?.disk ?? 0) + (before[DISK] as number);
    if (this.#fd !== null) this.#write(this.#fd);
    // A mapped file stays open too: its lock shows that its process is alive.
    this.#stored = true;
  }

  #writtenValues(fd: number): Float64Array {
    this.#fd = fd;
    return new Float64Array(2);
  }

  #write(fd: number): void {
    // The file's blocks are allocated. If the write fails nevertheless, the next one writes the whole count.
    attempt(() => writeSync(fd, Buffer.from(this.#values.buffer, this.#values.byteOffset, 16), 0, 16, VALUES_OFFSET));
  }
}

/** Returns the sum over all files of the folder. */
export function readDroppedClicks(dir: string): DroppedClicks {
  let bound = 0;
  let disk = 0;
  for (const name of listFolder(dir)) {
    if (!name.endsWith(SUFFIX)) continue;
    const opened = attempt(() => openSync(join(dir, name), 'r'));
    // Its new owner has renamed it since it was listed. It is counted the next time.
    if ('error' in opened) continue;
    const values = readValues(opened.value);
    closeSync(opened.value);
    bound += values?.bound ?? 0;
    disk += values?.disk ?? 0;
  }
  return { bound, disk };
}

function ownName(): string {
  const self = ownIdentity();
  return `${process.pid}-${Buffer.from(self?.started ?? '').toString('hex')}-${randomBytes(4).toString('hex')}${SUFFIX}`;
}

/** Returns the open file of a process that has ended, renamed to belong to this one; null if there is none. */
function takeOver(dir: string): number | null {
  for (const name of listFolder(dir)) {
    const owner = /^(\d+)-([0-9a-f]+)-[0-9a-f]{8}\.counters$/.exec(name);
    if (owner === null || isAlive({ pid: Number(owner[1]), started: Buffer.from(owner[2] as string, 'hex').toString() })) continue;
    const opened = attempt(() => openSync(join(dir, name), 'r+'));
    if ('error' in opened) continue;
    // A process with this pid may run in another container, but the lock holds across containers. If two processes try to take
    // over the file, only one rename succeeds.
    const free = lockFile(opened.value, true) !== 'held by another';
    if (free && readValues(opened.value) === null) {
      discardFile(opened.value, join(dir, name));
      continue;
    }
    if (free && 'value' in attempt(() => renameSync(join(dir, name), join(dir, ownName())))) return opened.value;
    closeSync(opened.value);
  }
  return null;
}

function createFile(dir: string): number | null {
  const path = join(dir, ownName());
  const opened = attempt(() => openSync(path, 'wx+', 0o600));
  if ('error' in opened) return null;
  const ready =
    allocateFile(opened.value, FILE_BYTES) === null && 'value' in attempt(() => writeSync(opened.value, MAGIC, 0, MAGIC.length, 0));
  if (ready) {
    lockFile(opened.value, true);
    return opened.value;
  }
  discardFile(opened.value, path);
  return null;
}

function mapValues(fd: number): Float64Array | null {
  const opened = openWindow(FILE_BYTES);
  if ('error' in opened || opened.window.attach(fd, true) !== null) return null;
  return new Float64Array(opened.window.bytes.buffer, opened.window.bytes.byteOffset + VALUES_OFFSET, 2);
}

/** Returns null if the file is incomplete: its process died while creating it, and had counted nothing. */
function readValues(fd: number): DroppedClicks | null {
  const bytes = Buffer.alloc(VALUES_OFFSET + 16);
  const outcome = attempt(() => readSync(fd, bytes, 0, bytes.length, 0));
  if ('error' in outcome || outcome.value < bytes.length || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return null;
  return { bound: bytes.readDoubleLE(VALUES_OFFSET), disk: bytes.readDoubleLE(VALUES_OFFSET + 8) };
}
