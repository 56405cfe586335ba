import { resourceTypeRecordFromRow, templateRecordFromRow } from '../../shared/feed/codec.js';
import type { ResourceTypeRecord, TemplateRecord } from '../../shared/records/records.js';
import { compileTemplates, type TemplateMatcher, type TemplateRoute } from '../../shared/resolve/compile.js';
import { matchTemplate } from '../../shared/resolve/match.js';
import { type CompiledTemplate, templateRoute } from '../../shared/resolve/template-route.js';
import type { Queryable } from '../db/database.js';
import { listTriedTemplates, type TriedTemplateRow } from './sql.js';

/** A stored template, with its type, as the engine reads it. */
export function templateRecords(row: TriedTemplateRow): { readonly template: TemplateRecord; readonly type: ResourceTypeRecord } {
  const type = { id: row.resource_type_id, environment_number: row.environment_number, key: row.type_key, status: row.type_status };
  return { template: templateRecordFromRow(row), type: resourceTypeRecordFromRow(type) };
}

/** A stored template compiled together with its `data`; null if this code does not accept its record. */
export function routeOfRow(row: TriedTemplateRow): TemplateRoute<CompiledTemplate> | null {
  const { template, type } = templateRecords(row);
  return templateRoute(template, type, row.data);
}

/** A matcher that finds the template for a path, with the engine's code. */
export function templateMatcher(rows: readonly TriedTemplateRow[]): TemplateMatcher<CompiledTemplate> {
  return compileTemplates(rows.map(routeOfRow).filter((route) => route !== null));
}

/** Whether the path matches the pattern of a template of the environment that is not archived, whether or not it is active. */
export async function leadsToTemplate(database: Queryable, environmentId: string, path: string): Promise<boolean> {
  const rows = await listTriedTemplates(database, environmentId, { path, archived: false });
  return matchTemplate(templateMatcher(rows), path).template !== null;
}
