import type { OnRead } from '../imports/sources/source-link.js';
import { createProgress } from './progress.js';

/** How far an import has come. */
export interface ImportProgress {
  readonly onRead: OnRead;
  /** Called after a link was created, found or given up. */
  onLine(): void;
  stop(): void;
}

/** Shows a bar of how much of a file was read. For a service, which does not tell the number of links, it shows only their count so far. */
export function createImportProgress(terminal: NodeJS.WriteStream | null, isFile: boolean): ImportProgress {
  let links = 0;
  const progress = createProgress(terminal, isFile ? '{bar} {percentage} % of the file, {links} links' : '{links} links', { links });
  let [read, all] = [0, 1];
  const show = () => progress.update(read, all, { links });
  return {
    onRead(soFar, of) {
      [read, all] = [soFar, of];
      show();
    },
    onLine() {
      links++;
      show();
    },
    stop: () => progress.stop(),
  };
}
