import type { Test } from 'tap';
import { type ConfigReader, openConfigReader } from '../../../engine/config/config-reader.js';
import { type ConfigWriter, openConfigWriter } from '../../../engine/store/config-writer.js';
import { systemClock } from '../../../shared/base/clock.js';
import { log } from '../store/store-fixture.js';

/** A writer and a reader in one process. The reader reads `CURRENT` again on every call. */
export function openBoth(t: Test, dir: string): { readonly writer: ConfigWriter; readonly reader: ConfigReader } {
  const writer = openConfigWriter(dir, log, systemClock);
  let ticks = 0;
  const reader = openConfigReader(dir, log, () => {
    ticks += 1000;
    return ticks;
  });
  t.teardown(async () => {
    await reader.close();
    await writer.close();
  });
  return { writer, reader };
}
