import type { CampaignRecord, EnvironmentRecord, MetadataApiRecord, Utm } from '../../shared/records/records.js';
import { compileTemplates } from '../../shared/resolve/compile.js';
import { defaultSlots } from '../../shared/resolve/direct-destination.js';
import { assignHosts } from '../../shared/resolve/hosts.js';
import { type LinkUrlForm, originOf } from '../../shared/resolve/link-origin.js';
import type { TableInput } from '../config/stored-table.js';
import { environmentBrand } from '../pages/brand.js';
import { appleAppSiteAssociation, assetLinks } from './app-links.js';
import { compileEnvironmentTemplates, type EnvironmentTemplates } from './compile-templates.js';
import type { CompiledEnvironment, HostEntry, Table } from './table.js';

/** `address` is the form of the links that the hosts show. */
export function compileTable(input: TableInput, address: LinkUrlForm): Table {
  const templates = compileEnvironmentTemplates(input.templates, input.resource_types);
  const campaigns = campaignsByEnvironment(input.campaigns);
  const apis = apisByEnvironment(input.metadata_apis);
  const hosts = new Map<string, HostEntry>();
  const compiled = new Map<number, CompiledEnvironment>();
  for (const record of input.environments) {
    const parts = {
      templates: templates.by_environment.get(record.number) ?? NO_TEMPLATES,
      campaigns: campaigns.get(record.number) ?? NO_CAMPAIGNS,
      metadata_apis: apis.get(record.number) ?? NO_APIS,
    };
    compiled.set(record.number, compileEnvironment(record, parts, address));
  }
  const domains = new Map(input.domains.map((domain) => [domain.hostname, domain]));
  for (const { owner, host, role } of assignHosts(input.environments, input.domains).values()) {
    const environment = compiled.get(owner.number) as CompiledEnvironment;
    const link_origin = originOf(address, role === 'link' ? host : owner.link_host);
    const aliased = role === 'link' && owner.alias_hosts.includes(host);
    const domain = host === owner.link_host || role === 'open' ? null : (domains.get(host) ?? null);
    hosts.set(host, { environment, host, role, link_origin, aliased, domain, hosts });
  }
  return {
    hosts,
    environments: compiled.size,
    // A service always has at least one environment. If there is none, the store has not been read yet.
    complete: compiled.size > 0 && input.complete,
    unserved_templates: templates.unserved,
  };
}

function campaignsByEnvironment(records: readonly CampaignRecord[]): ReadonlyMap<number, ReadonlyMap<string, Utm>> {
  const campaigns = new Map<number, Map<string, Utm>>();
  for (const { environment_number, key, utm } of records) {
    if (utm === null) continue;
    const known = campaigns.get(environment_number);
    if (known === undefined) campaigns.set(environment_number, new Map([[key, utm]]));
    else known.set(key, utm);
  }
  return campaigns;
}

function apisByEnvironment(records: readonly MetadataApiRecord[]): ReadonlyMap<number, ReadonlyMap<string, MetadataApiRecord>> {
  const apis = new Map<number, Map<string, MetadataApiRecord>>();
  for (const record of records) {
    const known = apis.get(record.environment_number);
    if (known === undefined) apis.set(record.environment_number, new Map([[record.resource_type_id, record]]));
    else known.set(record.resource_type_id, record);
  }
  return apis;
}

const NO_APIS: ReadonlyMap<string, MetadataApiRecord> = new Map();
const NO_CAMPAIGNS: ReadonlyMap<string, Utm> = new Map();
const NO_TEMPLATES: EnvironmentTemplates = compileTemplates([]);

function compileEnvironment(
  record: EnvironmentRecord,
  { templates, campaigns, metadata_apis }: Pick<CompiledEnvironment, 'templates' | 'campaigns' | 'metadata_apis'>,
  address: LinkUrlForm,
): CompiledEnvironment {
  return {
    record,
    default_slots: defaultSlots(record),
    templates,
    campaigns,
    metadata_apis,
    open_origin: originOf(address, record.open_host),
    brand: environmentBrand(record),
    apple_app_site_association: appleAppSiteAssociation(record.ios_apps, record.long_link_hosts.length > 0),
    asset_links: assetLinks(record.android_apps),
  };
}
