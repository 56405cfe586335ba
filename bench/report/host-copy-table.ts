import type { HostCopyMeasurement } from '../host-copy.js';
import { newTable } from './table.js';

export function hostCopyTablesOf(measured: readonly HostCopyMeasurement[]): string {
  const copies = newTable(['links', 'copied', 'links/s', 'CPU of it', 'store', 'indexed', 'index', 'files']);
  const redirects = newTable(['links', 'requests', 'CPU µs', 'floor', 'ratio (least to greatest)', 'private', 'resident']);
  const seconds = (value: number) => `${value.toFixed(0)} s`;
  const megabytes = (value: number) => `${value.toFixed(0)} MB`;
  for (const { links, redirects: each, ...figures } of measured) {
    copies.push([
      links,
      seconds(figures.copy_seconds),
      Math.round(links / figures.copy_seconds),
      seconds(figures.copy_cpu_seconds),
      megabytes(figures.store_mb),
      seconds(figures.index_seconds),
      megabytes(figures.index_mb),
      figures.index_files,
    ]);
    for (const { scenario, cpu_us, floor_cpu_us, beside_the_floor: ratio, private_mb, resident_mb, invalid } of each)
      redirects.push([
        links,
        invalid === null ? scenario : `${scenario}: ${invalid}`,
        cpu_us.median.toFixed(1),
        floor_cpu_us.median.toFixed(1),
        `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`,
        megabytes(private_mb),
        megabytes(resident_mb),
      ]);
  }
  return `${copies.toString()}\n\n${redirects.toString()}`;
}
