import {
  metadataSecretPlace,
  type SecretKeys,
  seal,
  sealedHead,
  sealedKeyId,
  unseal,
  webhookSecretPlace,
} from '../../shared/secrets/seal.js';
import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';

/**
 * Seals every stored credential again with the current key. Run it after all processes have the new SECRETS_KEYS (the new key first, the
 * old one behind it). After that, no stored credential needs the old key; a day later, neither do stored responses of idempotency keys,
 * which expire by themselves. Remove the old key 90 days later, because stores may send click ids that it has signed. Rotation may be
 * stopped at any moment and run again: it skips what is sealed with the current key. A credential that changes meanwhile is left as it is.
 */
export interface Rotation {
  /** Number of credentials that were sealed again with the current key. */
  readonly resealed: number;
  /** Places whose value no key in SECRETS_KEYS can open. They are left as they are. */
  readonly unreadable: readonly string[];
}

export interface RotateOptions {
  /** Number of rows of one statement. */
  readonly batchRows?: number;
  /** Called after each batch with the number of credentials that were sealed again so far. */
  readonly onProgress?: (resealed: number) => void;
}

/** A column of sealed values. The names are constants and never come from outside. */
interface SealedColumn {
  readonly table: 'webhook_endpoints' | 'metadata_apis';
  readonly column: 'secret' | 'previous_secret';
  readonly place: (id: string) => string;
  /** Inserts the feed rows of what was `written`, if engines have a copy of the value. */
  readonly feed?: string;
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', column: 'secret', place: webhookSecretPlace },
  { table: 'webhook_endpoints', column: 'previous_secret', place: webhookSecretPlace },
  {
    table: 'metadata_apis',
    column: 'secret',
    place: metadataSecretPlace,
    feed: `${FEED_INSERT} SELECT 'metadata_api', environment_id, id, resource_type_id FROM written`,
  },
];

const BATCH_ROWS = 500;

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/** Reads the next rows whose value does not begin like those sealed with the current key. */
async function readOutdated(
  database: Queryable,
  { table, column }: SealedColumn,
  page: { readonly afterId: string; readonly currentHead: Buffer; readonly rows: number },
): Promise<readonly SealedRow[]> {
  const { rows } = await database.query<SealedRow>({
    text: `SELECT id, ${column} AS sealed FROM ${table}
           WHERE id > $1 AND ${column} IS NOT NULL
             AND substring(${column} FROM 1 FOR octet_length($2::bytea)) <> $2::bytea
           ORDER BY id LIMIT $3`,
    values: [page.afterId, page.currentHead, page.rows],
  });
  return rows;
}

interface Resealed extends SealedRow {
  readonly renewed: Buffer;
}

/** Replaces the values that have not changed meanwhile, with feed rows for engines that have a copy. Returns how many. */
async function replace(database: Queryable, { table, column, feed }: SealedColumn, rows: readonly Resealed[]): Promise<number> {
  const update = `UPDATE ${table} SET ${column} = given.renewed
           FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS given (id, sealed, renewed)
           WHERE ${table}.id = given.id AND ${table}.${column} = given.sealed`;
  const { rowCount } = await database.query({
    text: feed === undefined ? update : `WITH written AS (${update} RETURNING ${table}.*) ${feed}`,
    values: [rows.map((row) => row.id), rows.map((row) => row.sealed), rows.map((row) => row.renewed)],
  });
  return rowCount;
}

/** Returns the plain value, or null if none of the keys can open it, because it was sealed with a lost key or altered. */
function open(secretKeys: SecretKeys, place: string, sealed: Buffer): string | null {
  if (!secretKeys.keys.has(sealedKeyId(sealed))) return null;
  try {
    return unseal(secretKeys, place, sealed);
  } catch {
    // The cipher's error only says that the value does not belong to this key and place. The caller reports the place.
    return null;
  }
}

export async function rotateSecrets(database: Queryable, secretKeys: SecretKeys, options: RotateOptions = {}): Promise<Rotation> {
  const rows = options.batchRows ?? BATCH_ROWS;
  const currentHead = sealedHead(secretKeys);
  const unreadable: string[] = [];
  let resealed = 0;
  for (const column of SEALED_COLUMNS) {
    for (let afterId = ''; ; ) {
      const outdated = await readOutdated(database, column, { afterId, currentHead, rows });
      const last = outdated.at(-1);
      if (last === undefined) break;
      afterId = last.id;
      const renewed: Resealed[] = [];
      for (const row of outdated) {
        const place = column.place(row.id);
        const secret = open(secretKeys, place, row.sealed);
        if (secret === null) unreadable.push(`${column.table}/${row.id}/${column.column}`);
        else renewed.push({ ...row, renewed: seal(secretKeys, place, secret) });
      }
      resealed += await replace(database, column, renewed);
      options.onProgress?.(resealed);
    }
  }
  return { resealed, unreadable };
}
