import { createReadStream, type ReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { CSV_HEAD_BYTES_MAX, isCompressed } from '../../../shared/base/csv-dialect.js';
import type { OnRead } from './source-link.js';

const OTHER_ENCODING = 'it is not UTF-8 text: save it as UTF-8 and import it again';
const COMPRESSED = 'it is compressed, or a spreadsheet: unpack it, or save it as CSV, and import that file';

/**
 * Reads the whole file once before any link is created from it, because an invalid byte at its end would otherwise be found only when most
 * of the file is imported. Throws `SyntaxError` if it is not UTF-8.
 */
export async function checkUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isBeginning = true;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    if (isBeginning && isCompressed(chunk)) throw new SyntaxError(COMPRESSED);
    // UTF-16 without a byte order mark is valid UTF-8 as well, with a NUL beside each letter.
    if (isBeginning && chunk.includes(0)) throw new SyntaxError(OTHER_ENCODING);
    isBeginning = false;
    decode(() => decoder.decode(chunk, { stream: true }));
  }
  decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw error instanceof TypeError ? new SyntaxError(OTHER_ENCODING) : error;
  }
}

/** The file as a stream. `onRead` is called with the number of its bytes that were read. */
export async function readStream(file: string, onRead: OnRead): Promise<ReadStream> {
  const { size } = await stat(file);
  const stream = createReadStream(file);
  return stream.on('data', () => onRead(stream.bytesRead, size));
}

/** The text of a file that is small enough for memory. Throws `SyntaxError` if it is not UTF-8. */
export async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (isCompressed(bytes)) throw new SyntaxError(COMPRESSED);
  if (bytes.includes(0)) throw new SyntaxError(OTHER_ENCODING);
  return decode(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** The beginning of a file as text, without a byte order mark. */
export async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(CSV_HEAD_BYTES_MAX), 0, CSV_HEAD_BYTES_MAX, 0);
    return buffer.toString('utf8', 0, bytesRead).replace('\uFEFF', '');
  } finally {
    await handle.close();
  }
}
