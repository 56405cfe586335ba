import { join } from 'node:path';
import type { Logger } from '../../shared/base/log.js';
import { answersFolder, storeFolder } from '../store/copies.js';
import { moveAside, NO_GENERATION, readPointer, reportDamage } from '../store/generations.js';

/**
 * What to do when processes keep crashing in native code, as the readers of a damaged memory-mapped file do. The store of the
 * configuration and the store of remembered answers are treated alike.
 *
 * The first time, the store's generation is marked: `background` builds another one beside it, while this one stays in use as far
 * as it works. Nothing more happens if the store was not the cause, or if PostgreSQL is away and there is nothing to build another
 * one from. The second time for the same generation, it is taken out of use: processes that die of it serve nobody, and without it
 * the read-through answers.
 */
export function createStoreSuspicion(dataDir: string, log: Logger): () => void {
  const suspicions = [storeFolder(dataDir), answersFolder(dataDir)].map((folder) => createFolderSuspicion(folder, log));
  return () => {
    for (const raise of suspicions) raise();
  };
}

function createFolderSuspicion(folder: string, log: Logger): () => void {
  let marked: string | null = null;
  return () => {
    try {
      const generation = readPointer(folder);
      if (generation === null || generation === NO_GENERATION) {
        log.error(
          { code: 'native_crashes', folder },
          'processes keep crashing in native code, and there is no store that could be the cause',
        );
      } else if (generation === marked) {
        moveAside(folder, generation);
        log.error(
          { code: 'store_taken_out', generation, to: join(folder, 'damaged') },
          'processes still crash in native code: the store is no longer used',
        );
      } else {
        reportDamage(folder, generation, 'processes that read it keep crashing in native code');
        marked = generation;
        log.error({ code: 'store_suspected', folder, generation }, 'processes keep crashing in native code: the store will be rebuilt');
      }
    } catch (error) {
      log.error({ code: 'store_mark_failed', err: error, folder }, 'the store that may be damaged could not be marked');
    }
  };
}
