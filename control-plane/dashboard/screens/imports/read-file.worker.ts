import { message } from '../../language/text.js';
import { type Fault, FileFault } from './file-fault.js';
import { type FileRows, rowsOfText, textOfBytes } from './file-rows.js';

/** Reads a file outside of the page's thread, and returns its rows slice by slice. */

export type Asked =
  | { readonly kind: 'open'; readonly id: number; readonly file: File }
  | { readonly kind: 'slice'; readonly id: number; readonly from: number; readonly count: number };

export type Reply =
  | {
      readonly kind: 'opened';
      readonly id: number;
      readonly format: FileRows['format'];
      readonly columns: readonly string[];
      readonly rows: number;
    }
  | { readonly kind: 'slice'; readonly id: number; readonly rows: readonly unknown[] }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: Fault };

let read: FileRows | null = null;

async function answer(asked: Asked): Promise<Reply> {
  const { id } = asked;
  if (asked.kind === 'slice') return { kind: 'slice', id, rows: read?.rows.slice(asked.from, asked.from + asked.count) ?? [] };
  try {
    read = rowsOfText(textOfBytes(new Uint8Array(await asked.file.arrayBuffer())));
    return { kind: 'opened', id, format: read.format, columns: read.columns, rows: read.rows.length };
  } catch (error) {
    if (error instanceof FileFault) return { kind: 'fault', id, fault: error.fault };
    const unreadable = message('The browser cannot read the file. It may have been moved or changed: choose it again.');
    return { kind: 'fault', id, fault: { reason: unreadable, values: {} } };
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => void answer(data).then((reply) => postMessage(reply)));
