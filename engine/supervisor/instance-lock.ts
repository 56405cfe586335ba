import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { invariant } from '../../shared/base/invariant.js';
import { formatIdentity, identify, isAlive, type ProcessIdentity, parseIdentity } from '../../shared/base/process-identity.js';

export type LockOutcome =
  | { readonly outcome: 'held'; release(): void }
  /** Another live process has it. */
  | { readonly outcome: 'taken'; readonly by: ProcessIdentity };

/** Rounds of taking over a stale lock: each one that fails means another process made progress. */
const ROUNDS_MAX = 16;

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Gives `from` the name `to` too, unless that name is taken. */
function linkUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes the lock that the file stands for, which holds the identity of its owner. The lock of a killed process is
 * recognised by pid and start time and taken over.
 *
 * The owner's identity is written to a file of its own first and gets the lock's name by link(2), which fails where the
 * name is taken: no reader ever meets a lock without its owner, as it would between open(O_EXCL) and write. A stale lock
 * is moved away by rename(2) before it is judged a second time, so that of two processes that found it stale neither
 * removes the lock that the other has just taken.
 *
 * Only processes that see each other's pids are kept apart: two containers on one folder need their orchestrator for that.
 */
export function takeLock(file: string): LockOutcome {
  const self = identify(process.pid);
  invariant(self !== null, 'a running process has an identity');
  mkdirSync(dirname(file), { recursive: true });
  const claim = `${file}.claim-${process.pid}`;
  writeFileSync(claim, formatIdentity(self));
  try {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if (linkUnlessTaken(claim, file)) return { outcome: 'held', release: () => release(file, self) };
      const holder = parseIdentity(readIfThere(file) ?? '');
      if (holder !== null && isAlive(holder)) return { outcome: 'taken', by: holder };
      clearStale(file);
    }
  } finally {
    rmSync(claim, { force: true });
  }
  throw new Error(`${file} changes hands faster than it can be taken; remove it when no engine runs on this folder`);
}

function clearStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = parseIdentity(readFileSync(aside, 'utf8'));
  if (moved !== null && isAlive(moved)) linkUnlessTaken(aside, file);
  rmSync(aside, { force: true });
}

/** Removes the lock where it is still this process's own. */
function release(file: string, self: ProcessIdentity): void {
  const holder = parseIdentity(readIfThere(file) ?? '');
  if (holder?.pid === self.pid && holder.started === self.started) rmSync(file, { force: true });
}
