import type { Pool } from 'pg';

export const AUTO_DISABLED_REASON = 'no successful delivery for 3 days';

/** Disables the endpoints whose failure streak began at or before `failingSince`; answers their ids. */
export async function autoDisableEndpoints(pool: Pool, failingSince: Date, now: Date): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'auto_disable_endpoints',
    text: `
      UPDATE webhook_endpoints
      SET status = 'auto_disabled', disabled_at = $2, disabled_reason = $3, updated_at = $2
      WHERE status = 'active' AND failing_since <= $1
      RETURNING id`,
    values: [failingSince, now, AUTO_DISABLED_REASON],
  });
  return rows.map((row) => row.id);
}
