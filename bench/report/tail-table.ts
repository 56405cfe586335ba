import type { TailPart, TailResult } from '../tail.js';
import { newTable } from './table.js';

/** Whether every visit was redirected. */
export function tailIsRight({ parts }: TailResult): boolean {
  return parts.every(({ failed, answered }) => failed === 0 && answered > 0);
}

/** One line for each part, beside the quiet one. */
export function tailTableOf({ links, rate, created_per_second, parts }: TailResult): string {
  const [quiet] = parts as [TailPart];
  const table = newTable(['visitors', 's', 'visits/s', 'failed', 'p50 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'p99, p99.9 of quiet']);
  for (const { part, seconds, per_second, failed, p50_ms, p99_ms, p999_ms, max_ms } of parts)
    table.push([
      part,
      seconds.toFixed(0),
      per_second.toFixed(0),
      failed,
      ...[p50_ms, p99_ms, p999_ms, max_ms].map((ms) => ms.toFixed(1)),
      `${(p99_ms / quiet.p99_ms).toFixed(1)}, ${(p999_ms / quiet.p999_ms).toFixed(1)}`,
    ]);
  const load = `${rate} visits/s asked for; ${links} links; ${created_per_second.toFixed(0)} links/s made`;
  return `${load}\n${table.toString()}`;
}
