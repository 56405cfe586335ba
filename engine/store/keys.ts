import { CODEC_VERSION, decodeRecord, type StoredRecord } from '../../shared/feed/codec.js';
import type {
  AliasRecord,
  CampaignRecord,
  DomainRecord,
  EnvironmentRecord,
  FeedCursor,
  LinkRecord,
  MetadataApiRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../shared/records/records.js';
import type { StoreEnvironment } from './environment.js';

/**
 * Keys of the configuration store. The type of each key is bound to that of its values. There is one LMDB database, with one
 * letter per space. Numbers have a fixed width, so that keys sort like `ORDER BY number` and a bootstrap writes nearly in key
 * order.
 */
declare const boundValue: unique symbol;
export type StoreKey<Value> = string & { readonly [boundValue]: Value };

const NUMBER_DIGITS = 6; // base 36: 36^6 is more than the 2^31 numbers that an environment can have

function fixedWidth(environmentNumber: number): string {
  return environmentNumber.toString(36).padStart(NUMBER_DIGITS, '0');
}

/** The first part of a link's key, built once for each environment. There are few environments, and this is on the path of every visit. */
const linkPrefixes = new Map<number, string>();

function linkPrefix(environmentNumber: number): string {
  let prefix = linkPrefixes.get(environmentNumber);
  if (prefix === undefined) {
    prefix = `l${fixedWidth(environmentNumber)}/`;
    linkPrefixes.set(environmentNumber, prefix);
  }
  return prefix;
}

export function linkKey(environmentNumber: number, path: string): StoreKey<LinkRecord> {
  return (linkPrefix(environmentNumber) + path) as StoreKey<LinkRecord>;
}

/** `address` is a host in lower case, a slash, and a path in its normal form (`aliasPath`). */
export function aliasKey(environmentNumber: number, address: string): StoreKey<AliasRecord> {
  return `b${fixedWidth(environmentNumber)}/${address}` as StoreKey<AliasRecord>;
}

/** Parses a key made by `linkKey`; returns null for a key of another space. */
export function parseLinkKey(key: string): { readonly environment_number: number; readonly path: string } | null {
  if (!key.startsWith('l')) return null;
  return { environment_number: Number.parseInt(key.slice(1, 1 + NUMBER_DIGITS), 36), path: key.slice(NUMBER_DIGITS + 2) };
}

export function environmentKey(environmentNumber: number): StoreKey<EnvironmentRecord> {
  return `e${fixedWidth(environmentNumber)}` as StoreKey<EnvironmentRecord>;
}

export function resourceTypeKey(environmentNumber: number, id: string): StoreKey<ResourceTypeRecord> {
  return `r${fixedWidth(environmentNumber)}/${id}` as StoreKey<ResourceTypeRecord>;
}

export function templateKey(environmentNumber: number, id: string): StoreKey<TemplateRecord> {
  return `t${fixedWidth(environmentNumber)}/${id}` as StoreKey<TemplateRecord>;
}

export function campaignKey(environmentNumber: number, id: string): StoreKey<CampaignRecord> {
  return `c${fixedWidth(environmentNumber)}/${id}` as StoreKey<CampaignRecord>;
}

export function domainKey(environmentNumber: number, id: string): StoreKey<DomainRecord> {
  return `d${fixedWidth(environmentNumber)}/${id}` as StoreKey<DomainRecord>;
}

/** Keyed by the resource type to which it belongs, because a type has only one. */
export function metadataApiKey(environmentNumber: number, resourceTypeId: string): StoreKey<MetadataApiRecord> {
  return `a${fixedWidth(environmentNumber)}/${resourceTypeId}` as StoreKey<MetadataApiRecord>;
}

/** All objects of a kind: `start` is inclusive, `end` exclusive. */
export interface KeyRange<Value> {
  readonly start: string;
  readonly end: string;
  readonly [boundValue]?: Value;
}

export const LINK_RANGE: KeyRange<LinkRecord> = { start: 'l', end: 'm' };
export const ENVIRONMENT_RANGE: KeyRange<EnvironmentRecord> = { start: 'e', end: 'f' };
export const RESOURCE_TYPE_RANGE: KeyRange<ResourceTypeRecord> = { start: 'r', end: 's' };
export const TEMPLATE_RANGE: KeyRange<TemplateRecord> = { start: 't', end: 'u' };

export const CAMPAIGN_RANGE: KeyRange<CampaignRecord> = { start: 'c', end: 'd' };
export const DOMAIN_RANGE: KeyRange<DomainRecord> = { start: 'd', end: 'e' };
export const METADATA_API_RANGE: KeyRange<MetadataApiRecord> = { start: 'a', end: 'b' };

/** The objects from which the compiled table is built. */
export const TABLE_RANGES: readonly KeyRange<StoredRecord>[] = [
  ENVIRONMENT_RANGE,
  RESOURCE_TYPE_RANGE,
  TEMPLATE_RANGE,
  CAMPAIGN_RANGE,
  DOMAIN_RANGE,
  METADATA_API_RANGE,
];

export const CURSOR_KEY = 'm/cursor' as StoreKey<FeedCursor>;

/** The codec version of the whole generation, as decimal text, which is readable in any codec. */
export const CODEC_KEY = 'm/codec';

/** Counts the transactions that changed the sources of the compiled table, as decimal text. */
export const TABLES_KEY = 'm/tables';

/** How far a generation has been filled (generation-builder.ts), as JSON. It is of no use once the generation is whole. */
export const PROGRESS_KEY = 'm/progress';

/**
 * Which sources of the compiled table changed lately (table-changes.ts), in a whole generation. It takes the place of the progress, because
 * releases that do not know it take every other key for that of a record, and would rebuild the copy after a way back to them.
 */
export const TABLE_CHANGES_KEY = PROGRESS_KEY;

/** Values under these keys are plain texts, not records. */
export const TEXT_KEYS: ReadonlySet<string> = new Set([CODEC_KEY, TABLES_KEY, PROGRESS_KEY]);

/** Returns the record under the key, undefined if there is none, or null if its bytes are damaged. Throws LMDB's errors. */
export function readRecord<Record extends StoredRecord>(environment: StoreEnvironment, key: StoreKey<Record>): Record | undefined | null {
  const bytes = environment.getBinaryFast(key);
  return bytes === undefined ? undefined : decodeRecord<Record>(key, bytes, bytes.length);
}

/** Returns the numbers of the stored environments, by id. Throws LMDB's errors. */
export function readEnvironmentNumbers(environment: StoreEnvironment): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { key, value } of environment.getRange(ENVIRONMENT_RANGE)) {
    const record = decodeRecord<EnvironmentRecord>(key, value, value.length);
    if (record !== null) numbers.set(record.id, record.number);
  }
  return numbers;
}

/** Reads a number stored as decimal text; 0 if there is none. */
export function readNumber(environment: StoreEnvironment, key: string): number {
  const bytes = environment.getBinaryFast(key);
  return bytes === undefined ? 0 : Number(bytes.toString('latin1', 0, bytes.length));
}

/** Notes this process's codec in a generation. */
export function noteOurCodec(environment: StoreEnvironment): void {
  environment.putSync(CODEC_KEY, Buffer.from(String(CODEC_VERSION)));
}

/** Whether the generation is written in this process's codec. */
export function speaksOurCodec(environment: StoreEnvironment): boolean {
  return readNumber(environment, CODEC_KEY) === CODEC_VERSION;
}
