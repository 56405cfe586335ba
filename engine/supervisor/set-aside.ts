import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../shared/base/clock.js';

/**
 * Moves a folder out of its name, to `<name>.aside-<milliseconds>`, so that its owner builds it anew. The newest such copy
 * is kept for whoever looks for the cause, older ones are removed. Answers where it went, or null where there was none.
 */
export function setAside(dir: string, clock: Clock): string | null {
  const parent = dirname(dir);
  const prefix = `${basename(dir)}.aside-`;
  const target = join(parent, `${prefix}${clock()}`);
  try {
    renameSync(dir, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix) && join(parent, name) !== target) rmSync(join(parent, name), { recursive: true, force: true });
  return target;
}
