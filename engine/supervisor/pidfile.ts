import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatIdentity,
  identify,
  isAlive,
  type ProcessIdentity,
  parseIdentity,
  signalProcess,
} from '../../shared/base/process-identity.js';

/**
 * The children of a supervisor, one small file each in `run/`, so that the next supervisor finds those that outlived a killed one.
 * Children drain by themselves when the channel to their supervisor breaks. One that hangs does not, and would go on taking its
 * share of the port's connections without answering them.
 */
export interface Pidfile {
  /** Adds a child that runs. A process that has already ended is left out. */
  add(pid: number): void;
  remove(pid: number): void;
  /** Returns those of an earlier supervisor that still run, and removes the entries of ended ones. */
  staleProcesses(): readonly ProcessIdentity[];
}

export function openPidfile(dir: string): Pidfile {
  mkdirSync(dir, { recursive: true });
  return {
    add(pid) {
      const identity = identify(pid);
      if (identity !== null) writeFileSync(join(dir, String(pid)), formatIdentity(identity));
    },
    remove(pid) {
      rmSync(join(dir, String(pid)), { force: true });
    },
    staleProcesses() {
      const alive: ProcessIdentity[] = [];
      for (const name of readdirSync(dir)) {
        const identity = parseIdentity(readFileSync(join(dir, name), 'utf8'));
        if (identity !== null && isAlive(identity)) alive.push(identity);
        else rmSync(join(dir, name), { force: true });
      }
      return alive;
    },
  };
}

export interface StaleProcessWait {
  readonly staleProcesses: readonly ProcessIdentity[];
  /** Processes that are left after this time are killed. */
  readonly deadlineMs: number;
  readonly pollMs: number;
  sleep(milliseconds: number): Promise<void>;
}

/** Resolves when every stale process has ended, by itself or, after the deadline, by SIGKILL. Returns how many were killed. */
export async function outliveStaleProcesses({ staleProcesses, deadlineMs, pollMs, sleep }: StaleProcessWait): Promise<number> {
  let left = staleProcesses.filter(isAlive);
  for (let waited = 0; left.length > 0 && waited < deadlineMs; waited += pollMs) {
    await sleep(pollMs);
    left = left.filter(isAlive);
  }
  const killed = left.filter((staleProcess) => signalProcess(staleProcess, 'SIGKILL')).length;
  while (left.length > 0) {
    await sleep(pollMs);
    left = left.filter(isAlive);
  }
  return killed;
}
