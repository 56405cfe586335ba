import type { Pool } from 'pg';

export interface EndpointTarget {
  readonly id: string;
  readonly url: string;
  /** Sealed for `webhookSecretPlace(id)`. */
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_secret_expires_at: Date | null;
}

/** Where to send, and what to sign with. Read after each claim, so that a changed URL or secret holds for the next delivery. */
export async function endpointTargets(pool: Pool, ids: readonly string[]): Promise<readonly EndpointTarget[]> {
  const { rows } = await pool.query<EndpointTarget>({
    name: 'endpoint_targets',
    text: `
      SELECT id, url, secret, previous_secret, previous_secret_expires_at
      FROM webhook_endpoints
      WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}
