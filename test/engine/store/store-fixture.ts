import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { readPointer } from '../../../engine/store/generations.js';
import { environmentKey, linkKey } from '../../../engine/store/keys.js';
import type { StoreChange } from '../../../engine/store/store-change.js';
import { createLogger } from '../../../shared/base/log.js';
import type { EnvironmentRecord, FeedCursor, LinkRecord } from '../../../shared/records/records.js';

export const log = createLogger('test', 'silent');
const none = { ios: null, android: null, web: null, desktop: null, fallback: null };

export function link(id: string, web = 'https://example.com/'): LinkRecord {
  return {
    id,
    state: 'active',
    expires_at_ms: 0,
    deep_link_path: '/',
    data: null,
    campaign: null,
    utm: null,
    allow_param_passthrough: false,
    destinations: { ...none, web },
    card: null,
    rules: null,
  };
}

export function environment(number: number): EnvironmentRecord {
  return {
    id: `env_${number}`,
    number,
    name: 'live',
    project_name: 'p',
    link_host: `h${number}.localhost`,
    open_host: `open.h${number}.localhost`,
    alias_hosts: [],
    interstitial: true,
    default_destinations: none,
    ios_apps: [],
    android_apps: [],
    attribution_window_minutes: 120,
    append_click_id: false,
    brand: null,
    long_link_hosts: [],
    long_link_path: null,
  };
}

export const putLink = (path: string, record: LinkRecord): StoreChange => ({
  id: record.id,
  key: linkKey(1, path),
  record,
  changesTable: false,
});

export const removeLink = (path: string, id: string): StoreChange => ({ id, key: linkKey(1, path), record: null, changesTable: false });

export const putEnvironment = (record: EnvironmentRecord): StoreChange => ({
  id: record.id,
  key: environmentKey(record.number),
  record,
  changesTable: true,
});

export const cursor = (position: number): FeedCursor => ({ epoch: 'e', position, mark: String(position) });

export async function build(writer: ConfigWriter, changes: readonly StoreChange[]): Promise<void> {
  const builder = await writer.build();
  builder.put(changes);
  await builder.finish(cursor(1));
}

/** Waits for the next turn of the event loop. Until then, LMDB reads from the snapshot that it took. */
export const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

export function dataPath(dir: string): string {
  return join(storeFolder(dir), readPointer(storeFolder(dir)) as string, 'data.mdb');
}

/** Flips one bit inside every occurrence of the text in the file. */
export function flip(file: string, text: string): void {
  const bytes = readFileSync(file);
  const descriptor = openSync(file, 'r+');
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    writeSync(descriptor, Buffer.from([(bytes[at + 9] as number) ^ 1]), 0, 1, at + 9);
    found += 1;
  }
  if (found === 0) throw new Error('the text is not in the file');
}
