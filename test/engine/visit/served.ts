import { Registry } from 'prom-client';
import type { ListenerKind } from '../../../engine/http/listener.js';
import { LinkHost, type LinkHostParts } from '../../../engine/link-host.js';
import { type Scheduler, systemScheduler } from '../../../shared/base/scheduler.js';
import type { AddressRanges } from '../../../shared/net/address-ranges.js';
import type {
  CampaignRecord,
  DomainRecord,
  EnvironmentRecord,
  LinkRecord,
  MetadataApiRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../../shared/records/records.js';
import { freePort } from '../../support/free-port.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { CLICKED_AT_MS, environmentRecord, KeptClicks, resourceTypeRecord, silentLog } from '../fixtures.js';
import { IndexedLinks } from '../link-index/indexed-links.js';
import { noItems } from '../preview/fixtures.js';

export interface Served {
  readonly port: number;
  /** 0 if there are no certificates. */
  readonly tlsPort: number;
  readonly host: LinkHost;
  readonly registry: Registry;
  readonly ledger: KeptClicks;
  /** The links in the store, by path. */
  readonly links: Map<string, LinkRecord>;
  /** The input of the next table. A new `version` has it read. */
  readonly config: {
    environments: EnvironmentRecord[];
    resource_types: readonly ResourceTypeRecord[];
    campaigns: readonly CampaignRecord[];
    domains: readonly DomainRecord[];
    templates: readonly TemplateRecord[];
    metadata_apis: readonly MetadataApiRecord[];
    version: number;
    failure: Error | null;
    complete: boolean;
  };
  stop(deadlineMs?: number): Promise<void>;
}

export interface ServedOptions {
  readonly items?: LinkHostParts['items'];
  readonly lookUp?: LinkHostParts['lookUp'];
  /** The paths of links, by the addresses of their aliases. */
  readonly aliases?: ReadonlyMap<string, string>;
  readonly environment?: Partial<EnvironmentRecord>;
  /** Replaces the single environment. */
  readonly environments?: EnvironmentRecord[];
  readonly domains?: readonly DomainRecord[];
  readonly templates?: readonly TemplateRecord[];
  readonly metadata_apis?: readonly MetadataApiRecord[];
  readonly trustedProxyHops?: number;
  readonly trustedProxies?: AddressRanges | null;
  readonly countryHeader?: string;
  readonly regionHeader?: string;
  readonly cityHeader?: string;
  readonly honoursOptOut?: boolean;
  /** The scheme in which links are shown; `https` by default. */
  readonly scheme?: 'http' | 'https';
  /** Returns the time of the ledger's click by default. */
  readonly clock?: LinkHostParts['clock'];
  readonly tlsCertificatesDir?: string;
  readonly schedule?: Scheduler;
  readonly countries?: LinkHostParts['countries'];
  readonly clickLimits?: LinkHostParts['clickLimits'];
  readonly blockList?: LinkHostParts['blockList'];
  readonly log?: LinkHostParts['log'];
}

/**
 * A link host on a free port, with its neighbours replaced by maps. The TLS port is picked in advance, as the supervisor does: a
 * renewed certificate needs a port that can be shared, and a socket bound to port 0 cannot share its port.
 */
export async function serve(listener: ListenerKind, options: ServedOptions = {}): Promise<Served> {
  const ledger = new KeptClicks();
  const links = new Map<string, LinkRecord>();
  const config: Served['config'] = {
    environments: options.environments ?? [environmentRecord(options.environment)],
    resource_types: [resourceTypeRecord()],
    domains: options.domains ?? [],
    templates: options.templates ?? [],
    metadata_apis: options.metadata_apis ?? [],
    campaigns: [],
    version: 1,
    failure: null,
    complete: true,
  };
  const registry = new Registry();
  const findLink = (_number: number, path: string): LinkRecord | undefined => {
    if (config.failure !== null) throw config.failure;
    return links.get(path);
  };
  // If the store fails, the index must not find the link, so that the store is asked.
  const indexed = new IndexedLinks((number, path) => (config.failure === null ? findLink(number, path) : undefined));
  const host = new LinkHost({
    clickIds: TEST_SPOOL_KEYS.clickIds,
    settings: {
      host: '127.0.0.1',
      port: 0,
      listener,
      countryHeader: options.countryHeader ?? '',
      regionHeader: options.regionHeader ?? '',
      cityHeader: options.cityHeader ?? '',
      honoursOptOut: options.honoursOptOut ?? false,
      trustedProxyHops: options.trustedProxyHops ?? 0,
      trustedProxies: options.trustedProxies ?? null,
      linkScheme: options.scheme ?? 'https',
      linkPort: 0,
      tlsPort: options.tlsCertificatesDir === undefined ? 0 : await freePort(),
      tlsCertificatesDir: options.tlsCertificatesDir ?? '',
    },
    config: {
      findLink,
      findIndexedLink: (number, path) => indexed.find(number, path),
      findAlias: (_number, address) => options.aliases?.get(address),
      tableVersion: () => config.version,
      readTableInput: () => config,
    },
    clicks: ledger,
    items: options.items ?? noItems(),
    lookUp: options.lookUp ?? (async () => null),
    countries: options.countries ?? { countryOf: () => '' },
    clickLimits: options.clickLimits ?? { take: async () => true },
    blockList: options.blockList ?? { remembered: () => false, isAnyListed: async () => false },
    clock: options.clock ?? (() => CLICKED_AT_MS),
    schedule: options.schedule ?? systemScheduler,
    log: options.log ?? silentLog,
    registry,
  });
  const { port, tlsPort } = await host.start();
  return { port, tlsPort, host, registry, ledger, links, config, stop: (deadlineMs = 50) => host.stop(deadlineMs) };
}
