import type { ClientBase } from 'pg';
import { type AliasRow, aliasRecordFromRow } from '../../shared/feed/alias-row.js';
import { type CampaignRow, campaignRecordFromRow } from '../../shared/feed/campaign-row.js';
import {
  type EnvironmentRow,
  environmentRecordFromRow,
  linkRecordFromRow,
  type ResourceTypeRow,
  resourceTypeRecordFromRow,
  type TemplateRow,
  templateRecordFromRow,
} from '../../shared/feed/codec.js';
import { type DomainRow, domainRecordFromRow } from '../../shared/feed/domain-row.js';
import { type MetadataApiRow, metadataApiRecordFromRow } from '../../shared/feed/metadata-api-row.js';
import { FEED_KINDS, type FeedKind } from '../../shared/records/records.js';
import { aliasKey, campaignKey, domainKey, environmentKey, linkKey, metadataApiKey, resourceTypeKey, templateKey } from '../store/keys.js';
import type { StoreChange } from '../store/store-change.js';
import {
  type NumberedLinkRow,
  readAliasesById,
  readCampaignsById,
  readDomainsById,
  readEnvironmentsById,
  readLinksById,
  readMetadataApisById,
  readResourceTypesById,
  readTemplatesById,
  SCAN_ALIASES,
  SCAN_CAMPAIGNS,
  SCAN_DOMAINS,
  SCAN_ENVIRONMENTS,
  SCAN_LINKS,
  SCAN_METADATA_APIS,
  SCAN_RESOURCE_TYPES,
  SCAN_TEMPLATES,
} from './sql.js';

/**
 * What the engine has to know of a kind of object to keep a copy of it. A new kind is a row in `KINDS`, a key space in
 * `store/keys.ts` and a shape in `shared/feed/codec.ts`; nothing else of the synchronisation changes.
 */
export interface Kind {
  readonly kind: FeedKind;
  /** Whether the compiled table is built from it. */
  readonly changesTable: boolean;
  /** The objects that exist, as the store is to have them. */
  read(client: ClientBase, ids: readonly string[]): Promise<readonly StoreChange[]>;
  /** The key of an object that is gone, from its feed row. */
  keyOf(environmentNumber: number, objectKey: string): StoreChange['key'];
  /** The statement that yields every object, for a cursor, in key order; and its rows as the store is to have them. */
  readonly scan: string;
  fromScan(rows: readonly unknown[]): readonly StoreChange[];
}

function environmentChange(row: EnvironmentRow): StoreChange {
  return { id: row.id, key: environmentKey(row.number), record: environmentRecordFromRow(row), changesTable: true };
}

function linkChange(row: NumberedLinkRow): StoreChange {
  return {
    id: row.id,
    key: linkKey(row.environment_number, row.path),
    record: linkRecordFromRow(row),
    changesTable: false,
  };
}

function aliasChange(row: AliasRow): StoreChange {
  return { id: row.id, key: aliasKey(row.environment_number, row.address), record: aliasRecordFromRow(row), changesTable: false };
}

function resourceTypeChange(row: ResourceTypeRow): StoreChange {
  const record = resourceTypeRecordFromRow(row);
  return { id: row.id, key: resourceTypeKey(row.environment_number, row.id), record, changesTable: true };
}

function templateChange(row: TemplateRow): StoreChange {
  const record = templateRecordFromRow(row);
  return { id: row.id, key: templateKey(row.environment_number, row.id), record, changesTable: true };
}

function campaignChange(row: CampaignRow): StoreChange {
  return { id: row.id, key: campaignKey(row.environment_number, row.id), record: campaignRecordFromRow(row), changesTable: true };
}

function domainChange(row: DomainRow): StoreChange {
  return { id: row.id, key: domainKey(row.environment_number, row.id), record: domainRecordFromRow(row), changesTable: true };
}

function metadataApiChange(row: MetadataApiRow): StoreChange {
  const record = metadataApiRecordFromRow(row);
  return { id: row.id, key: metadataApiKey(row.environment_number, row.resource_type_id), record, changesTable: true };
}

const ENVIRONMENT: Kind = {
  kind: 'environment',
  changesTable: true,
  read: async (client, ids) => (await readEnvironmentsById(client, ids)).map(environmentChange),
  keyOf: (_number, objectKey) => environmentKey(Number(objectKey)),
  scan: SCAN_ENVIRONMENTS,
  fromScan: (rows) => (rows as readonly EnvironmentRow[]).map(environmentChange),
};

const LINK: Kind = {
  kind: 'link',
  changesTable: false,
  read: async (client, ids) => (await readLinksById(client, ids)).map(linkChange),
  keyOf: (number, objectKey) => linkKey(number, objectKey),
  scan: SCAN_LINKS,
  fromScan: (rows) => (rows as readonly NumberedLinkRow[]).map(linkChange),
};

const ALIAS: Kind = {
  kind: 'alias',
  changesTable: false,
  read: async (client, ids) => (await readAliasesById(client, ids)).map(aliasChange),
  keyOf: aliasKey,
  scan: SCAN_ALIASES,
  fromScan: (rows) => (rows as readonly AliasRow[]).map(aliasChange),
};

const RESOURCE_TYPE: Kind = {
  kind: 'resource_type',
  changesTable: true,
  read: async (client, ids) => (await readResourceTypesById(client, ids)).map(resourceTypeChange),
  keyOf: resourceTypeKey,
  scan: SCAN_RESOURCE_TYPES,
  fromScan: (rows) => (rows as readonly ResourceTypeRow[]).map(resourceTypeChange),
};

const URL_TEMPLATE: Kind = {
  kind: 'url_template',
  changesTable: true,
  read: async (client, ids) => (await readTemplatesById(client, ids)).map(templateChange),
  keyOf: templateKey,
  scan: SCAN_TEMPLATES,
  fromScan: (rows) => (rows as readonly TemplateRow[]).map(templateChange),
};

const CAMPAIGN: Kind = {
  kind: 'campaign',
  changesTable: true,
  read: async (client, ids) => (await readCampaignsById(client, ids)).map(campaignChange),
  keyOf: campaignKey,
  scan: SCAN_CAMPAIGNS,
  fromScan: (rows) => (rows as readonly CampaignRow[]).map(campaignChange),
};

const DOMAIN: Kind = {
  kind: 'domain',
  changesTable: true,
  read: async (client, ids) => (await readDomainsById(client, ids)).map(domainChange),
  keyOf: domainKey,
  scan: SCAN_DOMAINS,
  fromScan: (rows) => (rows as readonly DomainRow[]).map(domainChange),
};

const METADATA_API: Kind = {
  kind: 'metadata_api',
  changesTable: true,
  read: async (client, ids) => (await readMetadataApisById(client, ids)).map(metadataApiChange),
  keyOf: metadataApiKey,
  scan: SCAN_METADATA_APIS,
  fromScan: (rows) => (rows as readonly MetadataApiRow[]).map(metadataApiChange),
};

/** In the order of `FEED_KINDS`; the compiler refuses a kind without its row. */
const BY_KIND: { readonly [Name in FeedKind]: Kind } = {
  environment: ENVIRONMENT,
  link: LINK,
  alias: ALIAS,
  resource_type: RESOURCE_TYPE,
  url_template: URL_TEMPLATE,
  campaign: CAMPAIGN,
  domain: DOMAIN,
  metadata_api: METADATA_API,
};

export const KINDS: readonly Kind[] = FEED_KINDS.map((kind) => BY_KIND[kind]);
