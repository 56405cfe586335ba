import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { identify, isAlive, type ProcessIdentity, signalProcess } from '../../shared/base/process-identity.js';

export interface LiveProcess extends ProcessIdentity {
  readonly command: readonly string[];
  /** The id of the user that it runs as. */
  readonly uid: number;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: the process ended between the open and the read.
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}

function commandOnLinux(pid: number): Omit<LiveProcess, keyof ProcessIdentity> | null {
  const command = readOrNull(`/proc/${pid}/cmdline`);
  const uid = /^Uid:\s+(\d+)/m.exec(readOrNull(`/proc/${pid}/status`) ?? '')?.[1];
  return command === null || uid === undefined ? null : { command: command.split('\0').slice(0, -1), uid: Number(uid) };
}

/** On other systems, ps joins the arguments of a command with spaces, so an argument with a space is not recognised. */
function commandByPs(pid: number): Omit<LiveProcess, keyof ProcessIdentity> | null {
  const { stdout, error } = spawnSync('ps', ['-ww', '-o', 'uid=,args=', '-p', String(pid)], { encoding: 'utf8' });
  if (error) throw error;
  const match = /^\s*(\d+)\s+(.*)$/.exec(stdout.trimEnd());
  return match === null ? null : { command: (match[2] as string).split(' '), uid: Number(match[1]) };
}

/** The process that has the id now, or null if none has. */
export function inspectProcess(pid: number): LiveProcess | null {
  const identity = identify(pid);
  const found = process.platform === 'linux' ? commandOnLinux(pid) : commandByPs(pid);
  // Checked again, because the id may have been reused between the two checks.
  return identity === null || found === null || !isAlive(identity) ? null : { ...identity, ...found };
}

const POLL_MS = 25;

async function endsWithin(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

export interface EndStep {
  readonly signal: NodeJS.Signals;
  /** How long to wait for the signal to work. */
  readonly waitMs: number;
}

/** Sends one signal after the other to exactly this process. Returns whether it is gone. */
export async function endProcess(identity: ProcessIdentity, steps: readonly EndStep[]): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!signalProcess(identity, signal)) return true;
    if (await endsWithin(identity, waitMs)) return true;
  }
  return !isAlive(identity);
}

/**
 * Signals a process that leads a process group, and everything that it has forked; 0 only checks. Returns whether there was any process.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
