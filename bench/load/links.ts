import { setTimeout } from 'node:timers/promises';
import { createLinkIndexKeeper, type LinkIndexStats } from '../../engine/link-index/keeper.js';
import { type ConfigWriter, openConfigWriter } from '../../engine/store/config-writer.js';
import { environmentKey, linkKey, metadataApiKey, resourceTypeKey, templateKey } from '../../engine/store/keys.js';
import type { StoreChange } from '../../engine/store/store-change.js';
import { idAt } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import { createLogger } from '../../shared/base/log.js';
import type {
  Destinations,
  EnvironmentRecord,
  LinkRecord,
  MetadataApiRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../shared/records/records.js';

export const BENCH_HOST = 'links.bench.example';
const ENVIRONMENT_NUMBER = 1;
const EPOCH_MS = Date.UTC(2026, 0, 1);
const BATCH = 10_000;

const NO_DESTINATIONS: Destinations = { ios: null, android: null, web: null, desktop: null, fallback: null };

const ENVIRONMENT: EnvironmentRecord = {
  id: idAt('environment', EPOCH_MS),
  number: ENVIRONMENT_NUMBER,
  name: 'live',
  project_name: 'Bench',
  link_host: BENCH_HOST,
  open_host: `open.${BENCH_HOST}`,
  alias_hosts: [],
  interstitial: true,
  default_destinations: { ...NO_DESTINATIONS, fallback: 'https://destination.example/' },
  ios_apps: [],
  android_apps: [],
  attribution_window_minutes: 120,
  append_click_id: false,
  brand: null,
  long_link_hosts: [],
  long_link_path: null,
};

/**
 * Path of the n-th link: 7 characters, like generated paths, and in the order of n, because LMDB loads sorted keys 4
 * times as fast. Neighbours in n differ in one character only, so that the tree is as deep as with real paths.
 */
export function pathOf(n: number): string {
  return n.toString(36).padStart(7, '0');
}

/**
 * More links have records of over 2 GiB in the floor, whose offsets are not small integers of V8. That alone would make
 * the floor more expensive.
 */
export const FLOOR_LINKS_MAX = 20_000_000;

/**
 * Number of items and links that are sampled: what is read for so many of them fits into no processor's cache, as with
 * the links of a service that has a million.
 */
export const SAMPLED_PATHS = 200_000;

/** Returns the paths that are requested in one bench, drawn from all links that the floor has too. */
export function samplePaths(links: number): readonly string[] {
  const asked = Math.min(links, FLOOR_LINKS_MAX);
  return Array.from({ length: Math.min(SAMPLED_PATHS, 4 * links) }, () => `/${pathOf(Math.floor(Math.random() * asked))}`);
}

/** Where the n-th link leads. */
export function destinationOf(n: number): string {
  return `https://destination.example/item/${n}`;
}

function linkOf(n: number): LinkRecord {
  return {
    id: idAt('link', EPOCH_MS + n),
    state: 'active',
    expires_at_ms: 0,
    deep_link_path: `/item/${n}`,
    data: null,
    campaign: null,
    utm: null,
    allow_param_passthrough: false,
    destinations: { ...NO_DESTINATIONS, web: destinationOf(n) },
    card: null,
    rules: null,
  };
}

/** As many as an environment may have. */
const RESOURCE_TYPES = 20;
const TEMPLATES_PER_TYPE = 5;

const TYPES: readonly ResourceTypeRecord[] = Array.from({ length: RESOURCE_TYPES }, (_, n) => ({
  id: idAt('resourceType', EPOCH_MS + n),
  environment_number: ENVIRONMENT_NUMBER,
  key: `type-${n}`,
  state: 'active',
}));

const TEMPLATES: readonly TemplateRecord[] = TYPES.flatMap((type, n) =>
  Array.from({ length: TEMPLATES_PER_TYPE }, (_, m) => ({
    id: idAt('urlTemplate', EPOCH_MS + n * TEMPLATES_PER_TYPE + m),
    environment_number: ENVIRONMENT_NUMBER,
    resource_type_id: type.id,
    state: 'active' as const,
    path_pattern: `/${type.key}/list-${m}/{id}`,
    id_format: { kind: 'preset', preset: 'numeric' } as const,
    deep_link_path: '/{type}/{id}',
    redirects: { ...NO_DESTINATIONS, web: 'https://destination.example/{type}/{id}' },
    allow_param_passthrough: false,
  })),
);

/** Path of the n-th item: of each template in turn, with an id of 7 digits, which is as long as the path of a link. */
export function itemPathOf(n: number): string {
  const { path_pattern } = TEMPLATES[n % TEMPLATES.length] as TemplateRecord;
  return path_pattern.replace('{id}', String(n).padStart(7, '0'));
}

function tableChanges(): StoreChange[] {
  return [
    { id: ENVIRONMENT.id, key: environmentKey(ENVIRONMENT_NUMBER), record: ENVIRONMENT, changesTable: true },
    ...TYPES.map((record) => ({ id: record.id, key: resourceTypeKey(ENVIRONMENT_NUMBER, record.id), record, changesTable: true })),
    ...TEMPLATES.map((record) => ({ id: record.id, key: templateKey(ENVIRONMENT_NUMBER, record.id), record, changesTable: true })),
  ];
}

/** Writes `count` links, the templates and their environment into the store below `dataDir`, as a bootstrap from PostgreSQL would. */
export async function writeLinks(dataDir: string, count: number, onProgress: (written: number) => void): Promise<void> {
  const writer = openConfigWriter(dataDir, createLogger('bench', 'error'), Date.now);
  const builder = await writer.build();
  await builder.put(tableChanges());
  for (let from = 0; from < count; from += BATCH) {
    const changes: StoreChange[] = [];
    for (let n = from; n < Math.min(count, from + BATCH); n++) {
      const link = linkOf(n);
      changes.push({ id: link.id, key: linkKey(ENVIRONMENT_NUMBER, pathOf(n)), record: link, changesTable: false });
    }
    await builder.put(changes);
    onProgress(Math.min(count, from + BATCH));
  }
  await builder.finish({ epoch: '00000000-0000-0000-0000-000000000000', position: 0, mark: '' });
  await indexLinks(writer);
  await writer.close();
}

/** Items of one template, whose type has a metadata API. */
export interface BenchItems {
  readonly resourceTypeId: string;
  readonly ids: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Writes the templates and a metadata API into the store; returns `count` items of the first template. No answer for
 * them is cached yet.
 */
export async function writeItems(dataDir: string, count: number): Promise<BenchItems> {
  const resourceTypeId = (TYPES[0] as ResourceTypeRecord).id;
  const api: MetadataApiRecord = {
    id: idAt('metadataApi', EPOCH_MS),
    environment_number: ENVIRONMENT_NUMBER,
    resource_type_id: resourceTypeId,
    generation: 1,
    status: 'active',
    timeout_ms: 1500,
    // Nobody calls the API here.
    configuration: '{}',
    secret: null,
  };
  const writer = openConfigWriter(dataDir, createLogger('bench', 'error'), Date.now);
  const builder = await writer.build();
  const key = metadataApiKey(ENVIRONMENT_NUMBER, resourceTypeId);
  await builder.put([...tableChanges(), { id: api.id, key, record: api, changesTable: true }]);
  await builder.finish({ epoch: '00000000-0000-0000-0000-000000000000', position: 0, mark: '' });
  await writer.close();
  const ids = Array.from({ length: count }, (_, n) => String(n).padStart(7, '0'));
  const { path_pattern } = TEMPLATES[0] as TemplateRecord;
  return { resourceTypeId, ids, paths: ids.map((id) => path_pattern.replace('{id}', id)) };
}

/** Builds the link index, as `background` would. */
export async function indexLinks(writer: ConfigWriter): Promise<LinkIndexStats> {
  const keeper = createLinkIndexKeeper({ store: writer, log: createLogger('bench', 'error') });
  keeper.start();
  while (keeper.stats().state === 'building') await setTimeout(5);
  const stats = keeper.stats();
  keeper.stop();
  invariant(stats.state === 'following', 'the link index was built');
  return stats;
}
