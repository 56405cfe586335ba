import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../shared/base/log.js';
import { isStoreError, type OpenEnvironment, openEnvironment, writeTransaction } from './environment.js';
import { type BuildProgress, decodeProgress, encodeProgress } from './generation-builder.js';
import { diedInCheck, endCheck, isWhole, noteBuilding, readBuilding, readPointer, startCheck } from './generations.js';
import { PROGRESS_KEY } from './keys.js';

/** An open generation that an earlier builder left unfinished. */
export interface UnfinishedGeneration {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly progress: BuildProgress;
}

/**
 * Opens the generation that was left unfinished, if it can be continued. Otherwise it is removed, for example if it ended the
 * process that last opened it.
 */
export async function openUnfinished(folder: string, log: Logger): Promise<UnfinishedGeneration | null> {
  const name = readBuilding(folder);
  if (name === null) return null;
  if (name === readPointer(folder)) {
    // The process died after it had published the generation.
    noteBuilding(folder, null);
    return null;
  }
  const opened = await open(folder, name);
  if ('progress' in opened) return { name, ...opened };
  log.info({ code: 'unfinished_copy_dropped', generation: name, reason: opened.fault }, 'an unfinished copy is discarded');
  dropUnfinished(folder);
  return null;
}

async function open(folder: string, name: string): Promise<Omit<UnfinishedGeneration, 'name'> | { readonly fault: string }> {
  if (!isWhole(folder, name)) return { fault: 'it is missing or was cut short' };
  if (diedInCheck(folder, name)) return { fault: 'the process that last opened it died' };
  startCheck(folder, name);
  let handle: OpenEnvironment | null = null;
  try {
    handle = openEnvironment(join(folder, name), 'build');
    const { environment } = handle;
    const decoded = decodeProgress(environment.getBinary(PROGRESS_KEY));
    if ('fault' in decoded) {
      await handle.close();
      return decoded;
    }
    const { progress, resumed } = decoded;
    writeTransaction(environment, () => environment.putSync(PROGRESS_KEY, encodeProgress(progress, resumed + 1)));
    endCheck(folder, name);
    return { handle, progress };
  } catch (error) {
    await handle?.close();
    if (isStoreError(error) || error instanceof SyntaxError) return { fault: String(error) };
    throw error;
  }
}

/** Removes the generation that was left unfinished, if there is one. No process may have it open. */
export function dropUnfinished(folder: string): void {
  const name = readBuilding(folder);
  if (name === null) return;
  if (name !== readPointer(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  noteBuilding(folder, null);
}
