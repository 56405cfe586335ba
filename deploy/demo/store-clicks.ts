import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait, setImmediate as yielded } from 'node:timers/promises';
import { ClickCounter } from '../../control-plane/click-figures/counting/click-counter.js';
import { shardOf } from '../../control-plane/click-figures/shards.js';
import { createDatabase, createLongStatementPool } from '../../control-plane/db/database.js';
import { createFlusher, type Flusher } from '../../engine/shipping/flusher.js';
import { addressKeyOf, newAddressSecret } from '../../engine/spool/address-cipher.js';
import type { Click } from '../../engine/spool/click.js';
import { openClickSpool } from '../../engine/spool/click-spool.js';
import type { SpoolKeys } from '../../engine/spool/spool-keys.js';
import { createLogger } from '../../shared/base/log.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';

export interface DemoClicks {
  readonly databaseUrl: string;
  /** Null if clicks are stored in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  readonly secretKeys: SecretKeys;
  readonly environmentNumber: number;
  readonly onClicks: (done: number, total: number) => void;
}

const SPOOL_BYTES_MAX = 2 * 1024 ** 3;
/** How many clicks are written before the event loop gets a turn, in which the spool creates its next file. */
const CLICKS_OF_TURN = 500;
const LOOK_MS = 50;
/** Nothing makes progress for this long only if the database does not respond either. */
const STANDSTILL_MS = 60_000;

/**
 * Writes the clicks into a separate spool as a redirect process does, ships them as an engine does, and counts them as a control plane
 * does. Returns the ids of the clicks, in their order.
 */
export async function storeClicks(clicks: readonly Click[], store: DemoClicks): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'linkd-demo-'));
  const keys: SpoolKeys = { clickIds: deriveClickIdKeys(store.secretKeys), addresses: addressKeyOf(newAddressSecret()) };
  try {
    const ids = await write(clicks, dir, keys);
    const log = createLogger('linkd-demo', 'silent');
    const flusher = createFlusher({
      databaseUrl: store.databaseUrl,
      clickHouse: store.clickHouse,
      dir,
      keys,
      clock: Date.now,
      log,
      keepMs: 0,
    });
    flusher.start();
    try {
      await untilShipped(flusher, clicks.length, store.onClicks);
    } finally {
      await flusher.stop();
    }
    await count(store);
    return ids;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function write(clicks: readonly Click[], dir: string, keys: SpoolKeys): Promise<readonly string[]> {
  const spool = openClickSpool({ dir, bytesMax: SPOOL_BYTES_MAX, mapped: true, keys, clock: Date.now });
  const ids: string[] = [];
  try {
    for (const click of clicks) {
      ids.push(spool.nextId(click.occurred_at_ms));
      if (!spool.append(click)) throw new Error(`the clicks could not be written into ${dir}: ${spool.stats().dropping_reason}`);
      if (ids.length % CLICKS_OF_TURN === 0) await yielded();
    }
  } finally {
    spool.stop();
  }
  return ids;
}

async function untilShipped(flusher: Flusher, wanted: number, onClicks: DemoClicks['onClicks']): Promise<void> {
  let last = 0;
  let movedAt = performance.now();
  for (;;) {
    const { clicks_shipped, clicks_refused } = flusher.stats();
    if (clicks_refused > 0) throw new Error(`${clicks_refused} clicks were refused by the click log`);
    onClicks(clicks_shipped, wanted);
    if (clicks_shipped >= wanted) return;
    if (clicks_shipped > last) movedAt = performance.now();
    last = clicks_shipped;
    if (performance.now() - movedAt > STANDSTILL_MS) throw new Error(`clicks could not be stored: ${flusher.health().reason}`);
    await wait(LOOK_MS);
  }
}

/** Counts the clicks that nobody else counts: running control planes count their share of the shards. */
async function count({ databaseUrl, environmentNumber }: DemoClicks): Promise<void> {
  const pools = ['linkd-demo-storing', 'linkd-demo-reading'].map((name) => createLongStatementPool(databaseUrl, name, () => {}));
  const [storing, reading] = pools.map(createDatabase) as [ReturnType<typeof createDatabase>, ReturnType<typeof createDatabase>];
  // Nothing is deleted here. That is left to processes that know how long clicks are to be kept.
  const counter = new ClickCounter({ storing, reading, clickRetentionDays: 36_500 });
  try {
    const deadline = performance.now() + STANDSTILL_MS;
    for (;;) {
      if ((await counter.count(Date.now())) > 0) continue;
      const { rows } = await reading.query({
        text: 'SELECT FROM click_batches WHERE shard = $1 LIMIT 1',
        values: [shardOf(environmentNumber)],
      });
      if (rows.length === 0) return;
      if (performance.now() > deadline) throw new Error('the clicks are stored but not counted yet; a control plane will count them');
      await wait(LOOK_MS);
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
