import type { DomainRecord, EnvironmentRecord, MetadataApiRecord, Utm } from '../../shared/records/records.js';
import { type HostRole, normaliseHost } from '../../shared/resolve/hosts.js';
import type { Brand } from '../pages/brand.js';
import type { EnvironmentTemplates } from './compile-templates.js';

/** What a redirect process knows about every environment. A table never changes after it has been built: a change makes a new table. */
export interface Table {
  /** Keyed by host name in lower case, without a port. */
  readonly hosts: ReadonlyMap<string, HostEntry>;
  readonly environments: number;
  /** False if there may be hosts or templates that the table does not know. */
  readonly complete: boolean;
  /** The number of templates in the store that are not served, because their record cannot be compiled. */
  readonly unserved_templates: number;
}

export interface HostEntry {
  readonly environment: CompiledEnvironment;
  /** The host name as the table spells it. */
  readonly host: string;
  readonly role: HostRole;
  /**
   * Scheme, host and port with which the links of this host are shown, without a trailing slash. For the open host they are those
   * of the environment's link host.
   */
  readonly link_origin: string;
  /** Whether links have aliases on this host. Aliases are looked up only if they do. */
  readonly aliased: boolean;
  /** The settings of a custom host; null for a host of the operator. */
  readonly domain: DomainRecord | null;
  /** All hosts of the table. An environment does not lead to them, because remembered pages keep environments of former tables. */
  readonly hosts: ReadonlyMap<string, HostEntry>;
}

export interface CompiledEnvironment {
  readonly record: EnvironmentRecord;
  /** The slots that have a default destination, as bits (`defaultSlots`). */
  readonly default_slots: number;
  readonly templates: EnvironmentTemplates;
  /** Keyed by the campaign's key; a campaign without UTM fields is not included. */
  readonly campaigns: ReadonlyMap<string, Utm>;
  /** Keyed by the id of the resource type that they belong to. */
  readonly metadata_apis: ReadonlyMap<string, MetadataApiRecord>;
  /** Scheme, host and port of the open host, without a trailing slash. */
  readonly open_origin: string;
  readonly brand: Brand;
  /** Null if the environment has no app for that system. */
  readonly apple_app_site_association: Uint8Array | null;
  readonly asset_links: Uint8Array | null;
}

/** Returns the entry for a `Host` header; undefined if the host is unknown. */
export function hostEntry(table: Table, host: string): HostEntry | undefined {
  return table.hosts.get(host) ?? table.hosts.get(normaliseHost(host));
}

/** Returns the metadata API that describes the items of the resource type; null if there is none or it is disabled. */
export function activeMetadataApi({ metadata_apis }: CompiledEnvironment, resourceTypeId: string): MetadataApiRecord | null {
  const api = metadata_apis.get(resourceTypeId);
  return api?.status === 'active' ? api : null;
}
