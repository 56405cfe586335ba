import type { CampaignRecord, EnvironmentRecord, MetadataApiRecord, Utm } from '../../shared/records/records.js';
import { compileTemplates } from '../../shared/resolve/compile.js';
import { defaultSlots } from '../../shared/resolve/direct-destination.js';
import { assignHosts } from '../../shared/resolve/hosts.js';
import { type LinkUrlForm, originOf } from '../../shared/resolve/link-origin.js';
import type { TableInput } from '../config/stored-table.js';
import { environmentBrand } from '../pages/brand.js';
import { appleAppSiteAssociation, assetLinks } from './app-links.js';
import { compileEnvironmentTemplates, type EnvironmentTemplates } from './compile-templates.js';
import { byEnvironment, memoizeList } from './memoized-lists.js';
import type { CompiledEnvironment, HostEntry, Table } from './table.js';

/** `address` is the form of the links that the hosts show. */
export function compileTable(input: TableInput, address: LinkUrlForm): Table {
  const templates = compileEnvironmentTemplates(input.templates, input.resource_types);
  const campaigns = byEnvironment(input.campaigns);
  const apis = byEnvironment(input.metadata_apis);
  const hosts = new Map<string, HostEntry>();
  const compiled = new Map<number, CompiledEnvironment>();
  for (const record of input.environments) {
    const [ofCampaigns, ofApis] = [campaigns.get(record.number), apis.get(record.number)];
    const parts = {
      templates: templates.by_environment.get(record.number) ?? NO_TEMPLATES,
      campaigns: ofCampaigns === undefined ? NO_CAMPAIGNS : campaignsOf(ofCampaigns),
      metadata_apis: ofApis === undefined ? NO_APIS : apisOf(ofApis),
    };
    compiled.set(record.number, environmentOf(record, parts, address));
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

const campaignsOf = memoizeList((records: readonly CampaignRecord[]): ReadonlyMap<string, Utm> => {
  const campaigns = new Map<string, Utm>();
  for (const { key, utm } of records) if (utm !== null) campaigns.set(key, utm);
  return campaigns;
});

const apisOf = memoizeList(
  (records: readonly MetadataApiRecord[]): ReadonlyMap<string, MetadataApiRecord> =>
    new Map(records.map((record) => [record.resource_type_id, record])),
);

const NO_APIS: ReadonlyMap<string, MetadataApiRecord> = new Map();
const NO_CAMPAIGNS: ReadonlyMap<string, Utm> = new Map();
const NO_TEMPLATES: EnvironmentTemplates = compileTemplates([]);

type EnvironmentParts = Pick<CompiledEnvironment, 'templates' | 'campaigns' | 'metadata_apis'>;

interface Compiled {
  readonly address: LinkUrlForm;
  readonly environment: CompiledEnvironment;
}

/** What was last compiled of each record. The store returns the same object as long as its bytes are the same. */
const compiledOf = new WeakMap<EnvironmentRecord, Compiled>();

/** Compiles the environment, or returns it as it was compiled last if nothing of it has changed. */
function environmentOf(record: EnvironmentRecord, parts: EnvironmentParts, address: LinkUrlForm): CompiledEnvironment {
  const known = compiledOf.get(record);
  if (known !== undefined && known.address === address && hasParts(known.environment, parts)) return known.environment;
  const environment = compileEnvironment(record, parts, address);
  compiledOf.set(record, { address, environment });
  return environment;
}

function hasParts(environment: CompiledEnvironment, { templates, campaigns, metadata_apis }: EnvironmentParts): boolean {
  return environment.templates === templates && environment.campaigns === campaigns && environment.metadata_apis === metadata_apis;
}

function compileEnvironment(
  record: EnvironmentRecord,
  { templates, campaigns, metadata_apis }: EnvironmentParts,
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
