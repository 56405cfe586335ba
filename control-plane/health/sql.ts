import { SERVER_CONNECTIONS } from '../../shared/base/database-connections.js';
import type { EngineReport } from '../../shared/base/engine-report.js';
import { HEALTH_QUEUE_COUNT_MAX } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';

/** Each `late` is computed with the clock of the database, which also wrote the times that it compares. */

export interface FeedState {
  /** By the clock of the database. */
  readonly checked_at: Date;
  readonly position: number;
  readonly unnumbered: number;
  /** When the oldest unnumbered change was made; null if there are none. */
  readonly unnumbered_since: Date | null;
  readonly late: boolean;
}

export async function readFeedState(database: Queryable, lateAfterSeconds: number): Promise<FeedState> {
  const { rows } = await database.query<FeedState>({
    name: 'read_feed_state',
    text: `
      SELECT now() AS checked_at, state.last_position::float8 AS position, waiting.changes AS unnumbered, waiting.since AS unnumbered_since,
        coalesce(waiting.since < now() - make_interval(secs => $1), false) AS late
      FROM config_feed_state AS state
      CROSS JOIN (
        SELECT count(*)::integer AS changes, min(created_at) AS since FROM config_feed WHERE position IS NULL
      ) AS waiting`,
    values: [lateAfterSeconds],
  });
  // The first migration inserts the only row.
  return rows[0] as FeedState;
}

export interface UncountedClicks {
  /** Number of clicks in the log that are not in figures yet. */
  readonly uncounted: number;
  /** When the oldest of them were stored; null if there are none. */
  readonly uncounted_since: Date | null;
  readonly late: boolean;
}

export async function readUncountedClicks(database: Queryable, lateAfterSeconds: number): Promise<UncountedClicks> {
  const { rows } = await database.query<UncountedClicks>({
    name: 'read_uncounted_clicks',
    text: `SELECT coalesce(sum(clicks), 0)::float8 AS uncounted, min(stored_at) AS uncounted_since,
             coalesce(min(stored_at) < now() - make_interval(secs => $1), false) AS late
           FROM click_batches`,
    values: [lateAfterSeconds],
  });
  return rows[0] as UncountedClicks;
}

export interface EngineRow {
  readonly id: string;
  readonly heartbeat_at: Date;
  readonly roles: readonly string[];
  readonly left: boolean;
  /** Not in touch with the database, although the server itself has been running long enough. */
  readonly silent: boolean;
  readonly feed_lag: number | null;
  readonly behind_since: Date | null;
  /** Behind for too long. */
  readonly late: boolean;
  readonly report: EngineReport | null;
}

/** Reads engines, oldest first. Ignores positions in a different feed, from before the database was restored. */
export async function readEngines(
  database: Queryable,
  { silentAfterSeconds, lateAfterSeconds }: { readonly silentAfterSeconds: number; readonly lateAfterSeconds: number },
): Promise<readonly EngineRow[]> {
  const { rows } = await database.query<EngineRow>({
    name: 'read_engine_health',
    text: `
      SELECT engine.id, engine.heartbeat_at, engine.roles, engine.left_at IS NOT NULL AS left, engine.report,
        greatest(engine.heartbeat_at, pg_postmaster_start_time()) < now() - make_interval(secs => $1) AS silent,
        CASE WHEN applied.position IS NOT NULL THEN greatest(0, state.last_position - applied.position)::float8 END AS feed_lag,
        lacking.created_at AS behind_since,
        coalesce(lacking.created_at < now() - make_interval(secs => $2), false) AS late
      FROM engines AS engine
      CROSS JOIN config_feed_state AS state
      CROSS JOIN LATERAL (
        SELECT CASE WHEN starts_with(engine.applied_epoch, state.epoch::text) THEN engine.applied_position END AS position
      ) AS applied
      LEFT JOIN LATERAL (
        SELECT fed.created_at FROM config_feed AS fed WHERE fed.position > applied.position ORDER BY fed.position LIMIT 1
      ) AS lacking ON applied.position < state.last_position
      ORDER BY engine.id`,
    values: [silentAfterSeconds, lateAfterSeconds],
  });
  return rows;
}

export interface QueueDepth {
  readonly due: number;
  readonly scheduled: number;
  readonly due_since: Date | null;
}

