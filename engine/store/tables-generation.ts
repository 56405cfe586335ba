import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenEnvironment, openEnvironment, writeTransaction } from './environment.js';
import { swapPointer, syncGeneration } from './generations.js';
import { noteOurCodec } from './keys.js';
import { type StoreChange, writeChange } from './store-change.js';

/** Opens a new generation. Removes one that cannot be opened, because on a full disk every attempt would otherwise leave more files. */
export function openNewGeneration(folder: string, name: string): OpenEnvironment {
  try {
    return openEnvironment(join(folder, name), 'build');
  } catch (error) {
    discard(folder, name);
    throw error;
  }
}

/** Writes a generation that contains only the tables, and makes readers switch to it. It has no cursor. A failure leaves nothing behind. */
export async function publishTablesAlone(folder: string, name: string, changes: readonly StoreChange[]): Promise<void> {
  const handle = openNewGeneration(folder, name);
  try {
    writeTransaction(handle.environment, () => {
      for (const change of changes) writeChange(handle.environment, change);
      noteOurCodec(handle.environment);
    });
    await handle.close();
    await syncGeneration(folder, name);
    swapPointer(folder, name);
  } catch (error) {
    await handle.close();
    discard(folder, name);
    throw error;
  }
}

function discard(folder: string, name: string): void {
  rmSync(join(folder, name), { recursive: true, force: true });
}
