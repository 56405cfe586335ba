import type { PartHealth } from '../../shared/base/part-health.js';
import type { EngineHealth, ProcessStatus } from '../processes/health.js';

/**
 * A child sends `alive` every second, so this long without a message is not an accident. Together with the supervisor's tick it
 * turns the page red well inside the 15 s of promise W12.
 */
export const SILENT_RED_MS = 5_000;

/** If nothing has served for this long, restarting the whole engine is the last thing left to try. */
export const LIVE_DEADLINE_MS = 60_000;

function processReason(status: ProcessStatus): string {
  if (status.mode === 'waiting') return 'the process keeps crashing and waits to be restarted';
  if (status.mode !== 'serving' && status.mode !== 'replacing') return `the process is ${status.mode}`;
  if (status.silent_ms === null) return 'the process has not reported yet';
  if (status.silent_ms > SILENT_RED_MS) return `the process has not reported for ${Math.floor(status.silent_ms / 1000)} s`;
  return '';
}

/** Returns every part with its reason. Parts of a red process are left out, because what they last reported is out of date. */
export function readiness(processes: readonly ProcessStatus[]): EngineHealth {
  const parts: PartHealth[] = [];
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

export function serves(status: ProcessStatus): boolean {
  return processReason(status) === '';
}
