import { createHash } from 'node:crypto';
import type { StoreEnvironment } from './environment.js';
import { readNumber, TABLE_CHANGES_KEY, TABLES_KEY } from './keys.js';

/**
 * Which sources of the compiled table changed lately, so that a reader that knows the others reads only these. An installation has many
 * thousands of them, each process reads them after every change, and no visitor is answered meanwhile.
 */
export interface TableChanges {
  /** The value of `TABLES_KEY` that the last transaction led to. */
  readonly tables: number;
  /** The keys that each of the last transactions changed, those of the latest one last. */
  readonly keys: readonly (readonly string[])[];
}

/** How many keys are kept. Reading so many takes some milliseconds. */
const KEYS_MAX = 1000;

export const NO_TABLE_CHANGES: TableChanges = { tables: 0, keys: [] };

/**
 * Returns the changes with those of one more transaction, which begins at this value of `TABLES_KEY`. Leaves out the first ones if they are too
 * many, or all if these are not the changes that led to the value.
 */
export function withTransaction(known: TableChanges, tables: number, changed: readonly string[]): TableChanges {
  const all = known.tables === tables ? [...known.keys, changed] : [changed];
  let count = 0;
  const tooEarly = all.findLastIndex((of) => {
    count += of.length;
    return count > KEYS_MAX;
  });
  return { tables: tables + 1, keys: all.slice(tooEarly + 1) };
}

const DIGEST_CHARACTERS = 16;

/** As text, after a digest of it: a flipped bit in a key would hide a change. */
export function encodeTableChanges(changes: TableChanges): Buffer {
  const text = JSON.stringify(changes);
  return Buffer.from(digestOf(text) + text);
}

/**
 * Returns the keys that changed since `TABLES_KEY` had this value; null if they are not known, because they were too many, a release that does
 * not write them has changed the store, or their value is damaged. Throws LMDB's errors.
 */
export function readChangesSince(environment: StoreEnvironment, tables: number): ReadonlySet<string> | null {
  const now = readNumber(environment, TABLES_KEY);
  if (now === tables) return new Set();
  const changes = decode(environment.getBinary(TABLE_CHANGES_KEY));
  const transactions = now - tables;
  if (changes === null || changes.tables !== now || transactions < 0 || transactions > changes.keys.length) return null;
  return new Set(changes.keys.slice(changes.keys.length - transactions).flat());
}

function decode(bytes: Buffer | undefined): TableChanges | null {
  const stored = bytes?.toString() ?? '';
  const text = stored.slice(DIGEST_CHARACTERS);
  return stored.startsWith(digestOf(text)) ? (JSON.parse(text) as TableChanges) : null;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS);
}
