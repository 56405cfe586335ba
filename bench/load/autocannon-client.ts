import { fileURLToPath } from 'node:url';
import type { LoadClient, LoadResult } from './client.js';
import { endProcess, forkPinned, nextMessage } from './pinned-process.js';

const isResult = (message: unknown): message is LoadResult => typeof (message as LoadResult | null)?.requests === 'number';

/**
 * autocannon in a process of its own, because in this one it would share the event loop with everything else that the
 * bench does. One process serves all runs, so that only the first run is cold.
 */
export const autocannonClient: LoadClient = {
  name: 'autocannon',
  open(core) {
    const child = forkPinned(core, fileURLToPath(new URL('./autocannon-process.js', import.meta.url)), process.env);
    return {
      run(job) {
        child.send(job);
        return nextMessage(child, isResult);
      },
      close: () => endProcess(child),
    };
  },
};
