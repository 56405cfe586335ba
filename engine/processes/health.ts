import type { EngineReport } from '../../shared/base/engine-report.js';
import { ENGINE_REASON_BYTES_MAX } from '../../shared/base/limits.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { textExcerpt } from '../../shared/base/text-excerpt.js';

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  /** Named `redirect-0`, or `background/sync` for a part inside a process. */
  readonly parts: readonly PartHealth[];
}

/** State of a process's slot; `SlotState` of the supervisor explains each. */
export type ProcessMode = 'idle' | 'starting' | 'serving' | 'waiting' | 'replacing' | 'renewing' | 'stopping' | 'stopped';

/** One process as `/health/ready` shows it. */
export interface ProcessStatus {
  readonly name: string;
  /** Mode of its slot. */
  readonly mode: ProcessMode;
  /** Null while there is no process. */
  readonly pid: number | null;
  /** Milliseconds since its last message; null before the first one. */
  readonly silent_ms: number | null;
  readonly restarts: number;
  readonly parts: readonly PartHealth[];
}

export type ReportedProcess = Pick<ProcessStatus, 'name' | 'pid' | 'mode' | 'restarts'>;

/**
 * `/health/ready` of the admin port, for people and monitors. It is red while PostgreSQL is away, because clicks and webhooks
 * then wait. A load balancer asks `/health/ready` of the link hosts themselves, which is red only while a process drains or has
 * no copy of the configuration yet: redirects continue without PostgreSQL.
 */
export interface EngineHealth extends HealthReport {
  readonly processes: readonly ReportedProcess[];
  /** What the host does (ENGINE_ROLES), as shown by its admin port. */
  readonly roles?: readonly string[];
}

/** Returns the same health for the operator, who reads it in the engine's row. */
export function reportOf({ parts, processes }: EngineHealth, spool: EngineReport['spool']): EngineReport {
  const reasons = new Map(parts.filter(({ ok }) => !ok).map(({ part, reason }) => [part, reason]));
  return {
    processes: processes.map(({ name, restarts }) => ({ name, ...stateOf(reasons.get(name)), restarts })),
    parts: parts.filter(({ part }) => part.includes('/')).map(({ part }) => ({ part, ...stateOf(reasons.get(part)) })),
    spool,
  };
}

/** The report is stored as `jsonb`, which rejects NUL and unpaired surrogates. A driver's message must not make the heartbeat fail. */
function stateOf(reason: string | undefined): { readonly ok: boolean; readonly reason?: string } {
  return reason === undefined ? { ok: true } : { ok: false, reason: textExcerpt(Buffer.from(reason), ENGINE_REASON_BYTES_MAX) };
}
