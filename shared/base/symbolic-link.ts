import { readlinkSync } from 'node:fs';

/** Returns the target of the symbolic link; null if there is none. */
export function readSymbolicLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    // ENOENT: it was never made, or its folder was deleted. EINVAL: there is a plain file, which is not ours.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EINVAL' || code === 'ENOTDIR') return null;
    throw error;
  }
}
