import type { Health } from '../../shared/contract/schemas/health.js';
import type { EngineHealthRow, FeedHead, QueueDepth } from './sql.js';

/** Engines write every two seconds, and lag by that much in what is known of them. */
export const SILENT_AFTER_SECONDS = 10;
const BEHIND_MS_MAX = 10_000;

export interface HealthFacts {
  readonly nowMs: number;
  readonly parts: Health['control_plane']['parts'];
  readonly feed: FeedHead;
  readonly engines: readonly EngineHealthRow[];
  readonly queue: QueueDepth;
}

export function healthOf({ nowMs, parts, feed, engines: rows, queue }: HealthFacts): Health {
  const engines = rows.map(engineOf);
  // One that was stopped is neither well nor ill; it leaves the list by itself.
  const present = engines.filter(({ status }) => status !== 'left');
  const isBehind = present.some(({ behind_since: since }) => since !== null && nowMs - Date.parse(since) > BEHIND_MS_MAX);
  const isWell = parts.every(({ ok }) => ok) && present.length > 0 && present.every(({ status }) => status === 'ok') && !isBehind;
  return {
    status: isWell ? 'ok' : 'degraded',
    checked_at: new Date(nowMs).toISOString(),
    control_plane: { parts },
    feed,
    engines,
    webhook_queue: { due: queue.due, scheduled: queue.scheduled, due_since: queue.due_since?.toISOString() ?? null },
  };
}

function engineOf(row: EngineHealthRow): Health['engines'][number] {
  const { report } = row;
  return {
    id: row.id,
    status: statusOf(row),
    heartbeat_at: row.heartbeat_at.toISOString(),
    feed_lag: row.feed_lag,
    behind_since: row.behind_since?.toISOString() ?? null,
    processes: report === null ? null : report.processes.map(({ name, ok, restarts }) => ({ name, ok, restarts })),
    parts: report === null ? null : report.parts.map(({ part, ok }) => ({ part, ok })),
    spool: report?.spool ?? null,
  };
}

function statusOf({ left, silent, report }: EngineHealthRow): Health['engines'][number]['status'] {
  if (left) return 'left';
  if (silent) return 'silent';
  return report !== null && [...report.processes, ...report.parts].some(({ ok }) => !ok) ? 'failing' : 'ok';
}
