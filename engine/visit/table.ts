import type { DomainRecord, EnvironmentRecord, MetadataApiRecord, Utm } from '../../shared/records/records.js';
import { type HostRole, normaliseHost } from '../../shared/resolve/hosts.js';
import type { Brand } from '../pages/brand.js';
import type { EnvironmentTemplates } from './compile-templates.js';

/** What a redirect process knows of every environment. Built whole, then only read: a change is a new table. */
export interface Table {
  /** By host name in lower case, without a port. */
  readonly hosts: ReadonlyMap<string, HostEntry>;
  readonly environments: number;
  /** False where a host or a template that the table does not know may exist all the same. */
  readonly complete: boolean;
  /** Templates in the store that no URL leads to, because nothing can be made of their record. */
  readonly unserved_templates: number;
}

export interface HostEntry {
  readonly environment: CompiledEnvironment;
  /** The host as the table knows it. */
  readonly host: string;
  readonly role: HostRole;
  /**
   * Scheme, host and port that the links of this host are shown with, without a slash at the end: its own, and those of the
   * environment's link host where it is the open host.
   */
  readonly link_origin: string;
  /** Whether links have aliases on this host: only then is one looked for. */
  readonly aliased: boolean;
  /** The settings of a custom host; null for a host of the operator. */
  readonly domain: DomainRecord | null;
}

export interface CompiledEnvironment {
  readonly record: EnvironmentRecord;
  /** The slots that have a default destination, as bits (`defaultSlots`). */
  readonly default_slots: number;
  readonly templates: EnvironmentTemplates;
  /** By key; a campaign without UTM fields is not in it. */
  readonly campaigns: ReadonlyMap<string, Utm>;
  /** By the id of the resource type they belong to. */
  readonly metadata_apis: ReadonlyMap<string, MetadataApiRecord>;
  /** Scheme, host and port of the open host, without a slash at the end. */
  readonly open_origin: string;
  readonly brand: Brand;
  /** Null: the environment has no app of that system. */
  readonly apple_app_site_association: Uint8Array | null;
  readonly asset_links: Uint8Array | null;
}

/** The entry of a `Host` header; undefined for a host of nobody. */
export function hostEntry(table: Table, host: string): HostEntry | undefined {
  return table.hosts.get(host) ?? table.hosts.get(normaliseHost(host));
}

/** The metadata API that describes the items of the resource type; null if there is none, or it is disabled. */
export function activeMetadataApi({ metadata_apis }: CompiledEnvironment, resourceTypeId: string): MetadataApiRecord | null {
  const api = metadata_apis.get(resourceTypeId);
  return api?.status === 'active' ? api : null;
}
