import { closeSync, fstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../mapped/mapped-file.js';
import { HEADER_BYTES, type IndexHeader, indexFilePath, type LinkIndexShape, readIndexHeader, SUPERSEDED_OFFSET } from './file.js';

/** The open files of a set, by their numbers. The caller must close them. */
export interface OpenIndexSet {
  readonly fds: readonly number[];
  readonly shape: LinkIndexShape;
}

/** Opens every file of the set in use at `path`, or returns why the set must not be read. `whyNot` checks the header of number 0. */
export function openIndexSet(
  path: string,
  flags: 'r' | 'r+',
  whyNot: (first: IndexHeader) => string | null,
): OpenIndexSet | { readonly fault: string } {
  const fds: number[] = [];
  const opened = openEach(path, flags, { fds, whyNot });
  if ('fault' in opened) for (const fd of fds) closeSync(fd);
  return opened;
}

function openEach(
  path: string,
  flags: 'r' | 'r+',
  { fds, whyNot }: { readonly fds: number[]; readonly whyNot: (first: IndexHeader) => string | null },
): OpenIndexSet | { readonly fault: string } {
  const open = (name: string) => {
    const opened = attempt(() => openSync(name, flags));
    if ('error' in opened) return { fault: opened.error };
    fds.push(opened.value);
    return readIndexHeader(opened.value);
  };
  const first = open(path);
  if ('fault' in first) return first;
  const fault = first.number !== 0 ? 'not the first file of a set' : first.superseded ? 'superseded' : whyNot(first);
  if (fault !== null) return { fault };
  const { shape } = first;
  for (let number = 1; number < shape.files; number++) {
    const header = open(indexFilePath(path, shape.seed, number));
    if ('fault' in header) return { fault: `file ${number}: ${header.fault}` };
    if (!isOfSet(header, shape, number)) return { fault: `file ${number}: of another set` };
  }
  return { fds, shape };
}

function isOfSet(header: IndexHeader, shape: LinkIndexShape, number: number): boolean {
  const { file_bytes, slots, seed, files } = header.shape;
  const same = file_bytes === shape.file_bytes && slots === shape.slots && seed === shape.seed && files === shape.files;
  return same && header.number === number;
}

/** Supersedes every set at `path` except the one with this seed, and removes its files. Returns null, or the first error's name. */
export function removeOtherSets(path: string, seed: number | null): string | null {
  const folder = dirname(path);
  const listed = attempt(() => readdirSync(folder));
  if ('error' in listed) return listed.error === 'ENOENT' ? null : listed.error;
  const prefix = `${basename(path)}.`;
  const kept = seed === null ? null : basename(indexFilePath(path, seed, 0)).slice(0, -1);
  const isOther = (name: string) => FILE_SUFFIX.test(name.slice(prefix.length)) && (kept === null || !name.startsWith(kept));
  const others = listed.value.filter((name) => name.startsWith(prefix) && isOther(name)).map((name) => join(folder, name));
  // Supersede number 0 of each set before any of its files is removed.
  const superseded = others.filter((name) => name.endsWith('.0')).map(supersede);
  const removed = others.map((name) => attempt(() => rmSync(name, { force: true })));
  return superseded.find((error) => error !== null) ?? removed.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))[0] ?? null;
}

const FILE_SUFFIX = /^[0-9a-f]{8}\.\d+$/;

/** Supersedes an index that is not continued, and removes it. Returns null, or the error's name. */
export function dropIndex(path: string): string | null {
  const error = supersede(path);
  const removed = attempt(() => rmSync(path, { force: true }));
  return error ?? ('error' in removed ? removed.error : null) ?? removeOtherSets(path, null);
}

/** Returns null, or the error's name. A file that does not exist has no readers to detach. */
function supersede(path: string): string | null {
  const done = attempt(() => {
    const fd = openSync(path, 'r+');
    try {
      if (fstatSync(fd).size >= HEADER_BYTES) writeSync(fd, Buffer.from([1, 0, 0, 0]), 0, 4, SUPERSEDED_OFFSET);
    } finally {
      closeSync(fd);
    }
  });
  return 'error' in done && done.error !== 'ENOENT' ? done.error : null;
}
