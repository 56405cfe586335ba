import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Standard input, as the name of a file. */
export const STANDARD_INPUT = '-';

export interface InputFile {
  /** `-` for standard input. Undefined if there is no file. */
  readonly file: string | undefined;
  readonly standardInput: () => AsyncIterable<Uint8Array>;
  readonly interrupted: AbortSignal;
}

/**
 * Passes on what `read` finds in the file, which it may read several times. A pipe can be read only once, so it is copied to a file that is
 * removed at the end.
 */
export async function* readTwice<Item>(input: InputFile, read: (file: string | null) => AsyncIterable<Item>): AsyncIterable<Item> {
  const { file = null, standardInput, interrupted } = input;
  if (file === null || (file !== STANDARD_INPUT && !(await isPipe(file)))) {
    yield* read(file);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'linkd-import-'));
  try {
    const copy = join(folder, 'file');
    const chunks = file === STANDARD_INPUT ? standardInput() : createReadStream(file);
    await pipeline(chunks, createWriteStream(copy, { mode: 0o600 }), { signal: interrupted });
    yield* read(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A terminal counts as well: it is the standard input of a command that was given none. */
async function isPipe(file: string): Promise<boolean> {
  const found = await stat(file);
  return found.isFIFO() || found.isSocket() || found.isCharacterDevice();
}
