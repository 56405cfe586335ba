import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process number is handed out again once its process is gone. What is written to disk about a process therefore
 * names the boot and the moment it started too, and a signal is only sent to a process that is still the same.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: equal for the same process, different for any other that ever bore its number. */
  readonly started: string;
}

export interface LiveProcess extends ProcessIdentity {
  readonly command: readonly string[];
  /** User id it runs as. */
  readonly uid: number;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: the process went away between the open and the read.
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name in field 2 may hold spaces and parentheses. */
function inspectLinux(pid: number): LiveProcess | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  const command = readOrNull(`/proc/${pid}/cmdline`);
  const status = readOrNull(`/proc/${pid}/status`);
  if (stat === null || command === null || status === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Z and X: it has ended and only waits for its parent to take notice.
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1];
  return { pid, started: `${boot}/${fields[19]}`, command: command.split('\0').slice(0, -1), uid: Number(uid) };
}

function inspectWithPs(pid: number): LiveProcess | null {
  const { stdout, error } = spawnSync('ps', ['-ww', '-o', 'uid=,stat=,lstart=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  if (error) throw error;
  // lstart is five words: Thu Nov 20 23:00:01 2026
  const match = /^\s*(\d+)\s+(\S+)\s+((?:\S+\s+){4}\d{4})\s+(.*)$/.exec(stdout.trimEnd());
  if (match === null || match[2]?.startsWith('Z')) return null;
  return { pid, started: match[3] as string, command: (match[4] as string).split(' '), uid: Number(match[1]) };
}

/** The process that bears the number now, or null where none does. */
export function inspectProcess(pid: number): LiveProcess | null {
  return process.platform === 'linux' ? inspectLinux(pid) : inspectWithPs(pid);
}

export function isAlive(identity: ProcessIdentity): boolean {
  return inspectProcess(identity.pid)?.started === identity.started;
}

/** Sends the signal if the very same process still lives; answers whether it was there. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

const POLL_MS = 25;

/** Waits until the process is gone; answers false where it still lives after the time. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** One signal after the other, each with the time it is given to work. Answers whether the process is gone. */
export async function endProcess(
  identity: ProcessIdentity,
  steps: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!signalProcess(identity, signal)) return true;
    if (await waitUntilGone(identity, waitMs)) return true;
  }
  return false;
}
