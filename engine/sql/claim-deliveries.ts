import type { Pool } from 'pg';

export type DeliveryKind = 'automatic' | 'replay' | 'test';

/** A row as its worker needs it. Together with `claim_id` the pair (id, created_at) is what an outcome is written by. */
export interface ClaimedDelivery {
  readonly id: string;
  /** PostgreSQL's text of it: a Date would cut microseconds off, and the row would not be found again. */
  readonly created_at: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly kind: DeliveryKind;
  readonly attempt: number;
}

export interface Claim {
  /** The fence: an outcome is written only where the row still carries it. */
  readonly claimId: string;
  readonly webhookIds: readonly string[];
  /** How many rows of each endpoint, in the order of `webhookIds`. */
  readonly slots: readonly number[];
  /** Where the search in each endpoint's queue begins (`due-endpoints.ts`), in the same order; null searches it whole. */
  readonly since: readonly (Date | null)[];
  readonly now: Date;
  readonly leaseEndsAt: Date;
}

/**
 * Leases due rows: a row belongs to whoever made the claim until `leaseEndsAt`, after which it may be claimed anew and
 * another claim id replaces this one. One statement, committed before anything is sent. What a claim writes stands in no
 * index: a heap-only update, 14 µs a row where one of three indexes took 48.
 *
 * A pending row is sent itself, also again after its lease has ended: attempt and id stay. A retrying row is the log of
 * an attempt that failed: it leaves the queue, and the next attempt is a row of its own.
 *
 * FOR UPDATE SKIP LOCKED stands inside LATERAL, so that each endpoint's share is a scan of its own range of
 * webhook_deliveries_due that stops at its slots. One ORDER BY due_at over all endpoints would let the longest queue
 * take every slot. Rows of an endpoint that is not active are passed over, but for replays and tests, which were asked for by hand.
 */
export async function claimDeliveries(pool: Pool, claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>({
    name: 'claim_deliveries',
    text: `
      WITH slots AS (
        SELECT webhook_id, slots, since FROM unnest($1::text[], $2::integer[], $6::timestamptz[]) AS s (webhook_id, slots, since)
      ), due AS MATERIALIZED (
        SELECT picked.id, picked.created_at, picked.status
        FROM slots
        JOIN webhook_endpoints AS endpoint ON endpoint.id = slots.webhook_id
        CROSS JOIN LATERAL (
          SELECT delivery.id, delivery.created_at, delivery.status
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at >= coalesce(slots.since, '-infinity') AND delivery.due_at <= $3::timestamptz
            AND (delivery.leased_until IS NULL OR delivery.leased_until <= $3::timestamptz)
            AND (endpoint.status = 'active' OR delivery.kind <> 'automatic')
          ORDER BY delivery.due_at
          LIMIT slots.slots
          FOR UPDATE SKIP LOCKED
        ) AS picked
      ), pending AS (
        UPDATE webhook_deliveries AS delivery
        SET leased_until = $4::timestamptz, claim_id = $5::uuid
        FROM due
        WHERE due.status = 'pending' AND delivery.id = due.id AND delivery.created_at = due.created_at
        RETURNING delivery.id, delivery.created_at, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.kind, delivery.attempt
      ), failed AS (
        UPDATE webhook_deliveries AS delivery
        SET due_at = NULL
        FROM due
        WHERE due.status = 'retrying' AND delivery.id = due.id AND delivery.created_at = due.created_at
        RETURNING delivery.webhook_id, delivery.environment_id, delivery.event_id, delivery.event_type, delivery.kind, delivery.attempt
      ), following AS (
        INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at, leased_until, claim_id)
        SELECT new_id('whd_', $3::timestamptz), date_trunc('milliseconds', $3::timestamptz), webhook_id, environment_id, event_id,
          event_type, kind, attempt + 1, 'pending', $3::timestamptz, $4::timestamptz, $5::uuid
        FROM failed
        RETURNING id, created_at, webhook_id, event_id, event_type, kind, attempt
      )
      SELECT id, created_at::text AS created_at, webhook_id, event_id, event_type, kind, attempt FROM pending
      UNION ALL
      SELECT id, created_at::text AS created_at, webhook_id, event_id, event_type, kind, attempt FROM following`,
    values: [claim.webhookIds, claim.slots, claim.now, claim.leaseEndsAt, claim.claimId, claim.since],
  });
  return rows;
}
