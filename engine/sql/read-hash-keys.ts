import type { ClientBase } from 'pg';
import type { HashKeysRow } from './add-hash-keys.js';

/** The keys of the days that have any. */
export async function readHashKeys(client: ClientBase, days: readonly string[]): Promise<readonly HashKeysRow[]> {
  const { rows } = await client.query<HashKeysRow>({
    name: 'read_hash_keys',
    text: 'SELECT day::text AS day, visitor_key, address_key FROM hash_keys WHERE day = ANY ($1::date[])',
    values: [days],
  });
  return rows;
}
