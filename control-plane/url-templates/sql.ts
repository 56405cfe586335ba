import { TEMPLATE_RECORD_COLUMNS, type TemplateRow } from '../../shared/feed/codec.js';
import { decodedPath } from '../../shared/resolve/segments.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { PageRequest } from '../http/cursor.js';
import type { UrlTemplateRow } from './url-template-row.js';

const SELECT_TEMPLATES = `SELECT template.id, template.resource_type_id, type.key AS resource_type, template.path_pattern, template.id_format,
    template.deep_link_path, template.data, template.redirects, template.allow_param_passthrough, template.status,
    template.created_at, template.updated_at
  FROM url_templates AS template JOIN resource_types AS type ON type.id = template.resource_type_id`;

/** How many templates of the type are not archived. */
export async function countTemplatesOfType(database: Queryable, resourceTypeId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM url_templates WHERE resource_type_id = $1 AND status <> 'archived'`,
    values: [resourceTypeId],
  });
  return rows[0]?.count ?? 0;
}

export interface TakenPattern {
  readonly id: string;
  readonly path_pattern: string;
}

/** The patterns that no other template may have: those of templates that are not archived, of all types. */
export async function listTakenPatterns(database: Queryable, environmentId: string): Promise<readonly TakenPattern[]> {
  const { rows } = await database.query<TakenPattern>({
    text: `SELECT id, path_pattern FROM url_templates WHERE environment_id = $1 AND status <> 'archived' ORDER BY id`,
    values: [environmentId],
  });
  return rows;
}

/** JSON as text, because what the driver makes of an object or an array depends on its type. */
function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Writes a new template and its feed row. */
export async function insertTemplate(database: Queryable, environmentId: string, row: UrlTemplateRow): Promise<void> {
  await database.query({
    text: `WITH written AS (
             INSERT INTO url_templates (id, environment_id, resource_type_id, path_pattern, id_format, deep_link_path, data, redirects,
               allow_param_passthrough, status, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
             RETURNING id, environment_id
           )
           ${FEED_INSERT} SELECT 'url_template', environment_id, id, id FROM written`,
    values: [
      row.id,
      environmentId,
      row.resource_type_id,
      row.path_pattern,
      json(row.id_format),
      row.deep_link_path,
      json(row.data),
      json(row.redirects),
      row.allow_param_passthrough,
      row.status,
      row.created_at.toISOString(),
      row.updated_at.toISOString(),
    ],
  });
}

const SELECT_TEMPLATE = `${SELECT_TEMPLATES} WHERE template.id = $2 AND template.environment_id = $1`;

export const findTemplate = rowReader<UrlTemplateRow>({ text: SELECT_TEMPLATE });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockTemplate = rowReader<UrlTemplateRow>({ text: `${SELECT_TEMPLATE} FOR NO KEY UPDATE OF template` });

export interface TemplateFilter {
  /** Null for every state except archived. */
  readonly status: UrlTemplateRow['status'] | null;
  readonly resourceTypeId: string | null;
}

/** Newest first by keyset, one row more than the page holds. */
export async function listTemplates(
  database: Queryable,
  environmentId: string,
  filter: TemplateFilter,
  page: PageRequest,
): Promise<readonly UrlTemplateRow[]> {
  const { rows } = await database.query<UrlTemplateRow>({
    text: `${SELECT_TEMPLATES}
           WHERE template.environment_id = $1 AND ($2::text IS NULL OR template.resource_type_id = $2)
             AND CASE WHEN $3::text IS NULL THEN template.status <> 'archived' ELSE template.status = $3 END
             AND ($4::text IS NULL OR template.id < $4)
           ORDER BY template.id DESC LIMIT $5`,
    values: [environmentId, filter.resourceTypeId, filter.status, page.belowId, page.limit + 1],
  });
  return rows;
}

/** Writes a changed template and its feed row. */
export async function updateTemplate(database: Queryable, row: UrlTemplateRow): Promise<void> {
  await database.query({
    text: `WITH written AS (
             UPDATE url_templates SET id_format = $2, deep_link_path = $3, data = $4, redirects = $5, allow_param_passthrough = $6,
               status = $7, updated_at = $8
             WHERE id = $1
             RETURNING id, environment_id
           )
           ${FEED_INSERT} SELECT 'url_template', environment_id, id, id FROM written`,
    values: [
      row.id,
      json(row.id_format),
      row.deep_link_path,
      json(row.data),
      json(row.redirects),
      row.allow_param_passthrough,
      row.status,
      row.updated_at.toISOString(),
    ],
  });
}

/** A template as the engine gets it, with what only an app gets, and its type. */
export interface TriedTemplateRow extends TemplateRow {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly type_key: string;
  readonly type_status: 'active' | 'archived';
}

/** Archived templates only explain why a path no longer leads anywhere, so the newest ones are enough. */
const ARCHIVED_TEMPLATES_MAX = 500;

const SELECT_TRIED = `SELECT ${TEMPLATE_RECORD_COLUMNS}, url_templates.data, resource_types.key AS type_key, resource_types.status AS type_status
  FROM url_templates JOIN environments ON environments.id = url_templates.environment_id
    JOIN resource_types ON resource_types.id = url_templates.resource_type_id`;

/** The template of a click, even if it is archived: what clicks on its items lead to still counts for them, as the clicks do. */
export const findClickedTemplate = rowReader<TriedTemplateRow>({
  name: 'find_clicked_template',
  text: `${SELECT_TRIED} WHERE url_templates.environment_id = $1 AND url_templates.id = $2`,
});

/** Which of the environment's templates are asked for: those that are archived, or those that are not. */
interface TriedTemplates {
  readonly path: string;
  readonly archived: boolean;
}

/**
 * The environment's templates that the path may lead to, and few others: the statement takes `{id}` for any text. Those of archived types
 * are not limited in number, and to compile all of them for each call would delay the calls of others.
 */
export async function listTriedTemplates(
  database: Queryable,
  environmentId: string,
  { path, archived }: TriedTemplates,
): Promise<readonly TriedTemplateRow[]> {
  const decoded = decodedPath(path);
  if (decoded === null) return [];
  const { rows } = await database.query<TriedTemplateRow>({
    text: `${SELECT_TRIED}
           WHERE url_templates.environment_id = $1 AND (url_templates.status = 'archived') = $2
             AND $4 LIKE replace(replace(url_templates.path_pattern, '_', '\\_'), '{id}', '%')
           ORDER BY url_templates.id DESC LIMIT CASE WHEN $2 THEN $3::integer END`,
    // PostgreSQL accepts no NUL, which is in no pattern.
    values: [environmentId, archived, ARCHIVED_TEMPLATES_MAX, decoded.replaceAll('\0', '\ufffd')],
  });
  return rows;
}
