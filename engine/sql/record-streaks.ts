import type { PoolClient } from 'pg';

/** What a batch of outcomes says about an endpoint's failure streak. */
export interface StreakChange {
  readonly webhook_id: string;
  /** There was a success of any kind: what came before it is over. */
  readonly succeeded: boolean;
  /** The first failed automatic attempt after the last success of the batch; null where there is none. */
  readonly failed_at: Date | null;
}

/** Keeps `failing_since`. Touches a row only where its value changes: an endpoint that works is never written. */
export async function recordStreaks(client: PoolClient, changes: readonly StreakChange[]): Promise<void> {
  await client.query({
    name: 'record_streaks',
    text: `
      UPDATE webhook_endpoints AS endpoint
      SET failing_since = change.failed_at
      FROM unnest($1::text[], $2::boolean[], $3::timestamptz[]) AS change (webhook_id, succeeded, failed_at)
      WHERE endpoint.id = change.webhook_id
        AND (endpoint.failing_since IS NULL OR change.succeeded)
        AND endpoint.failing_since IS DISTINCT FROM change.failed_at`,
    values: [
      changes.map((change) => change.webhook_id),
      changes.map((change) => change.succeeded),
      changes.map((change) => change.failed_at),
    ],
  });
}
