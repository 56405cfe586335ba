import type { FileSource } from '../../../../shared/contract/schemas/link-import.js';
import { message } from '../../language/text.js';
import { FileFault } from './file-fault.js';
import type { Asked, Reply } from './read-file.worker.js';

/** A browser holds a file several times over while it reads it. A file of this size has about 300,000 links. */
export const IMPORT_FILE_BYTES_MAX = 64 * 1024 * 1024;

/** A file that the worker has read. */
export interface OpenedFile {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly isNdjson: boolean;
  slice(from: number, count: number): Promise<readonly unknown[]>;
  close(): void;
}

type Question<Each = Asked> = Each extends Asked ? Omit<Each, 'id'> : never;

/** Reads the file in a worker. Throws `FileFault`. */
export async function openFile(file: File): Promise<OpenedFile> {
  if (file.size > IMPORT_FILE_BYTES_MAX)
    throw new FileFault(message('The file is larger than {megabytes} MB. Split it, or use the command line, which accepts any size.'), {
      megabytes: IMPORT_FILE_BYTES_MAX / 1024 / 1024,
    });
  const worker = new Worker(new URL('./read-file.worker.ts', import.meta.url), { type: 'module' });
  let last = 0;
  const ask = (question: Question) =>
    new Promise<Reply>((resolve, reject) => {
      const id = ++last;
      const reply = ({ data }: MessageEvent<Reply>) => {
        if (data.id !== id) return;
        worker.removeEventListener('message', reply);
        resolve(data);
      };
      worker.addEventListener('message', reply);
      worker.addEventListener(
        'error',
        () => reject(new FileFault(message('The browser ran out of memory while reading the file. Split it.'))),
        {
          once: true,
        },
      );
      worker.postMessage({ ...question, id });
    });
  const opened = await ask({ kind: 'open', file });
  if (opened.kind !== 'opened') {
    worker.terminate();
    if (opened.kind === 'fault') throw new FileFault(opened.fault.reason, opened.fault.values);
    throw new FileFault(message('The file cannot be read.'));
  }
  return {
    columns: opened.columns,
    rows: opened.rows,
    isNdjson: opened.format === 'ndjson',
    slice: async (from, count) => {
      const reply = await ask({ kind: 'slice', from, count });
      return reply.kind === 'slice' ? reply.rows : [];
    },
    close: () => worker.terminate(),
  };
}

/** The name of the source in the API. */
export function sourceOf(chosen: FileSource, { isNdjson }: Pick<OpenedFile, 'isNdjson'>): FileSource {
  return isNdjson && chosen === 'csv' ? 'ndjson' : chosen;
}
