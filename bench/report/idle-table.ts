import type { IdleResult } from '../idle.js';
import { newTable } from './table.js';

export function idleTableOf({ processes }: IdleResult): string {
  const table = newTable(['nobody uses the service', '% of a core', 'wakes/s']);
  const total = (read: (process: IdleResult['processes'][number]) => number) => processes.reduce((sum, process) => sum + read(process), 0);
  for (const { name, cpu_percent, wakes_per_second } of processes) table.push([name, cpu_percent.toFixed(2), wakes_per_second.toFixed(0)]);
  table.push(['all', total(({ cpu_percent }) => cpu_percent).toFixed(2), total(({ wakes_per_second }) => wakes_per_second).toFixed(0)]);
  return table.toString();
}
