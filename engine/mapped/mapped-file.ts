import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { invariant } from '../../shared/base/invariant.js';
import { type Libc, loadLibc } from './libc.js';

/**
 * Files mapped into memory: bytes stored into a shared mapping belong to the kernel from that moment on, so that a
 * killed process loses none of them, and storing them is not a system call.
 *
 * The danger of mmap is a view that outlives its mapping: touching it is not an error but the end of the process. So a
 * mapping is made inside a **window**: a range of addresses that is reserved once and never given back while its view can
 * be reached. `attach` lays a file over the range and `detach` lays empty memory over it again, both atomically in the
 * kernel (MAP_FIXED). The window's `bytes` are valid for ever: after `detach` they read as zeros and stores into them go
 * nowhere. The price is address space, not memory; a process holds a few windows and uses each for many files.
 *
 * The other danger is a page without a block behind it: the first store into it on a full disk is SIGBUS, which kills the
 * process, and so is any access past the end of the file. `allocateFile` gives every page its block beforehand, where a
 * full disk is an error value; `attach` refuses a file that is shorter than the range; and nobody may shorten a file
 * that is attached somewhere.
 */
export interface MappedWindow {
  /** Address range as memory. Same length and same buffer for the life of the window. */
  readonly bytes: Buffer;
  /** Lays the first `bytes.length` bytes of the file over the window. Null, or the error's name; then the window is empty. The file may be closed afterwards: the mapping keeps it. */
  attach(fd: number, writable: boolean): string | null;
  /** Empties the window. */
  detach(): void;
}

export type WindowOutcome = { readonly window: MappedWindow } | { readonly error: string };

/** Reserves a window of `bytes`, or says why mapping is not to be had here. */
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
    // A mapping that failed may have taken the old pages away already: whatever is there now is replaced by empty memory.
    if (error !== null) this.detach();
    return error;
  }

  detach(): void {
    const error = this.#libc.mapNothing(this.#address, this.bytes.length);
    // Only the kernel's own memory for page tables can be lacking here. Going on with the old mapping in place would be unsound.
    invariant(error === null, `a mapped window could not be emptied: ${error}`);
  }
}

const ZEROS = Buffer.alloc(256 * 1024);

/**
 * Gives the file `bytes` bytes with blocks behind all of them. Null, or the error's name (`ENOSPC`). Where the file
 * system has no fallocate the file is filled with zeros instead. A file that was longer is left as long as it was.
 */
export function allocateFile(fd: number, bytes: number): string | null {
  const loaded = loadLibc();
  const error = loaded.available ? loaded.functions.allocate(fd, bytes) : 'EOPNOTSUPP';
  // EINVAL is what ZFS and some network file systems say for "not supported".
  return error === 'EOPNOTSUPP' || error === 'EINVAL' ? fillWithZeros(fd, bytes) : error;
}

function fillWithZeros(fd: number, bytes: number): string | null {
  const outcome = attempt(() => {
    for (let at = 0; at < bytes; ) at += writeSync(fd, ZEROS, 0, Math.min(ZEROS.length, bytes - at), at);
  });
  return 'error' in outcome ? outcome.error : null;
}

/** Cuts or extends the file without giving it blocks. Null, or the error's name. */
export function resizeFile(fd: number, bytes: number): string | null {
  const outcome = attempt(() => ftruncateSync(fd, bytes));
  return 'error' in outcome ? outcome.error : null;
}

/** The value, or the name of the system error (`ENOENT`); what is not a system error is thrown on. */
export function attempt<Value>(work: () => Value): { readonly value: Value } | { readonly error: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error) return { error: error.code };
    throw error;
  }
}

/** Takes the file's advisory lock without waiting. The kernel lets go of it when the file is closed or its process dies, however it dies. */
export function lockFile(fd: number, exclusive: boolean): 'locked' | 'held by another' | 'unavailable' {
  const loaded = loadLibc();
  if (!loaded.available) return 'unavailable';
  const error = loaded.functions.lock(fd, exclusive);
  if (error === null) return 'locked';
  return error === 'EWOULDBLOCK' || error === 'EAGAIN' ? 'held by another' : 'unavailable';
}
