import { Packr } from 'msgpackr';
import { invariant } from '../base/invariant.js';
import { METADATA_FIELDS } from '../metadata/configuration.js';
import type { RememberedAnswer } from '../metadata/remembered.js';
import type { CharsetFormat, IdFormat, PresetFormat } from '../records/id-format.js';
import { LINK_FIELDS, linkFieldNames } from '../records/link-fields.js';
import { rulesText } from '../records/link-rules.js';
import {
  type AliasRecord,
  type AndroidApp,
  type BrandRecord,
  bySlot,
  type CampaignRecord,
  DESTINATION_SLOTS,
  type Destinations,
  type DomainRecord,
  type EnvironmentRecord,
  type FeedCursor,
  type IosApp,
  LINK_TEXTS,
  type LinkRecord,
  linkOfTexts,
  type MetadataApiRecord,
  type ResourceTypeRecord,
  type ResourceTypeState,
  type TemplateRecord,
  type TemplateState,
  UTM_FIELDS,
  type Utm,
} from '../records/records.js';
import { BLOCKED_DESTINATION } from '../resolve/destination.js';

/**
 * Records as bytes: msgpack without the member names, then a 32-bit checksum. Both ends know the member names from the
 * table below, so that bytes written by one process are read by any other of the same version.
 *
 * The checksum covers the key as well: a flipped bit in the store's own pages can lead from one key to another's value,
 * which would send one link's visitors to another's destination.
 *
 * Raise the version with every change of the table or of the meaning of a member. The checksum starts from it, so a
 * value of another version reads as damaged. The store also keeps it, so that a store of another version is
 * distinguished from a damaged one and rebuilt.
 *
 * 1: environments, links, feed cursor.
 * 2: resource types, URL templates.
 * 3: campaigns, domains.
 * 4: metadata APIs.
 * 5: remembered answers of metadata APIs.
 * 6: cards of links.
 * 7: aliases of links, settings of domains.
 * 8: rules of links.
 * 9: whether destinations receive the click's id.
 * 10: brands of environments, long links.
 */
export const CODEC_VERSION = 10;

const CHECKSUM_BYTES = 4;

/** The order is part of the format: the index in this table is the shape's number in the bytes. */
const STRUCTURES: readonly (readonly string[])[] = [
  Object.keys(linkOfTexts({ next: () => '' }, { state: 'active', expires_at_ms: 0, allow_param_passthrough: false })),
  DESTINATION_SLOTS,
  UTM_FIELDS,
  [
    'id',
    'number',
    'name',
    'project_name',
    'link_host',
    'open_host',
    'alias_hosts',
    'interstitial',
    'default_destinations',
    'ios_apps',
    'android_apps',
    'attribution_window_minutes',
    'append_click_id',
    'brand',
    'long_link_hosts',
    'long_link_path',
  ] satisfies (keyof EnvironmentRecord)[],
  ['team_id', 'bundle_id', 'app_store_url', 'uri_scheme'] satisfies (keyof IosApp)[],
  ['package_name', 'sha256_cert_fingerprints', 'play_store_url', 'uri_scheme'] satisfies (keyof AndroidApp)[],
  ['epoch', 'position', 'mark'] satisfies (keyof FeedCursor)[],
  ['id', 'environment_number', 'key', 'state'] satisfies (keyof ResourceTypeRecord)[],
  [
    'id',
    'environment_number',
    'resource_type_id',
    'state',
    'path_pattern',
    'id_format',
    'deep_link_path',
    'redirects',
    'allow_param_passthrough',
  ] satisfies (keyof TemplateRecord)[],
  ['kind', 'preset'] satisfies (keyof PresetFormat)[],
  ['kind', 'charset', 'min_length', 'max_length'] satisfies (keyof CharsetFormat)[],
  ['id', 'environment_number', 'key', 'utm'] satisfies (keyof CampaignRecord)[],
  ['id', 'environment_number', 'hostname', 'case_insensitive', 'root_url', 'not_found_url', 'expired_url'] satisfies (keyof DomainRecord)[],
  [
    'id',
    'environment_number',
    'resource_type_id',
    'generation',
    'status',
    'timeout_ms',
    'configuration',
    'secret',
  ] satisfies (keyof MetadataApiRecord)[],
  ['generation', 'outcome', 'meaning', 'metadata', 'fetched_at_ms', 'expires_at_ms', 'keep_until_ms'] satisfies (keyof RememberedAnswer)[],
  METADATA_FIELDS,
  ['id', 'link_path'] satisfies (keyof AliasRecord)[],
  ['name', 'color', 'logo', 'support_url'] satisfies (keyof BrandRecord)[],
];

