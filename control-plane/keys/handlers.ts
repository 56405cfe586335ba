import type { ListedKey } from '../../shared/contract/schemas/key.js';
import type { Scope } from '../../shared/contract/schemas/scopes.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Operations } from '../http/operation.js';
import { type KeyRow, readKeyName, readKeys } from './keys.js';

export function keyOperations(cursors: Cursors): Pick<Operations, 'getKey' | 'listKeys'> {
  return {
    getKey: {
      async handle({ caller }, database) {
        const { keyId, scopes, environment } = caller;
        return { body: { id: keyId, environment: environment.name, name: await readKeyName(database, keyId), scopes: scopes as Scope[] } };
      },
    },
    listKeys: {
      check: ({ caller, query }) => cursorErrors(cursors, listName(caller), 'key', query.cursor),
      async handle({ caller, query }, database) {
        const page = pageRequest(cursors, listName(caller), 'key', query);
        const rows = await readKeys(database, caller.environment.id, query.status ?? null, page);
        return { body: pageOf(cursors, listName(caller), 'key', { items: rows.map(listedKey), limit: page.limit }) };
      },
    },
  };
}

function listName(caller: Caller): string {
  return `listKeys/${caller.environment.id}`;
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
