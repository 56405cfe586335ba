import { closeSync, openSync } from 'node:fs';
import { openWindow } from '../../engine/mapped/mapped-file.js';

/**
 * The functions that `Buffer.toString` and `Buffer.write` call in the end; the way there takes a third of the time.
 * They are in Node.js since version 0.1, although its types were late to declare them.
 */
interface Latin1 {
  latin1Slice(start: number, end: number): string;
  latin1Write(text: string, at: number, length?: number): number;
}

export type Bytes = Buffer & Latin1;

export function bytesOf(buffer: Buffer): Bytes {
  return buffer as Bytes;
}

/** Maps the file into memory. The file must have this many bytes already. */
export function mapFile(path: string, bytes: number, writable: boolean): Bytes {
  const opened = openWindow(bytes);
  if ('error' in opened) throw new Error(`${path} cannot be mapped: ${opened.error}`);
  const fd = openSync(path, writable ? 'r+' : 'r');
  const error = opened.window.attach(fd, writable);
  closeSync(fd);
  if (error !== null) throw new Error(`${path} cannot be mapped: ${error}`);
  return bytesOf(opened.window.bytes);
}
