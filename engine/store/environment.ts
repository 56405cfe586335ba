import { type Database, open, type RootDatabase, type TransactionFlags } from 'lmdb';
import { invariant } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';

/** Values stay bytes here. The codec interprets them. */
export type StoreEnvironment = Database<Buffer, string>;
/** An environment's root database, which can open others by name. */
export type RootEnvironment = RootDatabase<Buffer, string>;

/**
 * A machine with 128 redirect processes would exceed LMDB's default of 126. A slot takes 64 bytes of the lock file. The process
 * that creates that file sets its size for all.
 */
const READERS_MAX = 1024;

/**
 * `read` neither writes nor waits for a writer. `follow` is for the writer of a generation that serves: LMDB keeps the last
 * flushed state besides the latest one and opens that after a power loss, so the store is then older but whole, and its cursor
 * is equally old. `build` does not flush: a generation that does not serve yet needs it only once, at its end. `cache` does not
 * flush either, and is read meanwhile: a crash of the system may lose its contents, that of a process does not.
 */
export type OpenMode = 'read' | 'follow' | 'build' | 'cache';

/** An open generation. Whoever opened it closes it once. */
export interface OpenEnvironment {
  readonly environment: RootEnvironment;
  close(): Promise<void>;
}

interface Shared {
  readonly environment: RootEnvironment;
  readonly mode: OpenMode;
  holders: number;
}

/**
 * The environments that this process has open. LMDB's file locks belong to the process: closing a second handle on a file would
 * release the first one's.
 */
const openByPath = new Map<string, Shared>();

/**
 * Opens one generation's folder. In a process that writes, readers share the writer's environment. A process that only reads
 * cannot become a writer of the same generation. Throws LMDB's errors; see `isStoreError`.
 */
export function openEnvironment(path: string, mode: OpenMode): OpenEnvironment {
  const held = openByPath.get(path);
  invariant(
    held === undefined || (mode === 'read' && held.mode !== 'build'),
    'a process opens a generation once, or to read what it writes',
  );
  const shared = held ?? { environment: openFolder(path, mode), mode, holders: 0 };
  shared.holders += 1;
  openByPath.set(path, shared);
  let closed = false;
  return {
    environment: shared.environment,
    async close() {
      if (closed) return;
      closed = true;
      shared.holders -= 1;
      if (shared.holders > 0) return;
      openByPath.delete(path);
      await shared.environment.close();
    },
  };
}

/** Closes a generation of the configuration without waiting for it. */
export function releaseGeneration(handle: OpenEnvironment, log: Logger): void {
  handle.close().catch((error: unknown) => log.error({ code: 'store_close_failed', err: error }, 'configuration store did not close'));
}

function openFolder(path: string, mode: OpenMode): RootEnvironment {
  const options = { path, encoding: 'binary', noSubdir: false, maxReaders: READERS_MAX } as const;
  return open<Buffer, string>({ ...options, readOnly: mode === 'read', noSync: mode === 'build' || mode === 'cache' });
}

/** lmdb's `ABORTABLE | SYNCHRONOUS_COMMIT | NO_SYNC_FLUSH`. */
const TRANSACTION_FLAGS = 0x1_0003;

/**
 * Runs the writes in one transaction: when this returns, either all are committed and visible to every process, or none is. It
 * is synchronous, because if a commit fails, lmdb's asynchronous writes leave rejected promises that no caller can catch. In
 * return, flushing a small commit blocks this process for the time of one fdatasync.
 */
export function writeTransaction(environment: StoreEnvironment, write: () => void): void {
  environment.transactionSync(write, TRANSACTION_FLAGS as TransactionFlags);
}

/** Returns the number of values in the environment, and of bytes in the pages that contain them. */
export function measure(environment: StoreEnvironment): { readonly values: number; readonly bytes: number } {
  const stats = environment.getStats() as { pageSize: number; treeLeafPageCount: number; overflowPages: number; entryCount: number };
  return { values: stats.entryCount, bytes: (stats.treeLeafPageCount + stats.overflowPages) * stats.pageSize };
}

/** MDB_LAST_ERRCODE to MDB_KEYEXIST in lmdb.h. Codes of the operating system are positive. */
const MDB_CODE_FIRST = -30_799;
const MDB_CODE_LAST = -30_700;

/**
 * Whether the store is unusable, as opposed to a refusal by the operating system (a full disk, no memory). A RangeError means
 * that lmdb asked for a buffer of a length that only a damaged page can contain.
 */
export function isStoreError(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'number' && code >= MDB_CODE_FIRST && code <= MDB_CODE_LAST;
}

/** The generation is no longer usable: its contents must be rebuilt from PostgreSQL. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
}
