import type { IdFormat } from './id-format.js';

/**
 * The part of the configuration that the engine stores. The control plane writes rows, `engine/sync` turns them into
 * these records, and `shared/resolve` decides by them; the tester endpoints of the control plane build the same
 * records.
 */

/** The two environments of a project. */
export const ENVIRONMENT_NAMES = ['test', 'live'] as const;
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number];

/** The five slots for a destination. */
export const DESTINATION_SLOTS = ['ios', 'android', 'web', 'desktop', 'fallback'] as const;
export type DestinationSlot = (typeof DESTINATION_SLOTS)[number];

/** Every slot is present, so that all values have one hidden class; null if the link or environment sets none. */
export type Destinations = { readonly [Slot in DestinationSlot]: string | null };

/** Returns what `make` returns for each slot, in their order. */
export function bySlot<Value>(make: (slot: DestinationSlot) => Value): { readonly [Slot in DestinationSlot]: Value } {
  const [ios, android, web, desktop, fallback] = DESTINATION_SLOTS;
  return { ios: make(ios), android: make(android), web: make(web), desktop: make(desktop), fallback: make(fallback) };
}

export const NO_DESTINATIONS: Destinations = bySlot(() => null);

export const UTM_FIELDS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];
export type Utm = { readonly [Field in UtmField]: string | null };

export interface IosApp {
  readonly team_id: string;
  readonly bundle_id: string;
  readonly app_store_url: string | null;
  readonly uri_scheme: string | null;
}

export interface AndroidApp {
  readonly package_name: string;
  readonly sha256_cert_fingerprints: readonly string[];
  readonly play_store_url: string | null;
  readonly uri_scheme: string | null;
}

/** What an environment's own pages show. A member is null if the environment does not set it. */
export interface BrandRecord {
  readonly name: string | null;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  /** A PNG in base64. */
  readonly logo: string | null;
  readonly support_url: string | null;
}

export interface EnvironmentRecord {
  readonly id: string;
  /** `environments.number`: the short name of the environment in keys and in the click log. */
  readonly number: number;
  readonly name: EnvironmentName;
  readonly project_name: string;
  readonly link_host: string;
  readonly open_host: string;
  /** Hosts on which links of the environment have aliases, or once had. On other hosts no alias is looked up. */
  readonly alias_hosts: readonly string[];
  readonly interstitial: boolean;
  readonly default_destinations: Destinations;
  readonly ios_apps: readonly IosApp[];
  readonly android_apps: readonly AndroidApp[];
  /** Days of keyed address hashes are only useful inside this window. */
  readonly attribution_window_minutes: number;
  /** Whether web destinations receive the click's id. */
  readonly append_click_id: boolean;
  /** If null, pages show the name of the project. */
  readonly brand: BrandRecord | null;
  /** Hosts that long links may lead to, in lower case and ASCII. If empty, there are no long links. */
  readonly long_link_hosts: readonly string[];
  /** Path of the link for which every visit of a long link counts. */
  readonly long_link_path: string | null;
}

/** `expired` is not a stored state: it follows from `expires_at_ms` and the clock. */
export type LinkState = 'active' | 'disabled' | 'blocked' | 'deleted';

export interface LinkRecord {
  readonly id: string;
  readonly state: LinkState;
  /** Milliseconds since the epoch; 0 if the link does not expire. */
  readonly expires_at_ms: number;
  readonly deep_link_path: string;
  /** The customer's object as JSON text; null if none was given. */
  readonly data: string | null;
  /** Key of the campaign, or null. */
  readonly campaign: string | null;
  /** The link's own fields; null if the link sets none at all. */
  readonly utm: Utm | null;
  readonly allow_param_passthrough: boolean;
  readonly destinations: Destinations;
  /** The link's own preview card (`LinkCard`) as JSON text; null if it has none. */
  readonly card: string | null;
  /** Its `LinkRules` as JSON text; null if it has none. */
  readonly rules: string | null;
}

/** What a link shows in chats and social networks. A member is null if the link leaves it out. */
export interface LinkCard {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_url: string | null;
}

/** Another address of a link, as its customer wrote it. */
export interface LinkAlias {
  readonly host: string;
  /** Without the first slash. */
  readonly path: string;
}

/** Texts of a link's record. Their order is part of the link index. */
export const LINK_TEXTS = ['id', 'deep_link_path', 'campaign', ...DESTINATION_SLOTS, ...UTM_FIELDS, 'data', 'card', 'rules'] as const;

/** Returns the texts in that order, null for one that is not set. */
export interface LinkTextSource {
  next(): string | null;
}

export function linkTexts({ id, deep_link_path, campaign, destinations, utm, data, card, rules }: LinkRecord): readonly (string | null)[] {
  const texts = { id, deep_link_path, campaign, ...destinations, ...utm, data, card, rules } as Readonly<Record<string, string | null>>;
  return LINK_TEXTS.map((name) => texts[name] ?? null);
}

