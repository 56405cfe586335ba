import { formatInstant } from '../../shared/base/instant.js';
import type { ResourceType } from '../../shared/contract/schemas/resource-type.js';

/** A row of `resource_types` as its statements read and write it. */
export interface ResourceTypeRow {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: ResourceType['status'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function resourceTypeOfRow(row: ResourceTypeRow): ResourceType {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    status: row.status,
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