const packr = new Packr({ structures: STRUCTURES.map((names) => [...names]), maxOwnStructures: 0 });
const structures = (packr as unknown as { readonly structures: readonly unknown[] }).structures;

/** An object of the configuration, stored as one value. */
export type StoredObject =
  | EnvironmentRecord
  | LinkRecord
  | AliasRecord
  | ResourceTypeRecord
  | TemplateRecord
  | CampaignRecord
  | DomainRecord
  | MetadataApiRecord;

/** Everything that is stored as one value. */
export type StoredRecord = StoredObject | FeedCursor | RememberedAnswer;

/** Returns the record's bytes under the key. Its members must be those of its type and in their order, which the builders below ensure. */
export function encodeRecord(record: StoredRecord, key: string): Buffer {
  const packed = packr.pack(record);
  invariant(structures.length === STRUCTURES.length, 'a record has a shape that the codec does not know');
  const bytes = Buffer.allocUnsafe(packed.length + CHECKSUM_BYTES);
  bytes.set(packed);
  bytes.writeInt32LE(checksum(key, viewOf(bytes), packed.length), packed.length);
  return bytes;
}

/**
 * Returns the record in the first `size` bytes, or null if they are damaged, belong to another key, or are of another
 * version. Copies what it keeps.
 */
export function decodeRecord<Record extends StoredRecord>(key: string, bytes: Uint8Array, size: number): Record | null {
  const end = size - CHECKSUM_BYTES;
  if (end < 1) return null;
  const view = viewOf(bytes);
  if (view.getInt32(end, true) !== checksum(key, view, end)) return null;
  return packr.unpack(bytes, end) as Record;
}

let viewedBytes: Uint8Array | null = null;
let view: DataView = new DataView(new ArrayBuffer(0));

/** LMDB returns one buffer again and again, so its view is made once and not at each get. */
function viewOf(bytes: Uint8Array): DataView {
  if (bytes !== viewedBytes) {
    view = new DataView(bytes.buffer, bytes.byteOffset);
    viewedBytes = bytes;
  }
  return view;
}

/**
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over 32-bit words. Each step is a bijection, so bytes that differ
 * in only one word never have the same sum. LMDB has no checksums of its own. This takes 100 ns for a link of 150 bytes
 * and its key; zlib.crc32 takes 340 ns for the bytes alone, most of it for the call.
 */
function checksum(key: string, source: DataView, length: number): number {
  let sum = 0x811c9dc5 ^ CODEC_VERSION;
  for (let at = 0; at < key.length; at++) sum = Math.imul(sum ^ key.charCodeAt(at), 0x01000193);
  const words = length & ~3;
  for (let at = 0; at < words; at += 4) sum = Math.imul(sum ^ source.getInt32(at, true), 0x01000193);
  for (let at = words; at < length; at++) sum = Math.imul(sum ^ source.getUint8(at), 0x01000193);
  return Math.imul(sum ^ length, 0x01000193);
}

/** What a link's record is built from, as `LINK_RECORD_COLUMNS` selects it. */
export type LinkRow = Pick<LinkRecord, 'id' | 'state' | 'deep_link_path' | 'data' | 'campaign' | 'allow_param_passthrough' | 'card'> &
  Utm & {
    readonly environment_id: string;
    readonly path: string;
    readonly expires_at_ms: number | null;
    readonly destinations: Partial<Destinations>;
    readonly active_from_ms: number | null;
    readonly max_clicks: number | null;
    readonly used_up: boolean;
    readonly password: string | null;
    /** As JSON text. */
    readonly geo: string | null;
    readonly interstitial: boolean | null;
  };

