import type { EnvironmentRecord, ResourceTypeRecord, TemplateRecord } from '../../shared/feed/records.js';
import { compileTemplates } from '../../shared/resolve/compile.js';
import { appleAppSiteAssociation, assetLinks } from '../http/app-links.js';
import { renderStatusPages } from '../http/pages/status-page.js';
import { compileEnvironmentTemplates, type EnvironmentTemplates } from './compile-templates.js';
import { type CompiledEnvironment, type HostEntry, normaliseHost, type Table } from './table.js';

export interface TableInput {
  readonly environments: readonly EnvironmentRecord[];
  /** Absent: there are none. */
  readonly resource_types?: readonly ResourceTypeRecord[];
  readonly templates?: readonly TemplateRecord[];
}

/** How short URLs are shown. Port 0 leaves it out. */
export interface PublicAddress {
  readonly scheme: 'http' | 'https';
  readonly port: number;
}

const DEFAULT_ADDRESS: PublicAddress = { scheme: 'https', port: 0 };

/** A host named twice stays with the first environment that names it, and a link host goes before an open host. */
export function compileTable(input: TableInput, address: PublicAddress = DEFAULT_ADDRESS): Table {
  const templates = compileEnvironmentTemplates(input.templates ?? [], input.resource_types ?? []);
  const environments = input.environments.map((record) =>
    compileEnvironment(record, templates.by_environment.get(record.number) ?? NO_TEMPLATES, address),
  );
  const hosts = new Map<string, HostEntry>();
  for (const environment of environments) addHost(hosts, environment, environment.record.link_host, 'link');
  for (const environment of environments) addHost(hosts, environment, environment.record.open_host, 'open');
  return { hosts, pages: renderStatusPages(''), environments: environments.length, unserved_templates: templates.unserved };
}

function addHost(hosts: Map<string, HostEntry>, environment: CompiledEnvironment, name: string, role: HostEntry['role']): void {
  const host = normaliseHost(name);
  if (!hosts.has(host)) hosts.set(host, { environment, host, role });
}

const NO_TEMPLATES: EnvironmentTemplates = compileTemplates([]);

function compileEnvironment(record: EnvironmentRecord, templates: EnvironmentTemplates, address: PublicAddress): CompiledEnvironment {
  const origin = (host: string) => `${address.scheme}://${host}${address.port === 0 ? '' : `:${address.port}`}`;
  return {
    record,
    templates,
    link_origin: origin(record.link_host),
    open_origin: origin(record.open_host),
    pages: renderStatusPages(record.project_name),
    apple_app_site_association: appleAppSiteAssociation(record.ios_apps),
    asset_links: assetLinks(record.android_apps),
  };
}
