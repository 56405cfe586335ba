import type { OnRead } from '../imports/sources/source-link.js';
import { createProgress } from './progress.js';

/** How far an import has come. */
export interface ImportProgress {
  readonly onRead: OnRead;
  /** Called once a link was made, found or given up. */
  onLine(): void;
  stop(): void;
}

/** Shows a bar of how much of a file was read. Of a service, which does not say how many links are to come, it shows their count alone. */
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