/** Counts deliveries to the environment's endpoints, up to a maximum for each, so that it need not count all of a backlog of clicks. */
export async function readQueueDepth(database: Queryable, environmentId: string): Promise<QueueDepth> {
  const { rows } = await database.query<QueueDepth>({
    name: 'read_queue_depth',
    text: `
      SELECT count(*) FILTER (WHERE queued.due_at <= now())::integer AS due,
        count(*) FILTER (WHERE queued.due_at > now())::integer AS scheduled,
        min(queued.due_at) FILTER (WHERE queued.due_at <= now()) AS due_since
      FROM webhook_endpoints AS endpoint
      CROSS JOIN LATERAL (
        SELECT delivery.due_at FROM webhook_deliveries AS delivery
        WHERE delivery.webhook_id = endpoint.id AND delivery.due_at IS NOT NULL
        ORDER BY delivery.due_at
        LIMIT $2
      ) AS queued
      WHERE endpoint.environment_id = $1`,
    values: [environmentId, HEALTH_QUEUE_COUNT_MAX],
  });
  return rows[0] ?? { due: 0, scheduled: 0, due_since: null };
}

export interface DatabaseFigures {
  readonly connections: number;
  /** Excludes those that are reserved for superusers. */
  readonly connections_max: number;
  readonly database_bytes: number;
  /** 0 if none is open. Only a member of pg_monitor can see when transactions of other roles began. */
  readonly oldest_transaction_seconds: number;
  /** Excludes sessions that make a base backup, as far as the role may see what they are. */
  readonly standbys: number;
  /** Null if there is no standby, or if the role may not see it. */
  readonly standby_lag_seconds: number | null;
  /** For how long archiving of the write-ahead log has failed or hung, in seconds; 0 if it works, null if archiving is off. */
  readonly archive_failing_seconds: number | null;
}

/** An archiver that has finished no file for this time, although files wait, is considered to hang. */
const ARCHIVE_HANGS_SECONDS = 300;

/**
 * Whether files before the current one wait to be archived. pg_stat_archiver shows only failures, and a command that hangs never fails.
 * After a file of another kind, such as the history of a timeline, this is unknown until the next file.
 */
const FILES_WAIT = `CASE WHEN NOT pg_is_in_recovery() AND last_archived_wal ~ '^[0-9A-F]{24}' THEN (
    SELECT div(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), bytes) - 1
      > ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * (4294967296 / bytes)
        + ('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint
    FROM pg_size_bytes(current_setting('wal_segment_size')) AS bytes
  ) ELSE false END`;

/** Reads only what every role may see. pg_stat_activity hides the backend types of other roles, so connections are counted by database. */
export async function readDatabaseFigures(database: Queryable, archiveHangsSeconds = ARCHIVE_HANGS_SECONDS): Promise<DatabaseFigures> {
  const { rows } = await database.query<DatabaseFigures>({
    name: 'read_database_figures',
    text: `
      SELECT (SELECT sum(numbackends)::integer FROM pg_stat_database) AS connections,
        ${SERVER_CONNECTIONS} AS connections_max,
        pg_database_size(current_database())::float8 AS database_bytes,
        (SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(xact_start))), 0)::float8 FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()) AS oldest_transaction_seconds,
        (SELECT count(*)::integer FROM pg_stat_replication
          WHERE state IS DISTINCT FROM 'backup' AND application_name IS DISTINCT FROM 'pg_basebackup') AS standbys,
        (SELECT extract(epoch FROM max(replay_lag))::float8 FROM pg_stat_replication) AS standby_lag_seconds,
        CASE WHEN current_setting('archive_mode') <> 'off' THEN (
          SELECT CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity')
              OR (last_archived_time < clock_timestamp() - make_interval(secs => $1) AND ${FILES_WAIT})
            THEN extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset)) ELSE 0 END::float8
          FROM pg_stat_archiver) END AS archive_failing_seconds`,
    values: [archiveHangsSeconds],
  });
  return rows[0] as DatabaseFigures;
}

/** Batches of clicks that were recorded as about to be stored in ClickHouse, and not yet as stored. */
export interface PendingBatches {
  readonly batches: number;
  /** 0 if there is none. */
  readonly oldest_seconds: number;
}

/** Uses the clock of the database, which also wrote when each batch was made. */
export async function readPendingBatches(database: Queryable): Promise<PendingBatches> {
  const { rows } = await database.query<PendingBatches>({
    name: 'read_pending_batches',
    text: `SELECT count(DISTINCT batch_id)::integer AS batches,
             coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(made_at))), 0)::float8 AS oldest_seconds
           FROM click_intents`,
    values: [],
  });
  return rows[0] as PendingBatches;
}
