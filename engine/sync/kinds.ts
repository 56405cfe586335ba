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
  ALIASES,
  CAMPAIGNS,
  DOMAINS,
  ENVIRONMENTS,
  LINKS,
  METADATA_APIS,
  type NumberedLinkRow,
  type PageKey,
  RESOURCE_TYPES,
  readById,
  readPage,
  type Source,
  TEMPLATES,
} from './sources.js';

/**
 * What the engine needs to know about a kind of object to keep a copy of it. A new kind needs a row in `KINDS`, a key space in
 * `store/keys.ts` and a shape in `shared/feed/codec.ts`; nothing else in the synchronisation changes.
 */
export interface Kind {
  readonly kind: FeedKind;
  /** Whether the compiled table is built from it. */
  readonly changesTable: boolean;
  /** Returns the objects that exist, in the form in which the store keeps them. */
  read(client: ClientBase, ids: readonly string[]): Promise<readonly StoreChange[]>;
  /** Returns the key of an object that is gone, from its feed row. */
  keyOf(environmentNumber: number, objectKey: string): StoreChange['key'];
  /**
   * Returns the next objects after the key (null for the first ones) in the form in which the store keeps them, and the key
   * after which to continue, null at the end.
   */
  readPage(client: ClientBase, after: PageKey | null, limit: number): Promise<ChangesPage>;
}

export interface ChangesPage {
  readonly changes: readonly StoreChange[];
  readonly last: PageKey | null;
}

function environmentChange(row: EnvironmentRow): StoreChange {
  return { id: row.id, key: environmentKey(row.number), record: environmentRecordFromRow(row), changesTable: true };
}

function linkChange(row: NumberedLinkRow): StoreChange {
  return { id: row.id, key: linkKey(row.environment_number, row.path), record: linkRecordFromRow(row), changesTable: false };
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

function kindOf<Row>(
  kind: FeedKind,
  source: Source<Row>,
  { changeOf, keyOf, changesTable }: { readonly changeOf: (row: Row) => StoreChange } & Pick<Kind, 'keyOf' | 'changesTable'>,
): Kind {
  return {
    kind,
    changesTable,
    keyOf,
    read: async (client, ids) => (await readById(client, source, ids)).map(changeOf),
    async readPage(client, after, limit) {
      const { rows, last } = await readPage(client, source, after, limit);
      return { changes: rows.map(changeOf), last };
    },
  };
}

/** In the order of `FEED_KINDS`. The compiler rejects a kind without an entry. */
const BY_KIND: { readonly [Name in FeedKind]: Kind } = {
  environment: kindOf('environment', ENVIRONMENTS, {
    changeOf: environmentChange,
    keyOf: (_number, objectKey) => environmentKey(Number(objectKey)),
    changesTable: true,
  }),
  link: kindOf('link', LINKS, { changeOf: linkChange, keyOf: linkKey, changesTable: false }),
  alias: kindOf('alias', ALIASES, { changeOf: aliasChange, keyOf: aliasKey, changesTable: false }),
  resource_type: kindOf('resource_type', RESOURCE_TYPES, { changeOf: resourceTypeChange, keyOf: resourceTypeKey, changesTable: true }),
  url_template: kindOf('url_template', TEMPLATES, { changeOf: templateChange, keyOf: templateKey, changesTable: true }),
  campaign: kindOf('campaign', CAMPAIGNS, { changeOf: campaignChange, keyOf: campaignKey, changesTable: true }),
  domain: kindOf('domain', DOMAINS, { changeOf: domainChange, keyOf: domainKey, changesTable: true }),
  metadata_api: kindOf('metadata_api', METADATA_APIS, { changeOf: metadataApiChange, keyOf: metadataApiKey, changesTable: true }),
};

export const KINDS: readonly Kind[] = FEED_KINDS.map((kind) => BY_KIND[kind]);
