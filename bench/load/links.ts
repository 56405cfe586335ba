import { openConfigWriter, type StoreChange } from '../../engine/store/config-writer.js';
import { environmentKey, linkKey } from '../../engine/store/keys.js';
import { idAt } from '../../shared/base/ids.js';
import { createLogger } from '../../shared/base/log.js';
import type { Destinations, EnvironmentRecord, LinkRecord } from '../../shared/feed/records.js';

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
  interstitial: true,
  default_destinations: { ...NO_DESTINATIONS, fallback: 'https://destination.example/' },
  ios_apps: [],
  android_apps: [],
  attribution_window_minutes: 120,
};

/**
 * Path of the n-th link: 7 characters, as generated paths are, and in the order of n, since LMDB loads sorted keys 4 times
 * as fast. Neighbours in n differ in one character alone, so that the tree is as deep as with real paths.
 */
export function pathOf(n: number): string {
  return n.toString(36).padStart(7, '0');
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
    destinations: { ...NO_DESTINATIONS, web: `https://destination.example/item/${n}` },
  };
}

/** Writes `count` links and their environment into the store below `dataDir`, as a bootstrap from PostgreSQL would. */
export async function writeLinks(dataDir: string, count: number, onProgress: (written: number) => void): Promise<void> {
  const writer = openConfigWriter(dataDir, createLogger('bench', 'error'), Date.now);
  const builder = writer.build();
  await builder.put([{ id: ENVIRONMENT.id, key: environmentKey(ENVIRONMENT_NUMBER), record: ENVIRONMENT, changesTable: true }]);
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
  await writer.close();
}
