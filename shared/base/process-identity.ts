import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process id is used again after its process has ended, so a pid in a file does not name a process for certain.
 * Together with the moment when the process started it does: both are the same only for the same process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * When the process started, in the form in which the system gives it, without spaces. It is compared and never
   * interpreted. Includes the boot on Linux.
   */
  readonly started: string;
}

let boot: string | null | undefined;

/**
 * Returns the kernel's name for the present boot of the machine; null if it has none. Read once, because a process
 * cannot outlive its boot.
 */
export function currentBoot(): string | null {
  if (boot === undefined) boot = readBoot();
  return boot;
}

function readBoot(): string | null {
  if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  if (process.platform === 'darwin') return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  return null;
}

/** Linux: `starttime` of proc_pid_stat(5), in clock ticks since the boot that `boot_id` names. */
function startedOnLinux(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: the process ended between open and read.
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
  // The second field is the command in parentheses and may contain spaces and parentheses itself, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  // A zombie holds only a pid: no memory, no file, no lock.
  if (state === 'Z' || state === 'X') return null;
  return `${currentBoot()}/${fields[19]}`;
}

/** On other systems: the `lstart` column of ps, which has seconds. */
function startedByPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '').replaceAll(/\s+/g, '_');
  } catch (error) {
    // ps exits with 1 if there is no such process.
    if ((error as { status?: number | null }).status === 1) return null;
    throw error;
  }
}

/** The identity of the process that has this pid now, or null if there is none. */
export function identify(pid: number): ProcessIdentity | null {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === null ? null : { pid, started };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Signals the process that `identity` names, and never another one that got its pid. Returns false if it is gone already. */
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

/** Returns the identity in a file's text, or null if the text is not one. A file that was cut short by a full disk names no process. */
export function parseIdentity(text: string): ProcessIdentity | null {
  const [pid, started, rest] = text.trim().split(' ');
  if (pid === undefined || started === undefined || rest !== undefined || !/^[1-9]\d{0,9}$/.test(pid)) return null;
  return { pid: Number(pid), started };
}

export function formatIdentity(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.started}\n`;
}
