import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the sum of two neighbouring fields of proc_pid_stat(5), counted from the state, which follows the name in parentheses. */
function statSum(pid: number, field: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[field]) + Number(fields[field + 1]);
}

/** utime and stime: user and kernel mode of the whole process, of all its threads, including ended ones. */
function cpuTicks(pid: number): number {
  return statSum(pid, 11);
}

let ticksPerSecond = 0;

function clockTicks(): number {
  if (ticksPerSecond === 0) ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticksPerSecond;
}

/** CPU time the process has used since its start, in microseconds, to the kernel's tick (10 ms). Linux only. */
export function cpuMicroseconds(pid: number): number {
  return (cpuTicks(pid) * 1_000_000) / clockTicks();
}

/**
 * Time that the main thread of a process has been on a core since its start, in microseconds. Linux only:
 * /proc/<pid>/task/<tid>/schedstat.
 */
export function mainThreadMicroseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
}

/** cutime and cstime: of children that ended and were waited for. */
function endedChildrenTicks(pid: number): number {
  return statSum(pid, 13);
}

/** CPU time of children of a process that ended and were waited for, in microseconds. Linux only. */
export function endedChildrenMicroseconds(pid: number): number {
  return (endedChildrenTicks(pid) * 1_000_000) / clockTicks();
}

/** Returns the running processes that the main thread of a process has started. Linux only. */
export function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** CPU time of a process and of its children, in microseconds. For a server with a process for each connection, such as PostgreSQL. */
export function treeCpuMicroseconds(pid: number): number {
  for (;;) {
    const children = childrenOf(pid);
    const ticks = unlessEnded(() => children.reduce((sum, child) => sum + cpuTicks(child), 0));
    // A child that has ended since it was listed is included in what the process itself reports for ended children, so read again.
    if (ticks !== null) return ((cpuTicks(pid) + endedChildrenTicks(pid) + ticks) * 1_000_000) / clockTicks();
  }
}

/** Returns what is read about processes; null if one of them has ended. */
export function unlessEnded<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
    return null;
  }
}

export interface Memory {
  /** Pages in memory, including those of mapped files, which all processes share. */
  readonly resident_mb: number;
  /** Memory that only this process has and that ends with it, without pages of files. */
  readonly private_mb: number;
}

/** Of all the processes together, from /proc/<pid>/smaps_rollup. Linux only. */
export function memoryOf(pids: readonly number[]): Memory {
  const texts = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  const megabytes = (name: string) =>
    Math.round(texts.reduce((sum, text) => sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0), 0) / 1024);
  return { resident_mb: megabytes('Rss'), private_mb: megabytes('Anonymous') };
}
