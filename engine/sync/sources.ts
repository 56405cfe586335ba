import type { ClientBase } from 'pg';
import { ALIAS_RECORD_COLUMNS, type AliasRow } from '../../shared/feed/alias-row.js';
import { CAMPAIGN_RECORD_COLUMNS, type CampaignRow } from '../../shared/feed/campaign-row.js';
import {
  ENVIRONMENT_RECORD_COLUMNS,
  type EnvironmentRow,
  LINK_RECORD_COLUMNS,
  type LinkRow,
  RESOURCE_TYPE_RECORD_COLUMNS,
  type ResourceTypeRow,
  TEMPLATE_RECORD_COLUMNS,
  type TemplateRow,
} from '../../shared/feed/codec.js';
import { DOMAIN_RECORD_COLUMNS, type DomainRow } from '../../shared/feed/domain-row.js';
import { METADATA_API_RECORD_COLUMNS, type MetadataApiRow } from '../../shared/feed/metadata-api-row.js';

/** Values of the columns by which a table is paged: those of the last object of a page, as text. Empty texts come before every object. */
export type PageKey = readonly string[];

/** Where PostgreSQL stores the objects of a kind. */
export interface Source<Row> {
  readonly table: string;
  /** Select list over the table and its joins. */
  readonly columns: string;
  readonly joins: string;
  /** Selects the rows of the table that exist for the engine; the others are gone for it. All rows if absent. */
  readonly condition?: string;
  /**
   * Columns of a unique index by which the table is paged, all of them text in collation "C". Bootstraps write fastest if it is
   * also the order of the store's keys.
   */
  readonly key: readonly string[];
  readonly row?: Row;
}

/** A link with the environment number, with which its key in the store begins. */
export interface NumberedLinkRow extends LinkRow {
  readonly environment_number: number;
}

function inEnvironment(table: string): string {
  return `JOIN environments ON environments.id = ${table}.environment_id`;
}

export const ENVIRONMENTS: Source<EnvironmentRow> = {
  table: 'environments',
  columns: ENVIRONMENT_RECORD_COLUMNS,
  joins: 'JOIN projects ON projects.id = environments.project_id',
  key: ['id'],
};

/** Nearly in the order of the store's keys, because numbers and ids of environments grow together. */
export const LINKS: Source<NumberedLinkRow> = {
  table: 'links',
  columns: `${LINK_RECORD_COLUMNS}, environments.number AS environment_number`,
  joins: inEnvironment('links'),
  key: ['environment_id', 'path'],
};

export const ALIASES: Source<AliasRow> = {
  table: 'link_aliases',
  columns: ALIAS_RECORD_COLUMNS,
  joins: `JOIN links ON links.id = link_aliases.link_id ${inEnvironment('link_aliases')}`,
  key: ['environment_id', 'host', 'normal_path'],
};

export const RESOURCE_TYPES: Source<ResourceTypeRow> = {
  table: 'resource_types',
  columns: RESOURCE_TYPE_RECORD_COLUMNS,
  joins: inEnvironment('resource_types'),
  key: ['id'],
};

/** For the engine, an archived template is gone. */
export const TEMPLATES: Source<TemplateRow> = {
  table: 'url_templates',
  columns: TEMPLATE_RECORD_COLUMNS,
  joins: inEnvironment('url_templates'),
  condition: `url_templates.status <> 'archived'`,
  key: ['id'],
};

export const CAMPAIGNS: Source<CampaignRow> = {
  table: 'campaigns',
  columns: CAMPAIGN_RECORD_COLUMNS,
  joins: inEnvironment('campaigns'),
  key: ['id'],
};

/** For the engine, a domain that is not verified is gone. */
export const DOMAINS: Source<DomainRow> = {
  table: 'domains',
  columns: DOMAIN_RECORD_COLUMNS,
  joins: inEnvironment('domains'),
  condition: `domains.status = 'verified'`,
  key: ['id'],
};

export const METADATA_APIS: Source<MetadataApiRow> = {
  table: 'metadata_apis',
  columns: METADATA_API_RECORD_COLUMNS,
  joins: inEnvironment('metadata_apis'),
  key: ['id'],
};

/** Returns the objects with these ids that exist, in no particular order. */
export async function readById<Row>(client: ClientBase, source: Source<Row>, ids: readonly string[]): Promise<readonly Row[]> {
  const { table, columns, joins, condition = 'true' } = source;
  const { rows } = await client.query<Row & object>({
    name: `read_${table}_by_id`,
    text: `SELECT ${columns} FROM ${table} ${joins} WHERE ${table}.id = ANY ($1::text[]) AND ${condition}`,
    values: [ids],
  });
  return rows;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key after which to continue; null if there is nothing more. */
  readonly last: PageKey | null;
}

/** Returns the next objects after the key (null for the first ones), in the order of the source's key. */
export async function readPage<Row>(client: ClientBase, source: Source<Row>, after: PageKey | null, limit: number): Promise<Page<Row>> {
  const { table, columns, joins, condition = 'true', key } = source;
  const named = key.map((column) => `${table}.${column}`).join(', ');
  const { rows } = await client.query<Row & Readonly<Record<`key_${number}`, string>>>({
    name: `read_page_of_${table}`,
    // The page is cut before the joins, so that no more than its rows are read by the index, whatever plan the joins get.
    text: `SELECT ${columns}, ${key.map((column, n) => `${table}.${column} AS key_${n}`).join(', ')}
           FROM (SELECT * FROM ${table}
                 WHERE (${named}) > (${key.map((_column, n) => `$${n + 2}::text`).join(', ')}) AND ${condition}
                 ORDER BY ${named} LIMIT $1) AS ${table} ${joins}
           ORDER BY ${named}`,
    values: [limit, ...(after ?? key.map(() => ''))],
  });
  const end = rows.length < limit ? undefined : rows.at(-1);
  return { rows, last: end === undefined ? null : key.map((_column, n) => end[`key_${n}`] as string) };
}
