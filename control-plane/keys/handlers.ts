import type { Scope } from '../../shared/contract/schemas/scopes.js';
import type { Operations } from '../http/operation.js';
import { readKeyName } from './keys.js';

export function keyOperations(): Pick<Operations, 'getKey'> {
  return {
    getKey: {
      async handle({ caller }, database) {
        const { keyId, scopes, environment } = caller;
        return { body: { id: keyId, environment: environment.name, name: await readKeyName(database, keyId), scopes: scopes as Scope[] } };
      },
    },
  };
}
