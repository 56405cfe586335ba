import { randomUUID } from 'node:crypto';
import type { EngineReport } from '../../shared/base/engine-report.js';
import { until } from './until.js';

/** The report of an engine that is well. */
export const WELL: EngineReport = {
  processes: [
    { name: 'redirect-0', ok: true, restarts: 0 },
    { name: 'background', ok: true, restarts: 0 },
  ],
  parts: [
    { part: 'redirect-0/link-hosts', ok: true },
    { part: 'background/config-sync', ok: true },
    { part: 'background/clicks', ok: true },
    { part: 'background/webhooks', ok: true },
    { part: 'background/previews', ok: true },
  ],
  spool: { pending_bytes: 0, dropped_clicks: 0 },
};

/** The same report with one process or part that fails. */
export function failing(name: string, reason: string): EngineReport {
  return {
    processes: WELL.processes.map((process) => (process.name === name ? { ...process, ok: false, reason } : process)),
    parts: WELL.parts.map((part) => (part.part === name ? { ...part, ok: false, reason } : part)),
    spool: WELL.spool,
  };
}

export interface EngineFacts {
  readonly heartbeatAgo?: string;
  readonly behind?: number;
  readonly report?: EngineReport | null;
  readonly left?: boolean;
  readonly otherFeed?: boolean;
}

type Rows = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Writes a row as an engine would have written it, beside those of other engines. Returns its id. */
export async function writeEngine(rows: Rows, facts: EngineFacts = {}): Promise<string> {
  const { heartbeatAgo = '1s', behind = 0, report = WELL, left = false, otherFeed = false } = facts;
  const id = randomUUID();
  await rows(
    `INSERT INTO engines (id, session, members, heartbeat_at, left_at, applied_epoch, applied_position, report)
     SELECT $1, $1, ARRAY[$1::uuid], now() - $2::interval, CASE WHEN $3 THEN now() END,
       CASE WHEN $6 THEN 'another' ELSE feed_epoch() END, state.last_position - $4, $5
     FROM config_feed_state AS state`,
    [id, heartbeatAgo, left, behind, report === null ? null : JSON.stringify(report), otherFeed],
  );
  return id;
}

/** Writes the row of the only engine. Returns its id. */
export async function writeOnlyEngine(rows: Rows, facts: EngineFacts = {}): Promise<string> {
  await rows('DELETE FROM engines');
  return writeEngine(rows, facts);
}

/** A server that came back a moment ago considers no engine silent. Resolves when the server of the tests has been there long enough. */
export async function untilSilenceCounts(rows: (text: string) => Promise<readonly { readonly counts: boolean }[]>): Promise<void> {
  const counts = async () => (await rows(`SELECT pg_postmaster_start_time() < now() - interval '11 s' AS counts`))[0]?.counts;
  await until(counts, 'the server to have run for 11 s', 20_000);
}
