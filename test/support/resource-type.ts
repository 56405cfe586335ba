import type { Queryable } from '../../control-plane/db/database.js';
import { newId } from '../../shared/base/ids.js';

/** A resource type as the API makes it. */
export async function insertResourceType(database: Queryable, environmentId: string, key: string): Promise<string> {
  const id = newId('resourceType');
  await database.query({
    text: `INSERT INTO resource_types (id, environment_id, key, name, created_at, updated_at) VALUES ($1, $2, $3, 'A type', now(), now())`,
    values: [id, environmentId, key],
  });
  return id;
}

export interface TemplateColumns {
  readonly environmentId: string;
  readonly resourceTypeId: string;
  readonly pathPattern: string;
  readonly status?: 'active' | 'disabled' | 'archived';
}

/** A URL template of it, as the API makes it. */
export async function insertTemplate(database: Queryable, columns: TemplateColumns): Promise<string> {
  const id = newId('urlTemplate');
  await database.query({
    text: `INSERT INTO url_templates (id, environment_id, resource_type_id, path_pattern, id_format, deep_link_path, data, status,
             created_at, updated_at)
           VALUES ($1, $2, $3, $4, '{"kind":"preset","preset":"alnum"}', '/{type}/{id}', '{"item":"{id}"}', $5, now(), now())`,
    values: [id, columns.environmentId, columns.resourceTypeId, columns.pathPattern, columns.status ?? 'active'],
  });
  return id;
}
