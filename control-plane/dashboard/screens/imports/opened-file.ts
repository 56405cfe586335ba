import type { FileSource } from '../../../../shared/contract/schemas/link-import.js';
import { message } from '../../language/text.js';
import { FileFault, ReaderFault } from './file-fault.js';
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
  const { ask, close } = startReader();
  try {
    const opened = await ask({ kind: 'open', file });
    if (opened.kind === 'fault') throw new FileFault(opened.fault.reason, opened.fault.values);
    if (opened.kind !== 'opened') throw new FileFault(message('The file cannot be read.'));
    return {
      columns: opened.columns,
      rows: opened.rows,
      isNdjson: opened.format === 'ndjson',
      slice: async (from, count) => {
        const reply = await ask({ kind: 'slice', from, count });
        return reply.kind === 'slice' ? reply.rows : [];
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Reader {
  /** Throws `FileFault` if the worker fails. */
  ask(question: Question): Promise<Reply>;
  close(): void;
}

function startReader(): Reader {
  const worker = new Worker(new URL('./read-file.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(fault: FileFault): void }>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.id)?.resolve(data);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(faultOf(event));
    waiting.clear();
  });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...question, id });
      }),
    close: () => worker.terminate(),
  };
}

/** An exception within the worker has a message. A script that cannot be loaded has none. */
function faultOf(event: Event): FileFault {
  return event instanceof ErrorEvent
    ? new FileFault(message('The browser ran out of memory while reading the file. Split it.'))
    : new ReaderFault(message('The part of this page that reads files cannot be loaded. Reload the page, or try again later.'));
}

/** The name of the source in the API. */
export function sourceOf(chosen: FileSource, { isNdjson }: Pick<OpenedFile, 'isNdjson'>): FileSource {
  return isNdjson && chosen === 'csv' ? 'ndjson' : chosen;
}
