import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process id is used again after its process has ended, so a pid in a file names nobody for certain. Together with
 * the moment the process started it does: both are the same only for the same process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in whatever terms the system gives it, without spaces: compared, never read. Includes the boot on Linux. */
  readonly started: string;
}

let boot: string | null | undefined;

/** Names the time since the machine was last started, as the kernel does; null if it does not. Asked once: a process ends with its boot. */
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
  // The second field is the command in parentheses and may hold spaces and parentheses itself: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  // A zombie holds a pid and nothing else: no memory, no file, no lock.
  if (state === 'Z' || state === 'X') return null;
  return `${currentBoot()}/${fields[19]}`;
}

/** Elsewhere: the `lstart` column of ps, which has seconds. */
function startedByPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '').replaceAll(/\s+/g, '_');
  } catch (error) {
    // ps ends with 1 where it knows no such process.
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

/** Signals the process that `identity` names, and never another one that got its pid. False where it is gone already. */
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

/** The identity in a file's text, or null if the text is none: a file that was cut short by a full disk names nobody. */
export function parseIdentity(text: string): ProcessIdentity | null {
  const [pid, started, rest] = text.trim().split(' ');
  if (pid === undefined || started === undefined || rest !== undefined || !/^[1-9]\d{0,9}$/.test(pid)) return null;
  return { pid: Number(pid), started };
}

export function formatIdentity(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.started}\n`;
}
