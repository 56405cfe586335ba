import type { EngineReport } from '../../shared/base/engine-report.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { Queryable } from '../db/database.js';
import { controlPlaneFaults, type Fault, faultsOf } from './faults.js';
import { type Readings, readInstallation } from './readings.js';
import type { EngineRow } from './sql.js';

/** The whole installation, for its operator. Times have the format of `Date.toISOString`. */
export interface Installation {
  /** `degraded` if there is any problem. */
  readonly status: 'ok' | 'degraded';
  readonly checked_at: string;
  /** What is wrong, and since when, if that is known. */
  readonly problems: readonly { readonly what: string; readonly since: string | null }[];
  /** The process that answered; null if only the database was read. */
  readonly control_plane: { readonly parts: readonly PartHealth[] } | null;
  /** What the database has; null while it cannot be read. */
  readonly stored: Stored | null;
}

export interface Stored {
  readonly feed: {
    /** Number of changes of configuration that were numbered. */
    readonly position: number;
    /** Number of changes that wait to be numbered. */
    readonly unnumbered: number;
    readonly unnumbered_since: string | null;
  };
  readonly clicks: {
    /** Number of clicks in the log that are not in figures yet. */
    readonly uncounted: number;
    readonly uncounted_since: string | null;
  };
  readonly engines: readonly Engine[];
}

export interface Engine {
  /** Id of the host's data folder, which is the same after a restart. */
  readonly id: string;
  /** `silent`: not in touch with the database, though it may still redirect. `left`: it was stopped. */
  readonly status: 'ok' | 'failing' | 'silent' | 'left';
  readonly heartbeat_at: string;
  /** The roles of its host: `redirect`, `background`, `webhooks`. */
  readonly roles: readonly string[];
  /** Number of changes of configuration that it has not applied; null before it has followed the feed. */
  readonly feed_lag: number | null;
  /** When the oldest of those was made. */
  readonly behind_since: string | null;
  /** As the engine last reported them; null before its first report. */
  readonly processes: EngineReport['processes'] | null;
  readonly parts: EngineReport['parts'] | null;
  readonly spool: EngineReport['spool'];
}

/** Reads the installation from the database alone. Throws the errors of queries. */
export async function storedInstallation(database: Queryable): Promise<Installation & { readonly stored: Stored }> {
  const readings = await readInstallation(database);
  return { ...summaryOf(faultsOf(readings, []), readings.feed.checked_at), control_plane: null, stored: storedOf(readings) };
}

/** Reads the installation, including the parts of this process. Reads the database only if its parts say that it can be read. */
export async function wholeInstallation(database: Queryable, parts: readonly PartHealth[], nowMs: number): Promise<Installation> {
  const isReadable = parts.every(({ part, ok }) => ok || (part !== 'database' && part !== 'schema'));
  if (!isReadable) return { ...summaryOf(controlPlaneFaults(parts), new Date(nowMs)), control_plane: { parts }, stored: null };
  const readings = await readInstallation(database);
  return { ...summaryOf(faultsOf(readings, parts), readings.feed.checked_at), control_plane: { parts }, stored: storedOf(readings) };
}

function summaryOf(faults: readonly Fault[], checkedAt: Date): Pick<Installation, 'status' | 'checked_at' | 'problems'> {
  return {
    status: faults.length === 0 ? 'ok' : 'degraded',
    checked_at: checkedAt.toISOString(),
    problems: faults.map(({ what, since }) => ({ what, since: timeOf(since) })),
  };
}

function storedOf({ feed, clicks, engines }: Readings): Stored {
  return {
    feed: { position: feed.position, unnumbered: feed.unnumbered, unnumbered_since: timeOf(feed.unnumbered_since) },
    clicks: { uncounted: clicks.uncounted, uncounted_since: timeOf(clicks.uncounted_since) },
    engines: engines.map(engineOf),
  };
}

function engineOf(row: EngineRow): Engine {
  const { id, roles, report, feed_lag, heartbeat_at: heartbeatAt, behind_since: since } = row;
  return {
    id,
    status: statusOf(row),
    heartbeat_at: heartbeatAt.toISOString(),
    roles,
    feed_lag,
    behind_since: timeOf(since),
    processes: report?.processes ?? null,
    parts: report?.parts ?? null,
    spool: report?.spool ?? null,
  };
}

function statusOf({ left, silent, report }: EngineRow): Engine['status'] {
  if (left) return 'left';
  if (silent) return 'silent';
  return report !== null && [...report.processes, ...report.parts].some(({ ok }) => !ok) ? 'failing' : 'ok';
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
