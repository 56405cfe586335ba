import type { OnRead } from '../imports/sources/source-link.js';
import { createProgress } from './progress.js';

/** How far an import has come. */
export interface ImportProgress {
  readonly onRead: OnRead;
  /** Called after an object was created, found or given up. */
  onLine(): void;
  stop(): void;
}

/** Shows a bar of how much of a file was read. For a service, which does not tell the number of links, it shows only their count so far. */
export function createImportProgress(terminal: NodeJS.WriteStream | null, isFile: boolean, kind = 'links'): ImportProgress {
  let done = 0;
  const progress = createProgress(terminal, isFile ? `{bar} {percentage} % of the file, {done} ${kind}` : `{done} ${kind}`, { done });
  let [read, all] = [0, 1];
  const show = () => progress.update(read, all, { done });
  return {
    onRead(soFar, of) {
      [read, all] = [soFar, of];
      show();
    },
    onLine() {
      done++;
      show();
    },
    stop: () => progress.stop(),
  };
}