/** How a column is selected, if not as it is. `data` and `card` stay text, because the order of the members of `data` is the customer's. */
const SELECTED: Readonly<Record<string, (column: string) => string>> = {
  json: asText,
  card: asText,
  geo: asText,
  timestamptz: (column) => `floor(extract(epoch FROM links.${column}) * 1000)::float8 AS ${column}_ms`,
};

function asText(column: string): string {
  return `links.${column}::text AS ${column}`;
}

/** Select list over `links` that gives `LinkRow`s. */
export const LINK_RECORD_COLUMNS = [
  ...['links.id', 'links.environment_id', 'links.path', 'links.state'],
  ...linkFieldNames({ visits: true }).map((name) => SELECTED[LINK_FIELDS[name].type]?.(name) ?? `links.${name}`),
  'links.used_up_at IS NOT NULL AS used_up',
].join(', ');

export function linkRecordFromRow(row: LinkRow): LinkRecord {
  const { state, destinations, allow_param_passthrough } = row;
  const { max_clicks, used_up, password, interstitial } = row;
  const geo = row.geo === null ? null : JSON.parse(row.geo);
  const rules = rulesText({ active_from_ms: instantOf(row.active_from_ms), max_clicks, used_up, password, geo, interstitial });
  // Each text is read from where it is, because an object of all of them would cost more than the rest of a bootstrap's work on a link.
  const columns = row as unknown as Readonly<Record<string, string | null>>;
  const slots: Readonly<Record<string, string | null>> = { ...destinationsFromJson(destinations) };
  const textOf = (name: string) =>
    name === 'rules' ? rules : ((slots[name] === undefined ? columns[name] : slots[name]) as string | null);
  const expires_at_ms = instantOf(row.expires_at_ms);
  const names = LINK_TEXTS.values();
  const source = { next: () => textOf(names.next().value as string) };
  return linkOfTexts(source, { state, expires_at_ms, allow_param_passthrough });
}

/** 0 means "none" in a record, so an instant at or before the epoch becomes the first millisecond after it. */
function instantOf(ms: number | null): number {
  return ms === null ? 0 : Math.max(1, ms);
}

/** Returns the destinations with every slot present, null if the stored object names none. */
export function destinationsFromJson(json: Partial<Destinations>): Destinations {
  return {
    ios: json.ios ?? null,
    android: json.android ?? null,
    web: json.web ?? null,
    desktop: json.desktop ?? null,
    fallback: json.fallback ?? null,
  };
}

/** The same, with a mark instead of each destination that is on the block list. */
function withoutBlocked(json: Partial<Destinations>, blocked: readonly string[]): Destinations {
  const destinations = destinationsFromJson(json);
  if (blocked.length === 0) return destinations;
  const markOf = (url: string | null) => (url !== null && blocked.includes(url) ? BLOCKED_DESTINATION : url);
  return bySlot((slot) => markOf(destinations[slot]));
}

function unlessBlocked(url: string | null | undefined, blocked: readonly string[]): string | null {
  return url === undefined || url === null || blocked.includes(url) ? null : url;
}

/** What an environment's record is built from, as `ENVIRONMENT_RECORD_COLUMNS` selects it. */
export interface EnvironmentRow extends Omit<EnvironmentRecord, 'default_destinations' | 'ios_apps' | 'android_apps' | 'brand'> {
  readonly default_destinations: Partial<Destinations>;
  readonly ios_apps: readonly JsonIosApp[];
  readonly android_apps: readonly JsonAndroidApp[];
  readonly brand: Partial<BrandRecord>;
  readonly blocked_urls: readonly string[];
}

/** As stored: optional members may be left out. */
type JsonIosApp = Pick<IosApp, 'team_id' | 'bundle_id'> & Partial<IosApp>;
type JsonAndroidApp = Pick<AndroidApp, 'package_name' | 'sha256_cert_fingerprints'> & Partial<AndroidApp>;

