import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { LINK_INDEX_FILE, reportIndexDamage } from '../../engine/link-index/file.js';
import { storeFolder } from '../../engine/store/copies.js';
import { readPointer } from '../../engine/store/generations.js';
import { BULK_LINKS_MAX } from '../../shared/base/limits.js';
import type { CountingService } from '../counting/service.js';

/** What happens on a busy host while visitors are answered. */

const LOOK_MS = 20;
const CHANGE_MS_MAX = 300_000;

/** Creates links by bulk calls, at most this many a second. Returns the rate that was reached. */
export async function createSteadily({ url, secretKey }: CountingService, perSecond: number, seconds: number): Promise<number> {
  const links = Array.from({ length: Math.min(BULK_LINKS_MAX, perSecond) }, () => ({
    destinations: { web: 'https://destination.example/new' },
  }));
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ links }),
  };
  const beganAt = performance.now();
  const elapsed = (): number => (performance.now() - beganAt) / 1000;
  let created = 0;
  while (elapsed() < seconds) {
    await setTimeout(Math.max(0, (created / perSecond - elapsed()) * 1000));
    const answer = await fetch(`${url}/links/bulk`, request);
    if (!answer.ok) throw new Error(`the links were not made: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    created += links.length;
  }
  return created / elapsed();
}

/** Fills the environment with this many links, without a notice to the host. */
export async function fillLinks(client: pg.Client, environmentId: string, links: number): Promise<void> {
  await client.query({
    text: `INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
           SELECT 'lnk_01' || lpad(n::text, 24, '0'), $1, 'old-' || lpad(to_hex(n), 7, '0'), '/p/1', '{"web":"https://example.com/a"}', now(), now()
           FROM generate_series(1, $2::integer) AS n`,
    values: [environmentId, links],
  });
  await client.query('VACUUM ANALYZE links');
}

/** Makes the host read everything again, as after the database was restored. Resolves when the host has switched over to it. */
export async function bootstrapAgain(client: pg.Client, dataDir: string): Promise<void> {
  const folder = storeFolder(dataDir);
  const before = readPointer(folder);
  await client.query('UPDATE config_feed_state SET epoch = gen_random_uuid()');
  await untilAnother(() => readPointer(folder), before, 'another generation');
  await untilAnother(() => indexInode(dataDir), null, 'its link index');
}

/** Makes the host rebuild its link index, as it does after a damaged record. Resolves when the new file has its name. */
export async function rebuildIndex(dataDir: string): Promise<void> {
  const before = indexInode(dataDir);
  reportIndexDamage(indexPath(dataDir));
  await untilAnother(() => indexInode(dataDir), before, 'another link index');
}

function indexPath(dataDir: string): string {
  const folder = storeFolder(dataDir);
  return join(folder, readPointer(folder) ?? '', LINK_INDEX_FILE);
}

/** Null while there is none. */
function indexInode(dataDir: string): number | null {
  return statSync(indexPath(dataDir), { throwIfNoEntry: false })?.ino ?? null;
}

async function untilAnother<Value>(read: () => Value | null, before: Value | null, what: string): Promise<void> {
  const endsAt = performance.now() + CHANGE_MS_MAX;
  for (let now = read(); now === null || now === before; now = read()) {
    if (performance.now() > endsAt) throw new Error(`the host has not come to ${what}`);
    await setTimeout(LOOK_MS);
  }
}
