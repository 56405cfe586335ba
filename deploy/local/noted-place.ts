import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPrivateFile } from './private-file.js';
import { StartError } from './start-error.js';

/** Where a database may be. */
export interface Places {
  /** The folder of the state (DATA_DIR). */
  readonly dataDir: string;
  /** The folder for data if the server's user cannot reach `dataDir`. */
  readonly reachableDir: string;
}

export function folderInside({ dataDir }: Places): string {
  return join(realpathSync(dataDir), 'postgres');
}

/** Named after DATA_DIR, so that each DATA_DIR has its own folder. */
export function reachableFolder(places: Places): string {
  const name = createHash('sha256').update(folderInside(places)).digest('hex').slice(0, 16);
  return join(places.reachableDir, name);
}

/**
 * Returns the folder of the database that belongs to DATA_DIR; null if none has been chosen yet. The note holds the path of the last start,
 * but DATA_DIR and the folder of databases may have been moved or copied since, for example to rehearse a restore. A database in DATA_DIR
 * goes with it. One outside is found in the folder of databases that is set now, if it is the noted one or its copy. Throws `StartError` if
 * the folder is gone, because an empty database in its place would look like lost data.
 */
export function notedPlace(note: string, places: Places): string | null {
  const inside = folderInside(places);
  if (hasData(inside)) return inside;
  const noted = readPrivateFile(note);
  if (noted === null || noted === inside) return noted;
  const moved = join(places.reachableDir, basename(noted));
  if (moved !== noted && hasData(moved) && (!hasData(noted) || clusterId(moved) === clusterId(noted))) return moved;
  if (existsSync(noted)) return noted;
  // A DATA_DIR that was moved before it had a database.
  if (basename(noted) === basename(inside)) return null;
  throw new StartError(
    `${note} names ${noted}, which does not exist: put the database back there, or write the path of its folder into that file, or remove the file to begin with an empty database`,
  );
}

function hasData(parent: string): boolean {
  return existsSync(join(parent, 'data'));
}

/** The identifier that initdb gives to a cluster, and that its copies keep: the first eight bytes of pg_control. */
function clusterId(parent: string): string | null {
  const file = join(parent, 'data', 'global', 'pg_control');
  return existsSync(file) ? readFileSync(file).subarray(0, 8).toString('hex') : null;
}
