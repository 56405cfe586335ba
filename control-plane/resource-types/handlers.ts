import { idAt } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import { RESOURCE_TYPES_MAX } from '../../shared/base/limits.js';
import type { ResourceType, ResourceTypePatch } from '../../shared/contract/schemas/resource-type.js';
import type { Database } from '../db/database.js';
import { lockObjectCounts } from '../environment/lock.js';
import { type Cursors, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { pathRowReader } from '../http/path-row-reader.js';
import { refuse, refuseTaken } from '../http/problems.js';
import { type ResourceTypeRow, resourceTypeOfRow } from './resource-type-row.js';
import * as sql from './sql.js';

export interface ResourceTypeDependencies {
  readonly cursors: Cursors;
}

type ResourceTypeOperations = Pick<Operations, 'listResourceTypes' | 'createResourceType' | 'getResourceType' | 'updateResourceType'>;

export function resourceTypeOperations({ cursors }: ResourceTypeDependencies): ResourceTypeOperations {
  const list = pagedList(cursors, 'listResourceTypes', 'resourceType');
  return {
    listResourceTypes: {
      check: list.errors,
      async handle(call, database) {
        const { caller, query } = call;
        const select = (page: PageRequest) => sql.listResourceTypes(database, caller.environment.id, query.status ?? null, page);
        return { body: await list.page(call, select, resourceTypeOfRow) };
      },
    },
    createResourceType: {
      async handle(call, database) {
        const type = await createResourceType(call, database);
        return { body: type, location: `/resource-types/${type.id}`, committed: { feed: 'followed' } };
      },
    },
    getResourceType: {
      handle: async (call, database) => ({ body: resourceTypeOfRow(await requireResourceType(call, database)) }),
    },
    updateResourceType: {
      handle: async (call, database) => ({ body: await updateResourceType(call, database), committed: { feed: 'followed' } }),
    },
  };
}

const requireResourceType = pathRowReader({ parameter: 'type', kind: 'resourceType', noun: 'resource type', find: sql.findResourceType });

async function createResourceType(call: Call<'createResourceType'>, database: Database): Promise<ResourceType> {
  const { body, nowMs } = call;
  const environmentId = call.caller.environment.id;
  const created = new Date(nowMs);
  const row: ResourceTypeRow = {
    id: idAt('resourceType', nowMs),
    key: body.key,
    name: body.name,
    status: 'active',
    created_at: created,
    updated_at: created,
  };
  await database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, environmentId);
    if (await sql.keyIsTaken(transaction, environmentId, row.key))
      throw refuseTaken('/key', `The key "${row.key}" is taken. Keys of archived types stay taken.`);
    if ((await sql.countResourceTypes(transaction, environmentId)) >= RESOURCE_TYPES_MAX)
      throw refuse('conflict', `An environment has at most ${RESOURCE_TYPES_MAX} resource types that are not archived: archive one first.`);
    await sql.insertResourceType(transaction, environmentId, row);
  });
  return resourceTypeOfRow(row);
}

async function updateResourceType(call: Call<'updateResourceType'>, database: Database): Promise<ResourceType> {
  return database.transaction(async (transaction) => {
    const before = await requireResourceType(call, transaction, sql.lockResourceType);
    call.requireMatch(resourceTypeOfRow(before));
    const after = patchedResourceType(before, call.body, call.nowMs);
    if (after === before) return resourceTypeOfRow(before);
    if (before.status === 'archived') throw refuse('conflict', 'The resource type is archived and can no longer be changed.');
    await sql.updateResourceType(transaction, after);
    return resourceTypeOfRow(after);
  });
}

/** The row after a change, or the same row if nothing differs. */
function patchedResourceType(row: ResourceTypeRow, patch: ResourceTypePatch, nowMs: number): ResourceTypeRow {
  const name = patch.name ?? row.name;
  const status = patch.status ?? row.status;
  if (name === row.name && status === row.status) return row;
  return { ...row, name, status, updated_at: laterThan(row.updated_at, nowMs) };
}
