import type { ClientBase } from 'pg';
import { CONNECTION_DEMAND_QUERY, type ConnectionDemand } from '../../shared/base/database-connections.js';
import type { EngineReport } from '../../shared/base/engine-report.js';
import type { FeedCursor } from '../../shared/records/records.js';

/** An engine's row, as another engine sees it. The set in the row is not read, because n engines would each read n sets of n. */
export interface EngineRow {
  readonly id: string;
  readonly beat: string;
  /** Whether the reader is in the set that the engine acts by. */
  readonly knows_me: boolean;
  /** Whether it has the role of calling metadata APIs. An engine without it is in no set, and keeps its row for other reasons. */
  readonly calls: boolean;
  /** Whether it has the role of delivering webhooks, and has not left. */
  readonly delivers: boolean;
}

/** The owner of a row: the engine, and the process that maintains the row. */
export interface EngineOwner {
  readonly id: string;
  readonly session: string;
}

/** What is known of an engine's host from its start. */
export interface EngineProfile {
  readonly roles: readonly string[];
  /** The maximum number of connections to PostgreSQL itself that the host may open. */
  readonly connections: number;
}

export async function readEngines(client: ClientBase, self: string): Promise<readonly EngineRow[]> {
  const { rows } = await client.query<EngineRow>({
    name: 'read_engines',
    text: `SELECT id, beat::text AS beat, $1::uuid = ANY (members) AS knows_me, 'background' = ANY (roles) AS calls,
             'webhooks' = ANY (roles) AND left_at IS NULL AS delivers
           FROM engines`,
    values: [self],
  });
  return rows;
}

/** The bytes of "engs". Engines join one after the other, so that each sees the row of the previous one. */
const JOIN_LOCK = 0x656e_6773;

/** Must be called in the transaction that inserts a row, before it reads or writes any. */
export async function lockEngines(client: ClientBase): Promise<void> {
  await client.query({ name: 'lock_engines', text: 'SELECT pg_advisory_xact_lock($1)', values: [JOIN_LOCK] });
}

export async function insertEngine(
  client: ClientBase,
  { id, session }: EngineOwner,
  { roles, connections }: EngineProfile,
  members: readonly string[],
): Promise<void> {
  await client.query({
    name: 'insert_engine',
    text: 'INSERT INTO engines (id, session, members, roles, connections) VALUES ($1, $2, $5, $3, $4)',
    values: [id, session, roles, connections, members],
  });
}

/** Removes a row that this process has inserted without learning of it, because the connection broke at the commit. */
export async function removeOwnEngine(client: ClientBase, { id, session }: EngineOwner): Promise<void> {
  await client.query({ name: 'remove_own_engine', text: 'DELETE FROM engines WHERE id = $1 AND session = $2', values: [id, session] });
}

/** Assigns the row to this process, if it still exists. Returns the set in it and its newest batch of figures; null if it is gone. */
export async function takeOverEngine(
  client: ClientBase,
  { id, session }: EngineOwner,
  { roles, connections }: EngineProfile,
): Promise<{ readonly members: readonly string[]; readonly figures_batch: number } | null> {
  const { rows } = await client.query<{ members: readonly string[]; figures_batch: number }>({
    name: 'take_over_engine',
    text: `UPDATE engines SET session = $2, beat = beat + 1, heartbeat_at = now(), left_at = NULL, roles = $3, connections = $4
           WHERE id = $1 RETURNING members, figures_batch::float8 AS figures_batch`,
    values: [id, session, roles, connections],
  });
  return rows[0] ?? null;
}

/** What an engine reports about itself. */
export interface EngineBeat {
  /** The set of engines that it acts by; null if the row has it already. */
  readonly members: readonly string[] | null;
  /** How far it has followed the feed; null until that is known. */
  readonly applied: FeedCursor | null;
  readonly report: EngineReport | null;
}

/** Reports that the engine is alive, and its state. Returns false if the row is gone or belongs to another process. */
export async function beatEngine(
  client: ClientBase,
  { id, session }: EngineOwner,
  { members, applied, report }: EngineBeat,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'beat_engine',
    text: `UPDATE engines SET members = coalesce($3, members), beat = beat + 1, heartbeat_at = now(),
             applied_epoch = coalesce($4, applied_epoch), applied_position = coalesce($5::bigint, applied_position),
             report = coalesce($6::jsonb, report)
           WHERE id = $1 AND session = $2`,
    values: [id, session, members, applied?.epoch ?? null, applied?.position ?? null, report === null ? null : JSON.stringify(report)],
  });
  return rowCount === 1;
}

/** Reports how far the engine has followed the feed. Returns false if the row is gone or belongs to another process. */
export async function acknowledgeFeed(client: ClientBase, { id, session }: EngineOwner, { epoch, position }: FeedCursor): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'acknowledge_feed',
    text: `UPDATE engines SET heartbeat_at = now(), applied_epoch = $3, applied_position = $4 WHERE id = $1 AND session = $2`,
    values: [id, session, epoch, position],
  });
  return rowCount === 1;
}

/** Records that the engine makes no more calls, and that its last call ended `quietMs` ago. */
export async function leaveEngines(client: ClientBase, { id, session }: EngineOwner, quietMs: number): Promise<void> {
  await client.query({
    name: 'leave_engines',
    text: `UPDATE engines SET left_at = now() - make_interval(secs => $3::float8 / 1000), beat = beat + 1
           WHERE id = $1 AND session = $2`,
    values: [id, session, quietMs],
  });
}

export async function readConnectionDemand(client: ClientBase): Promise<ConnectionDemand> {
  const { rows } = await client.query<ConnectionDemand>(CONNECTION_DEMAND_QUERY);
  return rows[0] as ConnectionDemand;
}

/** Removes the rows of engines that left more than `settlingMs` ago. */
export async function forgetLeftEngines(client: ClientBase, settlingMs: number): Promise<void> {
  await client.query({
    name: 'forget_left_engines',
    text: 'DELETE FROM engines WHERE left_at < now() - make_interval(secs => $1::float8 / 1000)',
    values: [settlingMs],
  });
}

/** Removes the row of an engine that ended without leaving, if it has not changed since it was read. */
export async function forgetSilentEngine(client: ClientBase, { id, beat }: Pick<EngineRow, 'id' | 'beat'>): Promise<void> {
  await client.query({ name: 'forget_silent_engine', text: 'DELETE FROM engines WHERE id = $1 AND beat = $2', values: [id, beat] });
}
