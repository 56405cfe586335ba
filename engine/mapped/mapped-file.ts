import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { invariant } from '../../shared/base/invariant.js';
import { type Libc, loadLibc } from './libc.js';

/**
 * Files mapped into memory. Bytes stored into a shared mapping belong to the kernel from that moment on, so a killed process
 * loses none of them, and storing them takes no system call.
 *
 * The danger of mmap is a view that outlives its mapping: accessing it is not an error but ends the process. Therefore a
 * mapping is made inside a **window**: a range of addresses that is reserved once and never released while its view can be
 * reached. `attach` maps a file over the range and `detach` maps empty memory over it again, both atomically in the kernel
 * (MAP_FIXED). The window's `bytes` are valid forever: after `detach` they read as zeros, and stores into them go nowhere. The
 * price is address space, not memory; a process has a few windows and uses each for many files.
 *
 * The other danger is a page without a block behind it: the first store into it on a full disk raises SIGBUS, which kills the
 * process, and so does any access past the end of the file. `allocateFile` allocates the block of every page in advance, when a
 * full disk is an error value. `attach` refuses a file that is shorter than the range. And no process may shorten a file that
 * is attached anywhere.
 */
export interface MappedWindow {
  /** The address range as memory. Length and buffer stay the same for the life of the window. */
  readonly bytes: Buffer;
  /**
   * Maps the first `bytes.length` bytes of the file over the window. Returns null, or the error's name, and then the window is
   * empty. The file may be closed afterwards, because the mapping keeps it open.
   */
  attach(fd: number, writable: boolean): string | null;
  /** Empties the window. */
  detach(): void;
}

export type WindowOutcome = { readonly window: MappedWindow } | { readonly error: string };

/** Reserves a window of `bytes`, or returns why mapping is unavailable. */
export function openWindow(bytes: number): WindowOutcome {
  invariant(Number.isSafeInteger(bytes) && bytes > 0, 'a window has a positive whole number of bytes');
  const loaded = loadLibc();
  if (!loaded.available) return { error: loaded.reason };
  const reserved = loaded.functions.reserve(bytes);
  if ('error' in reserved) return reserved;
  return { window: new LibcWindow(loaded.functions, reserved.address, bytes) };
}

class LibcWindow implements MappedWindow {
  readonly bytes: Buffer;
  readonly #libc: Libc;
  readonly #address: bigint;

  constructor(libc: Libc, address: bigint, bytes: number) {
    this.#libc = libc;
    this.#address = address;
    this.bytes = Buffer.from(libc.view(address, bytes));
  }

  attach(fd: number, writable: boolean): string | null {
    const status = attempt(() => fstatSync(fd));
    if ('error' in status) return status.error;
    if (status.value.size < this.bytes.length) return 'EINVAL';
    const error = this.#libc.mapFile(this.#address, this.bytes.length, fd, writable);
    // A failed mapping may already have removed the old pages, so whatever is there now is replaced with empty memory.
    if (error !== null) this.detach();
    return error;
  }

  detach(): void {
    const error = this.#libc.mapNothing(this.#address, this.bytes.length);
    // This can fail only if the kernel has no memory for page tables. Continuing with the old mapping would be unsound.
    invariant(error === null, `a mapped window could not be emptied: ${error}`);
  }
}

const ZEROS = Buffer.alloc(256 * 1024);

/**
 * Gives the file `bytes` bytes with blocks behind all of them. Returns null, or the error's name (`ENOSPC`). If the file system
 * has no fallocate, the file is filled with zeros instead. A longer file keeps its length.
 */
export function allocateFile(fd: number, bytes: number): string | null {
  const loaded = loadLibc();
  const error = loaded.available ? loaded.functions.allocate(fd, bytes) : 'EOPNOTSUPP';
  // ZFS and some network file systems return EINVAL for "not supported".
  return error === 'EOPNOTSUPP' || error === 'EINVAL' ? fillWithZeros(fd, bytes) : error;
}

function fillWithZeros(fd: number, bytes: number): string | null {
  const outcome = attempt(() => {
    for (let at = 0; at < bytes; ) at += writeSync(fd, ZEROS, 0, Math.min(ZEROS.length, bytes - at), at);
  });
  return 'error' in outcome ? outcome.error : null;
}

/** Truncates or extends the file without allocating blocks. Returns null, or the error's name. */
export function resizeFile(fd: number, bytes: number): string | null {
  const outcome = attempt(() => ftruncateSync(fd, bytes));
  return 'error' in outcome ? outcome.error : null;
}

/** Returns the value, or the name of the system error (`ENOENT`). Other errors are rethrown. */
export function attempt<Value>(work: () => Value): { readonly value: Value } | { readonly error: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error) return { error: error.code };
    throw error;
  }
}

/**
 * Takes the file's advisory lock without waiting. The kernel releases it when the file is closed or its process dies, for
 * whatever reason.
 */
export function lockFile(fd: number, exclusive: boolean): 'locked' | 'held by another' | 'unavailable' {
  const loaded = loadLibc();
  if (!loaded.available) return 'unavailable';
  const error = loaded.functions.lock(fd, exclusive);
  if (error === null) return 'locked';
  return error === 'EWOULDBLOCK' || error === 'EAGAIN' ? 'held by another' : 'unavailable';
}
