import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** The text of the file without its last line break, or null if there is no file. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/\n$/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file in one step. Only its owner can read it, from the first byte on. After a crash, the old or the new file exists. */
export function writePrivateFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, `${text}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
