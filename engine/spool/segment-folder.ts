import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { decodeUlid, encodeUlid, writeTime } from '../../shared/base/ids.js';
import { identify, type ProcessIdentity } from '../../shared/base/process-identity.js';
import { allocateFile, attempt, lockFile, resizeFile } from '../mapped/mapped-file.js';
import { encodeHeader, FORMAT_VERSION, MODE_MAPPED, READ_FORMAT_VERSIONS, type SegmentHeader, type SegmentMode } from './segment.js';
import type { SpoolKeys } from './spool-keys.js';

/**
 * The folder of the spool, shared by the redirect processes and `background`:
 *
 *     <ULID>.segment    a segment (segment.ts); from format 2 on its name ends with the format: .segment2
 *     <ULID>.shipped2   a segment whose clicks are all stored, kept for a while (kept-segments.ts)
 *     <ULID>.making     a segment that is being made
 *     *.counters        the counts of clicks a process dropped (drop-counters.ts)
 *     quarantine/       segments that could not be read
 *
 * Only the service's user can read it. A release leaves files alone that it cannot read: during an upgrade, `background` of
 * each release ships the segments it knows.
 */
export const SEGMENT_SUFFIX = `.segment${FORMAT_VERSION}`;
const SEGMENT_NAME = /^([0-9a-z]{26})\.segment(\d*)$/;
const SHIPPED_SUFFIX = `.shipped${FORMAT_VERSION}`;
export const MAKING_SUFFIX = '.making';
export const QUARANTINE = 'quarantine';

/** Creates the folder if it does not exist. Returns null, or the error's name. */
export function makeFolder(dir: string): string | null {
  const outcome = attempt(() => mkdirSync(dir, { recursive: true, mode: 0o700 }));
  return 'error' in outcome ? outcome.error : null;
}

let self: ProcessIdentity | null | undefined;

/** Identifies this process; null if the system does not report it. The result never changes, so it is determined once. */
export function ownIdentity(): ProcessIdentity | null {
  if (self === undefined) self = identify(process.pid);
  return self;
}

/** Returns the sum of the sizes of all files in the folder. A sparse file counts in full, so that creating one reserves its space. */
export function folderBytes(dir: string): number {
  let sum = 0;
  for (const entry of listFolder(dir)) {
    if (entry === QUARANTINE) sum += folderBytes(join(dir, entry));
    else {
      // The file may be gone since it was listed.
      const status = attempt(() => statSync(join(dir, entry)));
      if ('value' in status) sum += status.value.size;
    }
  }
  return sum;
}

/** Returns the names in the folder; none if there is no folder. */
export function listFolder(dir: string): readonly string[] {
  const names = attempt(() => readdirSync(dir));
  return 'error' in names ? [] : names.value;
}

/** Returns the format in a segment's file name; null if the name is not that of a segment. */
function formatOf(name: string): number | null {
  const match = SEGMENT_NAME.exec(name);
  return match === null || decodeUlid(match[1] as string) === null ? null : Number(match[2] || 1);
}

/** Whether the name is that of a segment which this release can read. */
export function isReadableSegment(name: string): boolean {
  const format = formatOf(name);
  return format !== null && READ_FORMAT_VERSIONS.includes(format);
}

/** Whether the name is that of a segment which only another release can read. That release must ship its clicks. */
export function isForeignSegment(name: string): boolean {
  const format = formatOf(name);
  return format !== null && !READ_FORMAT_VERSIONS.includes(format);
}

/**
 * Returns the name for a segment's file once its clicks are stored; null for one of the previous release, which contains
 * addresses and is not kept.
 */
export function shippedName(name: string): string | null {
  return name.endsWith(SEGMENT_SUFFIX) ? name.slice(0, -SEGMENT_SUFFIX.length) + SHIPPED_SUFFIX : null;
}

/** Returns the name the file had before `shippedName`. */
export function unshippedName(name: string): string {
  return name.slice(0, -SHIPPED_SUFFIX.length) + SEGMENT_SUFFIX;
}

