import type { ListedKey } from '../../shared/contract/schemas/key.js';
import type { Scope } from '../../shared/contract/schemas/scopes.js';
import { type Cursors, type PageRequest, pagedList } from '../http/cursor.js';
import type { Operations } from '../http/operation.js';
import { type KeyRow, readKeyName, readKeys } from './keys.js';

export function keyOperations(cursors: Cursors): Pick<Operations, 'getKey' | 'listKeys'> {
  const list = pagedList(cursors, 'listKeys', 'key');
  return {
    getKey: {
      async handle({ caller }, database) {
        const { keyId, scopes, environment } = caller;
        return { body: { id: keyId, environment: environment.name, name: await readKeyName(database, keyId), scopes: scopes as Scope[] } };
      },
    },
    listKeys: {
      check: list.errors,
      async handle(call, database) {
        const { caller, query } = call;
        const select = (page: PageRequest) => readKeys(database, caller.environment.id, query.status ?? null, page);
        return { body: await list.page(call, select, listedKey) };
      },
    },
  };
}

function listedKey(row: KeyRow): ListedKey {
  return {
    id: row.id,
    environment: row.environment,
    name: row.name,
    kind: row.kind,
    scopes: [...row.scopes],
    prefix: row.prefix,
    last4: row.last4,
    status: row.revoked_at === null ? 'active' : 'revoked',
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
