import type { EngineReport } from '../../shared/base/engine-report.js';
import { HEALTH_QUEUE_COUNT_MAX } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';

export interface FeedHead {
  readonly position: number;
  readonly unnumbered: number;
}

export async function readFeedHead(database: Queryable): Promise<FeedHead> {
  const { rows } = await database.query<FeedHead>({
    name: 'read_feed_head',
    text: `SELECT last_position::float8 AS position,
             (SELECT count(*)::integer FROM config_feed WHERE position IS NULL) AS unnumbered
           FROM config_feed_state`,
    values: [],
  });
  return rows[0] ?? { position: 0, unnumbered: 0 };
}

export interface EngineHealthRow {
  readonly id: string;
  readonly heartbeat_at: Date;
  readonly left: boolean;
  /** Not in touch with the database, though the server itself has been there long enough. */
  readonly silent: boolean;
  readonly feed_lag: number | null;
  readonly behind_since: Date | null;
  readonly report: EngineReport | null;
}

/** Oldest first. A position of another feed, from before the database was restored, says nothing about this one. */
export async function readEngineHealth(database: Queryable, silentAfterSeconds: number): Promise<readonly EngineHealthRow[]> {
  const { rows } = await database.query<EngineHealthRow>({
    name: 'read_engine_health',
    text: `
      SELECT engine.id, engine.heartbeat_at, engine.left_at IS NOT NULL AS left, engine.report,
        greatest(engine.heartbeat_at, pg_postmaster_start_time()) < now() - make_interval(secs => $1) AS silent,
        CASE WHEN applied.position IS NOT NULL THEN greatest(0, state.last_position - applied.position)::float8 END AS feed_lag,
        CASE WHEN applied.position < state.last_position THEN (
          SELECT fed.created_at FROM config_feed AS fed WHERE fed.position > applied.position ORDER BY fed.position LIMIT 1
        ) END AS behind_since
      FROM engines AS engine
      CROSS JOIN config_feed_state AS state
      CROSS JOIN LATERAL (
        SELECT CASE WHEN starts_with(engine.applied_epoch, state.epoch::text) THEN engine.applied_position END AS position
      ) AS applied
      ORDER BY engine.id`,
    values: [silentAfterSeconds],
  });
  return rows;
}

export interface QueueDepth {
  readonly due: number;
  readonly scheduled: number;
  readonly due_since: Date | null;
}

/** Of the environment's endpoints, each looked at as far as the bound: a backlog of clicks is not counted whole. */
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
