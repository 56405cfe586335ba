import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../engine/mapped/mapped-file.js';
import { temporaryFolder } from './temporary-folder.js';

/** A separate file system that is soon full. */
export interface SmallDisk {
  readonly dir: string;
  /** Takes all the space that is free at this moment. */
  fill(): void;
  /** Frees that space. */
  empty(): void;
}

/** The part of a tap test that the helper needs. */
interface Teardown {
  teardown(fn: () => void): void;
}

const FILL_BYTES = 256 * 1024;

/** Returns null if this user may not mount one. */
export function mountSmallDisk(t: Teardown, bytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null;
  const dir = temporaryFolder(t);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir]).status !== 0) return null;
  // Before the folder is removed, and even if a process of the test still has it open.
  t.teardown(() => spawnSync('umount', ['-l', dir]));
  const filler = join(dir, 'filler');
  return {
    dir,
    fill() {
      const file = openSync(filler, 'a');
      const chunk = Buffer.alloc(FILL_BYTES);
      // Shorter writes take the last pages.
      for (let length = chunk.length; length > 0; ) {
        const written = attempt(() => writeSync(file, chunk, 0, length));
        if ('error' in written || written.value < length) length = Math.floor(length / 2);
      }
      closeSync(file);
    },
    empty: () => rmSync(filler, { force: true }),
  };
}

/** Unmounts what is mounted below the folder, left by a test that was ended by force. */
export function unmountBelow(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const mountPoint = line.split(' ')[1];
    if (mountPoint?.startsWith(`${folder}/`)) spawnSync('umount', ['-l', mountPoint]);
  }
}
