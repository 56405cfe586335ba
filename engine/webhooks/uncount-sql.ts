import type { Pool } from 'pg';
import { columnsOf } from '../database/columns.js';
import type { ClaimedQueue } from './sql.js';

/** A claim of a row, with the row's key. */
export interface UncountedClaim {
  readonly id: string;
  readonly created_at: string;
  readonly claim_id: string;
}

/** Reverses the count of claims under which nothing was sent. The leases stay: they end soon, by themselves. */
export async function uncountClaims(pool: Pool, claims: readonly UncountedClaim[]): Promise<void> {
  await pool.query({
    name: 'uncount_claims',
    text: `
      UPDATE webhook_deliveries AS delivery
      SET claims = greatest(0, delivery.claims - 1)
      FROM unnest($1::text[], $2::timestamptz[], $3::uuid[]) AS claim (id, created_at, claim_id)
      WHERE delivery.id = claim.id AND delivery.created_at = claim.created_at AND delivery.claim_id = claim.claim_id`,
    values: columnsOf(claims, 'id', 'created_at', 'claim_id'),
  });
}

/** A claim that may or may not have been made. */
export interface UnknownClaim {
  readonly claimId: string;
  /** The queues that were claimed, and where the claim began in each; null at its head. */
  readonly queues: readonly Pick<ClaimedQueue, 'webhook_id' | 'manual' | 'since'>[];
}

/**
 * How many rows of each queue are searched. The deliveries of a queue that hosts have under way are at its head: each host has its
 * share of 128.
 */
const QUEUE_ROWS_MAX = 1024;

/**
 * Reverses the count of what the claim has taken, if it was made. No index leads to a claim, so the heads of the queues are
 * searched. Rows of the claim that are not found there count once more than they should.
 */
export async function uncountUnknownClaim(pool: Pool, claim: UnknownClaim): Promise<void> {
  await pool.query({
    name: 'uncount_unknown_claim',
    text: `
      WITH queue AS (
        SELECT webhook_id, manual, since FROM unnest($2::text[], $3::boolean[], $4::timestamptz[]) AS q (webhook_id, manual, since)
      ), head AS (
        SELECT automatic.* FROM queue CROSS JOIN LATERAL (${headOfQueue("= 'automatic'")}) AS automatic WHERE NOT queue.manual
        UNION ALL
        SELECT manual.* FROM queue CROSS JOIN LATERAL (${headOfQueue("<> 'automatic'")}) AS manual WHERE queue.manual
      ), taken AS MATERIALIZED (
        SELECT id, created_at FROM head WHERE claim_id = $1::uuid
      )
      UPDATE webhook_deliveries AS delivery
      SET claims = greatest(0, delivery.claims - 1)
      FROM taken
      WHERE delivery.id = taken.id AND delivery.created_at = taken.created_at AND delivery.claim_id = $1::uuid`,
    values: [claim.claimId, ...columnsOf(claim.queues, 'webhook_id', 'manual', 'since')],
  });
}

/** The rows that are searched of a queue, as SQL. */
function headOfQueue(kind: string): string {
  return `SELECT delivery.id, delivery.created_at, delivery.claim_id
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = queue.webhook_id AND delivery.due_at >= coalesce(queue.since, '-infinity')
            AND delivery.due_at <= statement_timestamp() AND delivery.kind ${kind}
          ORDER BY delivery.due_at
          LIMIT ${QUEUE_ROWS_MAX}`;
}
