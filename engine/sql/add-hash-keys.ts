import type { ClientBase } from 'pg';

export interface HashKeysRow {
  /** `2026-11-20` */
  readonly day: string;
  readonly visitor_key: Buffer;
  readonly address_key: Buffer;
}

/** Proposes keys for days; a day that has keys keeps them, so that all shippers of all hosts come to hash alike. */
export async function addHashKeys(client: ClientBase, proposed: readonly HashKeysRow[]): Promise<void> {
  await client.query({
    name: 'add_hash_keys',
    text: `
      INSERT INTO hash_keys (day, visitor_key, address_key)
      SELECT day, visitor_key, address_key
      FROM unnest($1::date[], $2::bytea[], $3::bytea[]) AS given (day, visitor_key, address_key)
      ORDER BY day
      ON CONFLICT (day) DO NOTHING`,
    values: [proposed.map((row) => row.day), proposed.map((row) => row.visitor_key), proposed.map((row) => row.address_key)],
  });
}
