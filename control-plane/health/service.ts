import type { PartHealth } from '../../shared/base/part-health.js';
import { type Health, SERVICE_PARTS, type ServicePart } from '../../shared/contract/schemas/health.js';
import { type Fault, faultsOf } from './faults.js';
import type { Readings } from './readings.js';
import type { QueueDepth } from './sql.js';

/** The health of the service for a tenant: only whether each part works, and since when it does not, but nothing about the installation. */
export function serviceHealth(readings: Readings, parts: readonly PartHealth[], queue: QueueDepth): Health {
  const faults = faultsOf(readings, parts);
  const told = SERVICE_PARTS.map((part) => partOf(part, faults));
  return {
    status: told.every(({ ok }) => ok) ? 'ok' : 'degraded',
    checked_at: readings.feed.checked_at.toISOString(),
    parts: told,
    webhook_queue: { due: queue.due, scheduled: queue.scheduled, due_since: queue.due_since?.toISOString() ?? null },
  };
}

function partOf(part: ServicePart, faults: readonly Fault[]): Health['parts'][number] {
  const own = faults.filter(({ concerns }) => concerns.includes(part));
  const times = own.flatMap(({ since }) => (since === null ? [] : [since.getTime()]));
  return { part, ok: own.length === 0, since: times.length === 0 ? null : new Date(Math.min(...times)).toISOString() };
}
