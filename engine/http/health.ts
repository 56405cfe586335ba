import type { EngineReport } from '../../shared/base/engine-report.js';
import type { ProcessStatus } from '../supervisor/supervisor.js';

/**
 * A child says `alive` every second, so this long without is no accident; together with the supervisor's tick it turns the
 * page red well inside the 15 s of promise W12.
 */
export const SILENT_RED_MS = 5_000;

/** Nothing has served for so long that restarting the whole engine is the last thing left to try. */
export const LIVE_DEADLINE_MS = 60_000;

export interface ReportedPart {
  /** `redirect-0`, or `background/sync` for a part inside a process. */
  readonly part: string;
  readonly ok: boolean;
  readonly reason: string;
}

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  readonly parts: readonly ReportedPart[];
}

export interface ReportedProcess {
  readonly name: string;
  readonly pid: number | null;
  readonly mode: ProcessStatus['mode'];
  readonly restarts: number;
}

/**
 * `/health/ready` of the admin port: for people and monitors. It is red while PostgreSQL is away, since clicks and webhooks
 * then wait. A load balancer asks `/health/ready` of the link hosts themselves, which is red only while a process drains:
 * redirects go on without PostgreSQL.
 */
export interface EngineHealth extends HealthReport {
  readonly processes: readonly ReportedProcess[];
}

function processReason(status: ProcessStatus): string {
  if (status.mode === 'waiting') return 'the process keeps ending and waits to be started again';
  if (status.mode !== 'serving' && status.mode !== 'replacing') return `the process is ${status.mode}`;
  if (status.silent_ms === null) return 'the process has not reported yet';
  if (status.silent_ms > SILENT_RED_MS) return `the process has been silent for ${Math.floor(status.silent_ms / 1000)} s`;
  return '';
}

/** Every part with its reason. Parts of a process that itself is red are left out: what they last said is no news. */
export function readiness(processes: readonly ProcessStatus[]): EngineHealth {
  const parts: ReportedPart[] = [];
  for (const status of processes) {
    const reason = processReason(status);
    parts.push({ part: status.name, ok: reason === '', reason });
    if (reason === '')
      for (const { part, ok, reason: why } of status.parts) parts.push({ part: `${status.name}/${part}`, ok, reason: ok ? '' : why });
  }
  return {
    status: parts.every(({ ok }) => ok) ? 'ok' : 'failing',
    parts,
    processes: processes.map(({ name, pid, mode, restarts }) => ({ name, pid, mode, restarts })),
  };
}

/** The same for whoever reads the engine's row: names and states alone, since reasons speak of the operator's network. */
export function reportOf({ parts, processes }: EngineHealth, spool: EngineReport['spool']): EngineReport {
  const failing = new Set(parts.filter(({ ok }) => !ok).map(({ part }) => part));
  return {
    processes: processes.map(({ name, restarts }) => ({ name, ok: !failing.has(name), restarts })),
    parts: parts.filter(({ part }) => part.includes('/')).map(({ part, ok }) => ({ part, ok })),
    spool,
  };
}

export function serves(status: ProcessStatus): boolean {
  return processReason(status) === '';
}
