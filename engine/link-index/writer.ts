import { randomInt } from 'node:crypto';
import { closeSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { LinkRecord } from '../../shared/records/records.js';
import { attempt } from '../mapped/mapped-file.js';
import { fileNumber, type IndexRoom, indexFilePath, keyHash, type LinkIndexShape, shapeFor } from './file.js';
import { type LinkIndexFileStats, LinkIndexFileWriter, type PutOutcome } from './file-writer.js';
import { openIndexSet, removeOtherSets } from './index-set.js';
import type { IndexMappings } from './mappings.js';
import type { LinkKey } from './record.js';

export type WriterOutcome = { readonly writer: LinkIndexWriter } | { readonly fault: string };

export interface LinkIndexSetStats extends LinkIndexFileStats {
  readonly files: number;
}

/** The one writer of the files of a link index. `path` is that of the index: the name by which readers find the set in use. */
export class LinkIndexWriter {
  readonly #path: string;
  readonly #shape: LinkIndexShape;
  /** By their numbers. */
  readonly #files: readonly LinkIndexFileWriter[];
  readonly #mask: number;

  private constructor(path: string, shape: LinkIndexShape, files: readonly LinkIndexFileWriter[]) {
    this.#path = path;
    this.#shape = shape;
    this.#files = files;
    this.#mask = shape.files - 1;
  }

  /**
   * Creates a set with room for so many links and bytes of records, in files of at most `fileBytesMax`. No reader finds it
   * until `publish`.
   */
  static create(mappings: IndexMappings, path: string, room: IndexRoom, fileBytesMax: number): WriterOutcome {
    const shape = shapeFor(room, randomInt(2 ** 32) | 0, fileBytesMax);
    if (shape === null) return { fault: 'there are more links than the files have room for' };
    const files: LinkIndexFileWriter[] = [];
    for (let number = 0; number < shape.files; number++) {
      const created = LinkIndexFileWriter.create(mappings, indexFilePath(path, shape.seed, number), shape, number);
      if ('fault' in created) {
        new LinkIndexWriter(path, shape, files).discard();
        return created;
      }
      files.push(created.writer);
    }
    return { writer: new LinkIndexWriter(path, shape, files) };
  }

  /** Continues with a set that an earlier writer left at exactly this position. */
  static resume(mappings: IndexMappings, path: string, position: number): WriterOutcome {
    const opened = openIndexSet(path, 'r+', (first) => (first.position === BigInt(position) ? null : 'not at the position of the store'));
    if ('fault' in opened) return opened;
    const { shape } = opened;
    const files: LinkIndexFileWriter[] = [];
    for (const fd of opened.fds) {
      const resumed = LinkIndexFileWriter.resume(mappings, fd, shape);
      if ('fault' in resumed) {
        for (const file of files) file.close();
        for (const unused of opened.fds.slice(files.length + 1)) closeSync(unused);
        return resumed;
      }
      files.push(resumed.writer);
    }
    return { writer: new LinkIndexWriter(path, shape, files) };
  }

  put(environmentNumber: number, path: string, link: LinkRecord): PutOutcome {
    const key = this.#keyOf(environmentNumber, path);
    return this.#fileOf(key).put(key, link);
  }

  remove(environmentNumber: number, path: string): void {
    const key = this.#keyOf(environmentNumber, path);
    this.#fileOf(key).remove(key);
  }

  /** Records that everything up to the position is in the index. */
  reached(position: number): void {
    this.#first.reached(position);
  }

  /** Atomically makes this the set that readers find. Returns null, or the error's name. */
  publish(): string | null {
    const making = `${this.#path}.making`;
    const published = attempt(() => {
      rmSync(making, { force: true });
      symlinkSync(basename(this.#filePath(0)), making);
      renameSync(making, this.#path);
    });
    return 'error' in published ? published.error : null;
  }

  /** Supersedes and removes every other set of the index, older and unfinished ones. Returns null, or the error's name. */
  removeOthers(): string | null {
    return removeOtherSets(this.#path, this.#shape.seed);
  }

  /** Whether readers find exactly this set, with all of its files. */
  isInPlace(): boolean {
    const named = attempt(() => readlinkSync(this.#path));
    if ('error' in named || named.value !== basename(this.#filePath(0))) return false;
    return this.#files.every((file, number) => file.isAt(this.#filePath(number)));
  }

  /** Makes every reader detach. */
  supersede(): void {
    this.#first.supersede();
  }

  /** Closes the files, which stay as they are. */
  close(): void {
    for (const file of this.#files) file.close();
  }

  /** Closes and removes a set that was not published. Files that cannot be removed are left to the next writer of the index. */
  discard(): void {
    this.close();
    this.#files.forEach((_file, number) => void attempt(() => rmSync(this.#filePath(number), { force: true })));
  }

  /** Totals of all files; `table_fill` and `arena_fill` are those of the fullest one. */
  stats(): LinkIndexSetStats {
    let [links, bytes, table_fill, arena_fill] = [0, 0, 0, 0];
    for (const file of this.#files) {
      const stats = file.stats();
      links += stats.links;
      bytes += stats.bytes;
      table_fill = Math.max(table_fill, stats.table_fill);
      arena_fill = Math.max(arena_fill, stats.arena_fill);
    }
    return { links, bytes, table_fill, arena_fill, files: this.#files.length };
  }

  get #first(): LinkIndexFileWriter {
    return this.#files[0] as LinkIndexFileWriter;
  }

  #filePath(number: number): string {
    return indexFilePath(this.#path, this.#shape.seed, number);
  }

  #keyOf(environment_number: number, path: string): LinkKey {
    return { hash: keyHash(this.#shape.seed, environment_number, path), environment_number, path };
  }

  #fileOf({ hash }: LinkKey): LinkIndexFileWriter {
    return this.#files[fileNumber(hash, this.#mask)] as LinkIndexFileWriter;
  }
}
