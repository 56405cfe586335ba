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
import type { FeedCursor } from '../../shared/records/records.js';

const SELECT_ALIASES = `SELECT ${ALIAS_RECORD_COLUMNS}
  FROM link_aliases
  JOIN links ON links.id = link_aliases.link_id
  JOIN environments ON environments.id = link_aliases.environment_id`;

/** The aliases of these ids that exist, in no order. */
export async function readAliasesById(client: ClientBase, ids: readonly string[]): Promise<readonly AliasRow[]> {
  const { rows } = await client.query<AliasRow>({
    name: 'read_aliases_by_id',
    text: `${SELECT_ALIASES} WHERE link_aliases.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every alias, for a cursor, nearly in the order of the store's keys. */
export const SCAN_ALIASES = `${SELECT_ALIASES} ORDER BY environments.number, link_aliases.host, link_aliases.normal_path`;

const SELECT_CAMPAIGNS = `SELECT ${CAMPAIGN_RECORD_COLUMNS}
  FROM campaigns JOIN environments ON environments.id = campaigns.environment_id`;

/** The campaigns of these ids that exist, in no order. */
export async function readCampaignsById(client: ClientBase, ids: readonly string[]): Promise<readonly CampaignRow[]> {
  const { rows } = await client.query<CampaignRow>({
    name: 'read_campaigns_by_id',
    text: `${SELECT_CAMPAIGNS} WHERE campaigns.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every campaign, for a cursor, in the order of the store's keys. */
export const SCAN_CAMPAIGNS = `${SELECT_CAMPAIGNS} ORDER BY environments.number, campaigns.id`;

const SELECT_DOMAINS = `SELECT ${DOMAIN_RECORD_COLUMNS}
  FROM domains JOIN environments ON environments.id = domains.environment_id
  WHERE domains.status = 'verified'`;

/** The verified domains of these ids, in no order. To the engine every other one is gone. */
export async function readDomainsById(client: ClientBase, ids: readonly string[]): Promise<readonly DomainRow[]> {
  const { rows } = await client.query<DomainRow>({
    name: 'read_domains_by_id',
    text: `${SELECT_DOMAINS} AND domains.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every verified domain, for a cursor, in the order of the store's keys. */
export const SCAN_DOMAINS = `${SELECT_DOMAINS} ORDER BY environments.number, domains.id`;

const SELECT_ENVIRONMENTS = `SELECT ${ENVIRONMENT_RECORD_COLUMNS}
  FROM environments JOIN projects ON projects.id = environments.project_id`;

/** The environments of these ids that exist, in no order. */
export async function readEnvironmentsById(client: ClientBase, ids: readonly string[]): Promise<readonly EnvironmentRow[]> {
  const { rows } = await client.query<EnvironmentRow>({
    name: 'read_environments_by_id',
    text: `${SELECT_ENVIRONMENTS} WHERE environments.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every environment, for a cursor, in the order of the store's keys. */
export const SCAN_ENVIRONMENTS = `${SELECT_ENVIRONMENTS} ORDER BY environments.number`;

export interface FeedState {
  /** Where the feed ends. */
  readonly head: FeedCursor;
  /** Rows up to this position are gone. */
  readonly prunedPosition: number;
}

/**
 * The feed's identity and end.
 *
 * The epoch is made of everything that changes when positions may mean something else than before: the feed's own uuid;
 * the cluster (`system_identifier`: another server) and its timeline (a restore to an earlier time, a failover that may
 * have lost commits; from the WAL file name, because pg_control shows a new timeline only after the next checkpoint);
 * the database's oid (dropped and restored); the table's oid and file (restored with --clean, or truncated and filled
 * again). VACUUM FULL of the feed changes the file too: a needless bootstrap, and a harmless one. All of these functions
 * may be called by any user.
 */
export async function readFeedState(client: ClientBase): Promise<FeedState> {
  const { rows } = await client.query<{ epoch: string; position: number; mark: string; pruned_position: number }>({
    name: 'read_feed_state',
    text: `SELECT concat_ws(':', state.epoch, control.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
             (SELECT oid FROM pg_database WHERE datname = current_database()),
             'config_feed'::regclass::oid, pg_relation_filenode('config_feed')) AS epoch,
             state.last_position::float8 AS position,
             coalesce((SELECT ${FEED_MARK} FROM config_feed WHERE position = state.last_position), '') AS mark,
             state.pruned_position::float8 AS pruned_position
           FROM config_feed_state AS state, pg_control_system() AS control`,
  });
  const row = rows[0];
  if (row === undefined) throw new Error('config_feed_state has no row: the database is not migrated, or was emptied');
  return { head: { epoch: row.epoch, position: row.position, mark: row.mark }, prunedPosition: row.pruned_position };
}

/** What tells a feed row from another row that was given the same position by a server that went back in time. */
const FEED_MARK = `(config_feed.id || '@' || extract(epoch FROM config_feed.created_at))`;

export interface NumberedFeedRow {
  readonly position: number;
  readonly mark: string;
  /** A kind of `FEED_KINDS`, or one that a newer control plane knows. */
  readonly kind: string;
  readonly environment_id: string;
  /** Null where the environment is gone as well. */
  readonly environment_number: number | null;
  readonly object_id: string;
  readonly object_key: string | null;
}

/** Feed rows from the position on, that one included where it still is there, in order. */
export async function readFeed(client: ClientBase, fromPosition: number, limit: number): Promise<readonly NumberedFeedRow[]> {
  const { rows } = await client.query<NumberedFeedRow>({
    name: 'read_feed',
    text: `SELECT config_feed.position::float8 AS position, ${FEED_MARK} AS mark, config_feed.kind,
             config_feed.environment_id, environments.number AS environment_number, config_feed.object_id, config_feed.object_key
           FROM config_feed LEFT JOIN environments ON environments.id = config_feed.environment_id
           WHERE config_feed.position >= $1
           ORDER BY config_feed.position
           LIMIT $2`,
    values: [fromPosition, limit],
  });
  return rows;
}

/** A link with the number that its key in the store begins with. */
export interface NumberedLinkRow extends LinkRow {
  readonly environment_number: number;
}

const SELECT_LINKS = `SELECT ${LINK_RECORD_COLUMNS}, environments.number AS environment_number
  FROM links JOIN environments ON environments.id = links.environment_id`;

/** The links of these ids that exist, in no order. */
export async function readLinksById(client: ClientBase, ids: readonly string[]): Promise<readonly NumberedLinkRow[]> {
  const { rows } = await client.query<NumberedLinkRow>({
    name: 'read_links_by_id',
    text: `${SELECT_LINKS} WHERE links.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every link, for a cursor. The order is that of a unique index, and nearly that of the store's keys: numbers and ids of environments grow together. */
export const SCAN_LINKS = `${SELECT_LINKS} ORDER BY links.environment_id, links.path`;

const SELECT_METADATA_APIS = `SELECT ${METADATA_API_RECORD_COLUMNS}
  FROM metadata_apis JOIN environments ON environments.id = metadata_apis.environment_id`;

/** The metadata APIs of these ids that exist, in no order. */
export async function readMetadataApisById(client: ClientBase, ids: readonly string[]): Promise<readonly MetadataApiRow[]> {
  const { rows } = await client.query<MetadataApiRow>({
    name: 'read_metadata_apis_by_id',
    text: `${SELECT_METADATA_APIS} WHERE metadata_apis.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every metadata API, for a cursor, in the order of the store's keys. */
export const SCAN_METADATA_APIS = `${SELECT_METADATA_APIS} ORDER BY environments.number, metadata_apis.resource_type_id`;

const SELECT_RESOURCE_TYPES = `SELECT ${RESOURCE_TYPE_RECORD_COLUMNS}
  FROM resource_types JOIN environments ON environments.id = resource_types.environment_id`;

/** The resource types of these ids that exist, in no order. */
export async function readResourceTypesById(client: ClientBase, ids: readonly string[]): Promise<readonly ResourceTypeRow[]> {
  const { rows } = await client.query<ResourceTypeRow>({
    name: 'read_resource_types_by_id',
    text: `${SELECT_RESOURCE_TYPES} WHERE resource_types.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every resource type, for a cursor, in the order of the store's keys. */
export const SCAN_RESOURCE_TYPES = `${SELECT_RESOURCE_TYPES} ORDER BY environments.number, resource_types.id`;

const SELECT_TEMPLATES = `SELECT ${TEMPLATE_RECORD_COLUMNS}
  FROM url_templates JOIN environments ON environments.id = url_templates.environment_id
  WHERE url_templates.status <> 'archived'`;

/** The templates of these ids that are not archived, in no order. To the engine an archived one is gone. */
export async function readTemplatesById(client: ClientBase, ids: readonly string[]): Promise<readonly TemplateRow[]> {
  const { rows } = await client.query<TemplateRow>({
    name: 'read_templates_by_id',
    text: `${SELECT_TEMPLATES} AND url_templates.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every template that is not archived, for a cursor, in the order of the store's keys. */
export const SCAN_TEMPLATES = `${SELECT_TEMPLATES} ORDER BY environments.number, url_templates.id`;
