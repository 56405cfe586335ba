import { isStorable } from '../../shared/base/issue.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { STATS_RANGE_DEFAULT } from '../../shared/contract/schemas/stats.js';
import { itemIdIssues } from '../../shared/metadata/request.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Queryable } from '../db/database.js';
import { bodyErrors } from '../http/issue-errors.js';
import type { Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, refuseFields } from '../http/problems.js';
import { triedPathErrors } from '../links/tried-url.js';
import type { MetadataCaller } from '../metadata-api/call.js';
import type { LongCalls } from '../stats/long-calls.js';
import { findTypeByKey, invalidateItems } from './invalidate.js';
import { previewPath } from './preview.js';
import { resourceStats } from './stats.js';

export interface ResourceDependencies {
  readonly caller: MetadataCaller;
  readonly clickStore: ClickStore;
  readonly longCalls: LongCalls;
}

type ResourceOperations = Pick<Operations, 'invalidateResources' | 'previewResource' | 'getResourceStats'>;

export function resourceOperations({ caller, clickStore, longCalls }: ResourceDependencies): ResourceOperations {
  return {
    invalidateResources: {
      check: invalidationErrors,
      async handle(call, database) {
        const { resource_type, ids } = call.body;
        const environmentId = call.caller.environment.id;
        const typeId = await findTypeByKey(database, environmentId, resource_type);
        if (typeId === null) throw refuseFields([unknownType()]);
        const removed = await invalidateItems(database, environmentId, typeId, ids);
        return { body: { resource_type, requested: ids.length, removed }, committed: { feed: 'followed' } };
      },
    },
    previewResource: {
      check: ({ body }) => triedPathErrors(body.path),
      async plan(call, database) {
        const body = await previewPath(call, database, caller);
        return async () => ({ body });
      },
    },
    getResourceStats: {
      async handle(call, database) {
        const range = call.query.range ?? STATS_RANGE_DEFAULT;
        const { id } = call.caller.environment;
        const body = await longCalls.answer({ database, clickStore }, { environmentId: id, gone: call.gone?.() ?? null }, (source) =>
          resourceStats(source, id, range, call.nowMs),
        );
        return { body };
      },
    },
  };
}

function unknownType(): FieldError {
  return fieldError('body', '/resource_type', 'unknown_resource_type', 'is not a resource type of this environment');
}

async function invalidationErrors({ body, caller }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const { resource_type: key, ids } = body;
  const errors = Array.isArray(ids)
    ? [...bodyErrors(ids.flatMap((id: unknown, index) => (typeof id === 'string' ? itemIdIssues(id, `/ids/${index}`) : [])))]
    : [];
  const lookedUp = typeof key === 'string' && isStorable(key);
  if (lookedUp && (await findTypeByKey(database, caller.environment.id, key)) === null) errors.push(unknownType());
  return errors;
}
