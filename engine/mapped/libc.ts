import { constants } from 'node:os';
import type * as Koffi from 'koffi';
import { type BoundFunctions, bindCLibrary } from '../../shared/base/c-library.js';

/**
 * The functions of the C library that mapped files need. If they are unavailable (no koffi, a 32-bit process), `loadLibc`
 * returns the reason, and the callers fall back to ordinary writes. Addresses are bigints. Errors are names such as `ENOSPC`;
 * null means success.
 */
export interface Libc {
  /** Creates a private anonymous mapping of `bytes`, at an address that the kernel chooses. */
  reserve(bytes: number): { readonly address: bigint } | { readonly error: string };
  /** Replaces the pages at `address` with those of the file, shared. */
  mapFile(address: bigint, bytes: number, fd: number, writable: boolean): string | null;
  /** Replaces the pages at `address` with private anonymous ones, which removes the previous mapping. */
  mapNothing(address: bigint, bytes: number): string | null;
  /** Returns an ArrayBuffer over `bytes` at `address`. */
  view(address: bigint, bytes: number): ArrayBuffer;
  /** Allocates blocks for the first `bytes` of the file. Returns `EOPNOTSUPP` if the system or the file system does not support it. */
  allocate(fd: number, bytes: number): string | null;
  /** Takes the file's advisory lock (flock(2)) without waiting. Returns null, or `EWOULDBLOCK` if another open file holds it. */
  lock(fd: number, exclusive: boolean): string | null;
}

const PROT_READ = 1;
const PROT_WRITE = 2;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const MAP_FIXED = 0x10;
const MAP_ANONYMOUS = process.platform === 'darwin' ? 0x1000 : 0x20;
/** Only address space: what is stored into an empty window goes nowhere, so no memory needs to be reserved for it. */
const MAP_NORESERVE = process.platform === 'darwin' ? 0x40 : 0x4000;
const EMPTY = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
const MAP_FAILED = 0xffffffffffffffffn;
const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;

const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));
// On Linux, one number has two names. The portable one is used.
ERRNO_NAMES.set(constants.errno.EWOULDBLOCK, 'EWOULDBLOCK');
ERRNO_NAMES.set(constants.errno.EOPNOTSUPP, 'EOPNOTSUPP');

function errnoName(errno: number): string {
  return ERRNO_NAMES.get(errno) ?? `errno ${errno}`;
}

let loaded: BoundFunctions<Libc> | undefined;

/** Returns the C library of this process, which is loaded once. */
export function loadLibc(): BoundFunctions<Libc> {
  loaded ??= load();
  return loaded;
}

function load(): BoundFunctions<Libc> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return { available: false, reason: `no mmap on ${process.platform}` };
  return bindCLibrary(bind);
}

function bind(self: Koffi.LibraryHandle, koffi: typeof Koffi): Libc {
  if (koffi.sizeof('void *') !== 8) throw new Error('mapping needs a 64-bit process');
  const mmap = self.func('void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset)');
  const flock = self.func('int flock(int fd, int operation)');
  const fallocate = process.platform === 'linux' ? self.func('int posix_fallocate(int fd, int64_t offset, int64_t length)') : null;
  const map = (address: bigint | null, bytes: number, how: { protection: number; flags: number; fd: number }): bigint | string => {
    const mapped = mmap(address, bytes, how.protection, how.flags, how.fd, 0) as bigint;
    return mapped === MAP_FAILED ? errnoName(koffi.errno()) : mapped;
  };
  const failure = (outcome: bigint | string): string | null => (typeof outcome === 'string' ? outcome : null);
  return {
    reserve(bytes) {
      const outcome = map(null, bytes, { protection: PROT_READ | PROT_WRITE, flags: EMPTY, fd: -1 });
      return typeof outcome === 'string' ? { error: outcome } : { address: outcome };
    },
    mapFile(address, bytes, fd, writable) {
      return failure(map(address, bytes, { protection: writable ? PROT_READ | PROT_WRITE : PROT_READ, flags: MAP_SHARED | MAP_FIXED, fd }));
    },
    mapNothing(address, bytes) {
      return failure(map(address, bytes, { protection: PROT_READ | PROT_WRITE, flags: EMPTY | MAP_FIXED, fd: -1 }));
    },
    view: (address, bytes) => koffi.view(address, bytes),
    allocate(fd, bytes) {
      if (fallocate === null) return 'EOPNOTSUPP';
      const errno = fallocate(fd, 0, bytes) as number;
      return errno === 0 ? null : errnoName(errno);
    },
    lock(fd, exclusive) {
      return flock(fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) === 0 ? null : errnoName(koffi.errno());
    },
  };
}
