import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CommandError, EXIT_NOT_FOUND } from './command-error.js';

/** Reading and writing of files and standard output by commands. */

/** Returns a function that resolves when the text has been passed on, so that only one text is in memory. */
export function writerOf(stream: Writable): (text: string) => Promise<void> {
  // The failing write reports the error.
  stream.on('error', () => {});
  return (text) => new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
}

/**
 * Creates the file from the texts that `fill` writes. It gets its name once all of them are written, so that a part of it is never taken for
 * the whole.
 */
export async function createWhole(file: string, fill: (write: (text: string) => Promise<void>) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw alreadyExists(file);
  // The id of the process would be that of a killed export before it, whose part is still there: in a container every command has the same.
  const part = `${file}.${randomUUID()}.part`;
  const stream = createWriteStream(part, { flags: 'wx', mode: 0o600 });
  try {
    await fill(writerOf(stream));
    await new Promise((resolve) => stream.end(resolve));
    await rename(part, file);
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw tellable(error, file);
  }
}

/** Whether the reader of standard output has closed it, as `head` does. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** Returns a failure of the file as a `CommandError` of one line. */
export function tellable(error: unknown, file: string | undefined): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error) || file === undefined) return error;
  if (error.code === 'EEXIST') return alreadyExists(file);
  return new CommandError(`${file}: ${error.code}`, exitOf(error.code));
}

function alreadyExists(file: string): CommandError {
  return new CommandError(`${file} already exists: pass another name, or continue it with --resume if the command has that option`);
}

/** The same for a file that is to be read, of which `what` is the name. */
export function unreadable(error: unknown, what: string): unknown {
  return error instanceof Error && 'code' in error ? new CommandError(`cannot read ${what}: ${error.code}`, exitOf(error.code)) : error;
}

function exitOf(code: unknown): number | undefined {
  return code === 'ENOENT' ? EXIT_NOT_FOUND : undefined;
}
