import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, EXIT_NOT_FOUND, EXIT_UNAVAILABLE } from '../../control-plane/cli/command-error.js';
import type { ShippedSpool } from '../../control-plane/cli/shipped-spool.js';
import { engineLock } from '../../engine/settings.js';
import { createFlusher, type Flusher } from '../../engine/shipping/flusher.js';
import { addressKeyOf, newAddressSecret } from '../../engine/spool/address-cipher.js';
import { isForeignSegment, isReadableSegment, isShippedName, listFolder } from '../../engine/spool/segment-folder.js';
import { STORED_FILES_CERTAIN_MS } from '../../shared/base/limits.js';
import { createLogger } from '../../shared/base/log.js';
import { lockHolder } from '../../shared/base/process-lock.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';

export interface SpoolShipment {
  readonly dir: string;
  readonly databaseUrl: string;
  /** Null if clicks are stored in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  readonly secretKeys: SecretKeys;
  readonly onClicks: (clicks: number) => void;
}

const LOOK_MS = 100;
/** Long enough, because the shipper checks once a second whether writers are alive, and reads an unreadable file three times. */
const STANDSTILL_MS = 5_000;

/** Ships what an engine has left behind, with the shipper of engines, and ends when nothing is left that can be shipped. */
export async function shipSpool({ dir: given, databaseUrl, clickHouse, secretKeys, onClicks }: SpoolShipment): Promise<ShippedSpool> {
  const dir = resolve(given);
  refuseOthers(dir);
  const flusher = createFlusher({
    databaseUrl,
    clickHouse,
    dir,
    // The key to the addresses is gone with the engine. This one decrypts none of them.
    keys: { clickIds: deriveClickIdKeys(secretKeys), addresses: addressKeyOf(newAddressSecret()) },
    clock: Date.now,
    log: createLogger('linkd-spool', 'silent'),
    keepMs: 0,
  });
  flusher.start();
  try {
    await untilDone(flusher, dir, onClicks);
  } finally {
    await flusher.stop();
  }
  const { clicks_shipped, clicks_refused, segments_finished, segments_quarantined } = flusher.stats();
  const left = listFolder(dir).filter((name) => isReadableSegment(name) || isForeignSegment(name)).length;
  return { clicks: clicks_shipped, refused: clicks_refused, segments: segments_finished, quarantined: segments_quarantined, left };
}

/**
 * Throws if the folder is not a spool, if an engine is running on it, or if it is so old that it is unknown which of its files are already
 * stored.
 */
function refuseOthers(dir: string): void {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) throw new CommandError(`there is no folder ${dir}`, EXIT_NOT_FOUND);
  if (existsSync(join(dir, 'spool'))) throw new CommandError(`${dir} is a DATA_DIR; pass --dir ${join(dir, 'spool')}`);
  const holder = lockHolder(engineLock(dirname(dir)));
  if (holder !== null)
    throw new CommandError(`the engine with the process ${holder.pid} is running on ${dir} and stores its clicks itself`);
  const forgotten = listFolder(dir).filter(
    (name) => isShippedName(name) && Date.now() - statSync(join(dir, name)).mtimeMs > STORED_FILES_CERTAIN_MS,
  );
  if (forgotten.length > 0)
    throw new CommandError(
      `${forgotten.length} files (.shipped) were stored more than six days ago and would be stored twice; remove them: ${forgotten.slice(0, 3).join(', ')}`,
    );
}

async function untilDone(flusher: Flusher, dir: string, onClicks: SpoolShipment['onClicks']): Promise<void> {
  let seen = '';
  let movedAt = performance.now();
  for (;;) {
    await wait(LOOK_MS);
    const { clicks_shipped, clicks_refused, segments_finished, segments_open, segments_kept, failures, transactions } = flusher.stats();
    const left = listFolder(dir).filter((name) => isReadableSegment(name) || isShippedName(name)).length;
    onClicks(clicks_shipped);
    if (left === 0 && segments_open === 0 && segments_kept === 0) return;
    const now = [clicks_shipped, clicks_refused, segments_finished, transactions].join();
    if (now !== seen) movedAt = performance.now();
    seen = now;
    if (performance.now() - movedAt < STANDSTILL_MS) continue;
    const { ok, reason } = flusher.health();
    if (!ok && failures > 0)
      throw new CommandError(`clicks cannot be stored: ${reason}; run the command again to continue`, EXIT_UNAVAILABLE);
    // What is left cannot be read by this release, or by any program, so it is reported as left. A hanging database is waited for.
    if (segments_open === 0) return;
  }
}
