import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lockHolder } from '../../shared/base/process-lock.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';
import { StartError } from './start-error.js';

/** Where a database may be. */
export interface Places {
  /** The folder of the state (DATA_DIR). */
  readonly dataDir: string;
  /** The folder for data if the server's user cannot reach `dataDir`. */
  readonly reachableDir: string;
}

/** The name of a database folder that is in DATA_DIR. */
const INSIDE = 'postgres';
/** Where pg_control has the state of the cluster, after its identifier and two versions, and what it says after a clean stop. */
const STATE_AT = 16;
const SHUT_DOWN = 1;

export function folderInside({ dataDir }: Places): string {
  return join(realpathSync(dataDir), INSIDE);
}

/** Named after DATA_DIR, so that each DATA_DIR has its own folder. */
export function reachableFolder(places: Places): string {
  const name = createHash('sha256').update(folderInside(places)).digest('hex').slice(0, 16);
  return join(places.reachableDir, name);
}

/** In the folder of a database: the DATA_DIR that was last started on it. */
const OWNER_FILE = 'data-dir';
/** In DATA_DIR: the folder of its database. */
export const NOTE = 'postgres-folder';

/**
 * Notes in the folder of a database outside of DATA_DIR to which DATA_DIR it belongs. Call this while nobody else can start on the database.
 */
export function noteOwner(parent: string, { dataDir }: Pick<Places, 'dataDir'>): void {
  const owner = realpathSync(dataDir);
  const file = join(parent, OWNER_FILE);
  if (parent !== join(owner, INSIDE) && readPrivateFile(file) !== owner) writePrivateFile(file, owner);
}

/**
 * Returns the folder of the database that belongs to DATA_DIR; null if none has been chosen yet. The note holds the path of the last start,
 * but DATA_DIR and the folder of databases may have been moved or copied since, for example to rehearse a restore. A database in DATA_DIR
 * goes with it. One outside is used where it is noted, unless the folder of databases that is set now has it in its place:
 *
 * - the noted folder is gone, so it has been moved;
 * - the noted folder belongs to another DATA_DIR, or to none, so both folders have been copied;
 * - the noted folder belongs to this DATA_DIR, but the other one is the same to the byte. An old copy of it is left alone.
 *
 * Throws `StartError` if the only database belongs to another DATA_DIR, or if the folder is gone, because an empty database in its place
 * would look like lost data.
 */
export function notedPlace(note: string, places: Places, say: (line: string) => void = () => {}): string | null {
  const inside = folderInside(places);
  if (hasData(inside)) return inside;
  const noted = readPrivateFile(note);
  if (noted === null || noted === inside) return noted;
  const owner = ownerOf(noted, places);
  const isOthers = owner !== null && !isSameFolder(owner, places.dataDir);
  const moved = join(places.reachableDir, basename(noted));
  if (moved !== noted && hasData(moved) && !isTaken(moved, places)) {
    if (!hasData(noted)) return moved;
    const isCopy = clusterId(moved) === clusterId(noted);
    if (isCopy && (owner === null || isOthers || isSameState(moved, noted))) return moved;
    if (isCopy) say(`the database is in ${noted}; to use the copy of it in ${moved}: echo '${moved}' > '${note}'`);
  }
  if (isOthers && hasData(noted)) throw new StartError(belongsTo(owner, noted, places));
  if (existsSync(noted) && !isOthers) return noted;
  // A DATA_DIR that was moved or copied before it had a database.
  if (basename(noted) === INSIDE) return null;
  throw new StartError(
    `${note} names ${noted}, which does not exist: put the database back there, or, if it is elsewhere, write the path of its folder into the file: echo 'FOLDER' > '${note}', or begin with an empty database: rm '${note}'`,
  );
}

/** How to give a copy of a DATA_DIR its own copy of a database. */
export function howToCopy(parent: string, places: Places): string {
  const beside = join(dirname(parent), basename(reachableFolder(places)));
  const unused = existsSync(beside) ? `${beside}-${randomBytes(4).toString('hex')}` : beside;
  const target = basename(parent) === INSIDE ? folderInside(places) : unused;
  return `if this DATA_DIR is a copy, stop the service of the original and copy the database too: cp -a '${parent}/.' '${target}' && echo '${target}' > '${join(realpathSync(places.dataDir), NOTE)}'`;
}

function belongsTo(owner: string, parent: string, places: Places): string {
  const holder = lockHolder(join(parent, 'start.lock'));
  const running = holder === null ? '' : `, and is in use (process ${holder.pid})`;
  return `the database in ${parent} belongs to the DATA_DIR ${owner}${running}: ${howToCopy(parent, places)}`;
}

function hasData(parent: string): boolean {
  return existsSync(join(parent, 'data'));
}

function isTaken(parent: string, places: Places): boolean {
  const owner = ownerOf(parent, places);
  return owner !== null && !isSameFolder(owner, places.dataDir);
}

/**
 * The DATA_DIR that the database belongs to: the database names it, and it notes the database. A copy of either one lacks half of this.
 * Null if there is none, because it was removed or has another database now.
 */
function ownerOf(parent: string, places: Places): string | null {
  const named = namedOwner(parent, places);
  const note = named === null ? '' : join(named, NOTE);
  return existsSync(note) && isSameFolder(readPrivateFile(note) ?? '', parent) ? named : null;
}

function namedOwner(parent: string, places: Places): string | null {
  const around = dirname(parent);
  if (basename(parent) === INSIDE && existsSync(join(around, NOTE))) return around;
  const named = readPrivateFile(join(parent, OWNER_FILE));
  // Earlier releases have not noted it, but the folder has its name from the DATA_DIR that it was made for.
  if (named === null && basename(parent).startsWith(basename(reachableFolder(places)))) return places.dataDir;
  return named;
}

/** Compares the folders themselves, because one folder can have several paths. */
function isSameFolder(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return a.dev === b.dev && a.ino === b.ino;
}

function controlFile(parent: string): Buffer {
  const file = join(parent, 'data', 'global', 'pg_control');
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

/** The identifier that initdb gives to a cluster, and that its copies keep: the first eight bytes of pg_control. */
function clusterId(parent: string): string {
  return controlFile(parent).subarray(0, 8).toString('hex');
}

/** Whether neither of two copies of a cluster has run since it was copied. After a clean stop, the log holds nothing that the data lacks. */
function isSameState(one: string, other: string): boolean {
  const control = controlFile(one);
  return control.equals(controlFile(other)) && control.readUInt32LE(STATE_AT) === SHUT_DOWN;
}