/** Makes every record of a link, so that their members have one order, and all records one hidden class. */
export function linkOfTexts(
  texts: LinkTextSource,
  { state, expires_at_ms, allow_param_passthrough }: Pick<LinkRecord, 'state' | 'expires_at_ms' | 'allow_param_passthrough'>,
): LinkRecord {
  const id = texts.next() as string;
  const deep_link_path = texts.next() as string;
  const campaign = texts.next();
  const destinations = { ios: texts.next(), android: texts.next(), web: texts.next(), desktop: texts.next(), fallback: texts.next() };
  const [utm_source, utm_medium] = [texts.next(), texts.next()];
  const [utm_campaign, utm_term, utm_content] = [texts.next(), texts.next(), texts.next()];
  const utm = utmOrNull({ utm_source, utm_medium, utm_campaign, utm_term, utm_content });
  const [data, card, rules] = [texts.next(), texts.next(), texts.next()];
  return { id, state, expires_at_ms, deep_link_path, data, campaign, utm, allow_param_passthrough, destinations, card, rules };
}

/** Null if no field is set. */
export function utmOrNull({ utm_source, utm_medium, utm_campaign, utm_term, utm_content }: Utm): Utm | null {
  if (utm_source === null && utm_medium === null && utm_campaign === null && utm_term === null && utm_content === null) return null;
  return { utm_source, utm_medium, utm_campaign, utm_term, utm_content };
}

/** Another address of a link. The store's key for it is its host and path. */
export interface AliasRecord {
  readonly id: string;
  /** The link's own path. */
  readonly link_path: string;
}

export type ResourceTypeState = 'active' | 'archived';

export interface ResourceTypeRecord {
  readonly id: string;
  readonly environment_number: number;
  readonly key: string;
  /** Templates of an archived type resolve nothing, and their patterns stay taken. */
  readonly state: ResourceTypeState;
}

/** An archived template is not stored, because its pattern is free. */
export type TemplateState = 'active' | 'disabled';

/** A URL template without its `data`: the link host gives an app only a route, and the table contains every template. */
export interface TemplateRecord {
  readonly id: string;
  readonly environment_number: number;
  readonly resource_type_id: string;
  readonly state: TemplateState;
  readonly path_pattern: string;
  readonly id_format: IdFormat;
  readonly deep_link_path: string;
  readonly redirects: Destinations;
  readonly allow_param_passthrough: boolean;
}

/** What the links of a campaign take from it at each visit. */
export interface CampaignRecord {
  readonly id: string;
  readonly environment_number: number;
  readonly key: string;
  /** Null if the campaign sets no field at all. */
  readonly utm: Utm | null;
}

/** A verified custom host. One that is not verified is not stored, because it answers nothing. */
export interface DomainRecord {
  readonly id: string;
  readonly environment_number: number;
  /** In lower case and ASCII. */
  readonly hostname: string;
  /** Whether a path that leads nowhere is tried again in lower case. */
  readonly case_insensitive: boolean;
  /** Where visitors of the host's root, of a path that leads nowhere, and of an expired link are sent; null for our own page. */
  readonly root_url: string | null;
  readonly not_found_url: string | null;
  readonly expired_url: string | null;
}

/** The metadata API of a resource type. What a redirect process needs of it is in members of its own. */
export interface MetadataApiRecord {
  readonly id: string;
  readonly environment_number: number;
  readonly resource_type_id: string;
  /** Answers belong to a generation: a new one begins without any. */
  readonly generation: number;
  readonly status: 'active' | 'disabled';
  readonly timeout_ms: number;
  /** A `MetadataConfiguration` as JSON text: its members are the customer's own. */
  readonly configuration: string;
  /** The credential, sealed for `metadataSecretPlace(id)`, as base64; null if there is none. */
  readonly secret: string | null;
}

/** The kinds of objects of which the engine keeps a copy. */
export const FEED_KINDS = ['environment', 'link', 'alias', 'resource_type', 'url_template', 'campaign', 'domain', 'metadata_api'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/**
 * The kind of a feed row that names no object but says that the cached answer for an item is no longer valid. Its
 * object id is the id of the item's resource type, a slash and the item's id; its key is the item's id.
 */
export const INVALIDATION_KIND = 'metadata_answer';

/** Ids of resource types contain no slash, so the first one separates the two. */
export function parseInvalidatedItemId(objectId: string): { readonly resource_type_id: string; readonly item_id: string } {
  const slash = objectId.indexOf('/');
  return { resource_type_id: objectId.slice(0, slash), item_id: objectId.slice(slash + 1) };
}

/** How far the feed has been applied. A position means something only within its epoch. */
export interface FeedCursor {
  readonly epoch: string;
  readonly position: number;
  /**
   * Identifies the feed row at `position` ('' at position 0). With it, the next read notices a server that was set back
   * in time and has given the same numbers to other rows.
   */
  readonly mark: string;
}

/** Kinds of subject a click can have, with their numbers in the spool and names in the click log. */
export const CLICK_KINDS = ['link', 'template'] as const;
export type ClickKind = (typeof CLICK_KINDS)[number];
