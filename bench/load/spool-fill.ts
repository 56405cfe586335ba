import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isReadableSegment } from '../../engine/spool/segment-folder.js';

/** Bytes of the click segments below the data folder. */
export function spoolFill(dataDir: string): number {
  let bytes = 0;
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && isReadableSegment(entry.name)) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
