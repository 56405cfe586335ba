import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** The file's text without the last line end, or null if there is none. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/\n$/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file in one step, readable by its owner alone from the first byte. A crash leaves the old or the new one. */
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