export function isShippedName(name: string): boolean {
  return name.endsWith(SHIPPED_SUFFIX);
}

export interface SegmentFile {
  readonly fd: number;
  readonly path: string;
  readonly header: SegmentHeader;
}

export interface SegmentSpec {
  readonly dir: string;
  readonly mode: SegmentMode;
  readonly file_bytes: number;
  /** Limit of the whole folder, in bytes. */
  readonly bytes_max: number;
  readonly keys: SpoolKeys;
  readonly now_ms: number;
}

/** `bound`: the folder has reached its limit. `disk`: the system refused, with the error's name. */
export interface Refusal {
  readonly refused: 'bound' | 'disk';
  readonly error: string;
}

/**
 * Makes a segment of full size with its header. The size of a sparse file reserves the space before the folder's total is
 * checked: if two processes reach for the last space at once, both may be refused, but the limit is never exceeded. The file
 * gets its final name when it is complete.
 */
export function createSegment(spec: SegmentSpec): SegmentFile | Refusal {
  const error = makeFolder(spec.dir);
  if (error !== null) return { refused: 'disk', error };
  const id = Buffer.alloc(16);
  randomBytes(10).copy(id, 6);
  writeTime(id, spec.now_ms);
  const name = encodeUlid(id);
  const making = join(spec.dir, name + MAKING_SUFFIX);
  const opened = attempt(() => openSync(making, 'wx+', 0o600));
  if ('error' in opened) return { refused: 'disk', error: opened.error };
  const made = fillSegment(spec, opened.value, id);
  if ('refused' in made) {
    discardFile(opened.value, making);
    return made;
  }
  const path = join(spec.dir, name + SEGMENT_SUFFIX);
  const renamed = attempt(() => renameSync(making, path));
  if ('value' in renamed) return { fd: opened.value, path, header: made };
  discardFile(opened.value, making);
  return { refused: 'disk', error: renamed.error };
}

function fillSegment(spec: SegmentSpec, fd: number, id: Buffer): SegmentHeader | Refusal {
  const claim = resizeFile(fd, spec.file_bytes);
  if (claim !== null) return { refused: 'disk', error: claim };
  if (!makeRoom(spec.dir, spec.bytes_max)) return { refused: 'bound', error: 'SPOOL_BYTES_MAX' };
  if (spec.mode === MODE_MAPPED) {
    const allocation = allocateFile(fd, spec.file_bytes);
    if (allocation !== null) return { refused: 'disk', error: allocation };
  }
  const header: SegmentHeader = {
    mode: spec.mode,
    file_bytes: spec.file_bytes,
    segment_id: id,
    keys: { format: 2, click_id_key_name: spec.keys.clickIds.current.name, address_key_name: spec.keys.addresses.name },
    writer: ownIdentity(),
    created_at_ms: spec.now_ms,
  };
  const written = attempt(() => writeSync(fd, encodeHeader(header), 0, undefined, 0));
  if ('error' in written) return { refused: 'disk', error: written.error };
  // The lock is held until the file is closed and shows other processes that the writer is alive. On systems without locks they
  // go by its pid.
  if (spec.mode === MODE_MAPPED) lockFile(fd, true);
  return header;
}

/** Whether the folder is within its limit. Removes segments whose clicks are stored, the oldest first, before a click has to be dropped. */
function makeRoom(dir: string, bytesMax: number): boolean {
  if (folderBytes(dir) <= bytesMax) return true;
  for (const name of listFolder(dir).filter(isShippedName).toSorted()) {
    removeFile(join(dir, name));
    if (folderBytes(dir) <= bytesMax) return true;
  }
  return false;
}

/** Closes and removes a file that is no longer needed. It may be gone already. */
export function discardFile(fd: number, path: string): void {
  closeSync(fd);
  removeFile(path);
}

/** Returns null, or the name of the error that keeps the file in place. */
export function removeFile(path: string): string | null {
  const outcome = attempt(() => unlinkSync(path));
  return 'error' in outcome && outcome.error !== 'ENOENT' ? outcome.error : null;
}
