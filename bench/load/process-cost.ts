import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Fields 14 and 15 of proc_pid_stat(5): time in user and kernel mode of the whole process, all its threads, ended ones included. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

let ticksPerSecond = 0;

/** CPU time the process has used since its start, in microseconds, to the kernel's tick (10 ms). Linux only. */
export function cpuMicroseconds(pid: number): number {
  if (ticksPerSecond === 0) ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return (cpuTicks(pid) * 1_000_000) / ticksPerSecond;
}

export interface Memory {
  readonly resident_mb: number;
  /** What the process alone holds: pages of mapped files that others share are not in it. */
  readonly private_mb: number;
}

/** From /proc/<pid>/smaps_rollup. Linux only. */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (...names: string[]) =>
    Math.round(names.reduce((sum, name) => sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0), 0) / 1024);
  return { resident_mb: megabytes('Rss'), private_mb: megabytes('Private_Clean', 'Private_Dirty') };
}