/** Select list over `environments JOIN projects` that gives `EnvironmentRow`s. */
export const ENVIRONMENT_RECORD_COLUMNS = `environments.id, environments.number, environments.name, projects.name AS project_name,
  environments.link_host, environments.open_host, environments.alias_hosts, environments.interstitial, environments.default_destinations,
  environments.ios_apps, environments.android_apps, environments.attribution_window_minutes, environments.append_click_id,
  environments.brand, environments.long_link_hosts, environments.long_link_path, environments.blocked_urls`;

export function environmentRecordFromRow(row: EnvironmentRow): EnvironmentRecord {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    project_name: row.project_name,
    link_host: row.link_host,
    open_host: row.open_host,
    alias_hosts: [...row.alias_hosts],
    interstitial: row.interstitial,
    default_destinations: withoutBlocked(row.default_destinations, row.blocked_urls),
    ios_apps: row.ios_apps.map((app) => ({
      team_id: app.team_id,
      bundle_id: app.bundle_id,
      app_store_url: unlessBlocked(app.app_store_url, row.blocked_urls),
      uri_scheme: app.uri_scheme ?? null,
    })),
    android_apps: row.android_apps.map((app) => ({
      package_name: app.package_name,
      sha256_cert_fingerprints: [...app.sha256_cert_fingerprints],
      play_store_url: unlessBlocked(app.play_store_url, row.blocked_urls),
      uri_scheme: app.uri_scheme ?? null,
    })),
    attribution_window_minutes: row.attribution_window_minutes,
    append_click_id: row.append_click_id,
    brand: brandFromJson(row.brand, row.blocked_urls),
    long_link_hosts: [...row.long_link_hosts],
    long_link_path: row.long_link_path,
  };
}

/** Null for a brand that sets nothing. */
function brandFromJson({ name, color, logo, support_url }: Partial<BrandRecord>, blocked: readonly string[]): BrandRecord | null {
  const brand = { name: name ?? null, color: color ?? null, logo: logo ?? null, support_url: unlessBlocked(support_url, blocked) };
  return Object.values(brand).every((value) => value === null) ? null : brand;
}

/** What a resource type's record is built from, as `RESOURCE_TYPE_RECORD_COLUMNS` selects it. */
export interface ResourceTypeRow extends Omit<ResourceTypeRecord, 'state'> {
  readonly status: ResourceTypeState;
}

/** Select list over `resource_types JOIN environments` that gives `ResourceTypeRow`s. */
export const RESOURCE_TYPE_RECORD_COLUMNS =
  'resource_types.id, environments.number AS environment_number, resource_types.key, resource_types.status';

export function resourceTypeRecordFromRow(row: ResourceTypeRow): ResourceTypeRecord {
  return { id: row.id, environment_number: row.environment_number, key: row.key, state: row.status };
}

/** What a template's record is built from, as `TEMPLATE_RECORD_COLUMNS` selects it. */
export interface TemplateRow extends Omit<TemplateRecord, 'state' | 'redirects'> {
  /** An archived template has no record. */
  readonly status: TemplateState;
  readonly redirects: Partial<Destinations>;
  readonly blocked_urls: readonly string[];
}

/** Select list over `url_templates JOIN environments` that gives `TemplateRow`s. */
export const TEMPLATE_RECORD_COLUMNS = `url_templates.id, environments.number AS environment_number, url_templates.resource_type_id,
  url_templates.status, url_templates.path_pattern, url_templates.id_format, url_templates.deep_link_path, url_templates.redirects,
  url_templates.allow_param_passthrough, url_templates.blocked_urls`;

export function templateRecordFromRow(row: TemplateRow): TemplateRecord {
  return {
    id: row.id,
    environment_number: row.environment_number,
    resource_type_id: row.resource_type_id,
    state: row.status,
    path_pattern: row.path_pattern,
    id_format: idFormatFromJson(row.id_format),
    deep_link_path: row.deep_link_path,
    redirects: withoutBlocked(row.redirects, row.blocked_urls),
    allow_param_passthrough: row.allow_param_passthrough,
  };
}

function idFormatFromJson(json: IdFormat): IdFormat {
  return json.kind === 'preset'
    ? { kind: json.kind, preset: json.preset }
    : { kind: json.kind, charset: json.charset, min_length: json.min_length, max_length: json.max_length };
}
