import type { EnvironmentRecord } from '../../shared/feed/records.js';
import { appleAppSiteAssociation, assetLinks } from '../http/app-links.js';
import { renderStatusPages } from '../http/pages/status-page.js';
import { type CompiledEnvironment, type HostEntry, normaliseHost, type Table } from './table.js';

export interface TableInput {
  readonly environments: readonly EnvironmentRecord[];
}

/** How short URLs are shown. Port 0 leaves it out. */
export interface PublicAddress {
  readonly scheme: 'http' | 'https';
  readonly port: number;
}

const DEFAULT_ADDRESS: PublicAddress = { scheme: 'https', port: 0 };

/** A host named twice stays with the first environment that names it, and a link host goes before an open host. */
export function compileTable(input: TableInput, address: PublicAddress = DEFAULT_ADDRESS): Table {
  const environments = input.environments.map((record) => compileEnvironment(record, address));
  const hosts = new Map<string, HostEntry>();
  for (const environment of environments) addHost(hosts, environment, environment.record.link_host, 'link');
  for (const environment of environments) addHost(hosts, environment, environment.record.open_host, 'open');
  return { hosts, pages: renderStatusPages(''), environments: environments.length };
}

function addHost(hosts: Map<string, HostEntry>, environment: CompiledEnvironment, name: string, role: HostEntry['role']): void {
  const host = normaliseHost(name);
  if (!hosts.has(host)) hosts.set(host, { environment, host, role });
}

function compileEnvironment(record: EnvironmentRecord, address: PublicAddress): CompiledEnvironment {
  const origin = (host: string) => `${address.scheme}://${host}${address.port === 0 ? '' : `:${address.port}`}`;
  return {
    record,
    link_origin: origin(record.link_host),
    open_origin: origin(record.open_host),
    pages: renderStatusPages(record.project_name),
    apple_app_site_association: appleAppSiteAssociation(record.ios_apps),
    asset_links: assetLinks(record.android_apps),
  };
}
