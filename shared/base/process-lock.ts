import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { invariant } from './invariant.js';
import { formatIdentity, identify, isAlive, type ProcessIdentity, parseIdentity } from './process-identity.js';

export type LockOutcome =
  | { readonly outcome: 'held'; release(): void }
  /** Another live process has it. */
  | { readonly outcome: 'taken'; readonly by: ProcessIdentity };

/** Maximum number of attempts. Each one that fails means that another process made progress. */
const ROUNDS_MAX = 16;

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Gives `from` the additional name `to`, unless that name is taken. */
function linkUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function liveIdentity(text: string): ProcessIdentity | null {
  const holder = parseIdentity(text);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** The live process that holds the lock; null if nobody does. */
export function lockHolder(file: string): ProcessIdentity | null {
  return liveIdentity(readIfThere(file) ?? '');
}

/**
 * Takes the lock that the file stands for. The file contains the identity of the lock's owner. The lock of a killed
 * process is recognised by pid and start time and taken over.
 *
 * The owner's identity is written to a file of its own first, and that file gets the lock's name by link(2), which
 * fails if the name is taken. No reader ever sees a lock without its owner, as it could between open(O_EXCL) and write.
 * A stale lock is replaced only under a second lock, `<file>.takeover`, by a process that reads the stale one again and
 * finds it unchanged: nobody else replaces it meanwhile, and its owner is dead. The second lock is taken in the same
 * way, so one whose owner was killed is taken over too.
 *
 * The lock only works between processes that see each other's pids: two containers on one folder need their
 * orchestrator for that.
 */
export function takeLock(file: string): LockOutcome {
  const self = identify(process.pid);
  invariant(self !== null, 'a running process has an identity');
  mkdirSync(dirname(file), { recursive: true });
  const claim = `${file}.claim-${process.pid}`;
  const held: LockOutcome = { outcome: 'held', release: () => release(file, self) };
  writeFileSync(claim, formatIdentity(self));
  try {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if (linkUnlessTaken(claim, file)) return held;
      const text = readIfThere(file);
      if (text === null) continue;
      const holder = liveIdentity(text);
      if (holder !== null) return { outcome: 'taken', by: holder };
      const takeover = takeLock(`${file}.takeover`);
      // That process is about to hold this lock.
      if (takeover.outcome === 'taken') return takeover;
      try {
        if (readIfThere(file) !== text) continue;
        renameSync(claim, file);
        return held;
      } finally {
        takeover.release();
      }
    }
  } finally {
    rmSync(claim, { force: true });
  }
  throw new Error(`${file} changes its owner faster than it can be locked; delete it if no engine runs on this folder`);
}

/** Removes the lock if it still belongs to this process. */
function release(file: string, self: ProcessIdentity): void {
  const holder = parseIdentity(readIfThere(file) ?? '');
  if (holder?.pid === self.pid && holder.started === self.started) rmSync(file, { force: true });
}
