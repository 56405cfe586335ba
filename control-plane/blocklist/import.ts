import { DESTINATION_CHARACTERS_MAX } from '../../shared/base/limits.js';
import {
  BLOCKLIST_LINE_CHARACTERS_MAX,
  type BlocklistFormat,
  type BlocklistRefusal,
  parseBlocklistLine,
} from '../../shared/resolve/blocklist.js';
import type { Database, Queryable } from '../db/database.js';
import { allowPauses } from '../db/pauses.js';
import { linesOf } from './lines.js';
import { createStagingTable, markChanged, replaceEntries, stageKeys, upsertList } from './sql.js';

/** A key longer than any destination can be matches nothing, and PostgreSQL indexes no text of more than 2,704 bytes. */
const KEY_CHARACTERS_MAX = DESTINATION_CHARACTERS_MAX;

/** Keys of one statement. */
const BATCH_KEYS = 10_000;

/** Refused lines that are told one by one; the others are counted. */
export const REFUSED_LINES_TOLD = 100;

export interface RefusedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: BlocklistRefusal | 'too_long';
  /** Its beginning. */
  readonly text: string;
}

export interface ImportCounts {
  readonly lines: number;
  /** Keys read, the same one more than once counted as often. */
  readonly keys: number;
  /** Blank lines and comments. */
  readonly skipped: number;
  readonly refused: number;
  readonly refusedLines: readonly RefusedLine[];
}

export type ImportOutcome =
  | ({ readonly kind: 'imported'; readonly added: number; readonly removed: number } & ImportCounts)
  /**
   * Nothing was changed. `empty`: most likely a download that failed; taking it would allow everything that was listed.
   * `wrong_format`: more lines were refused than taken. `refused_lines`: `strict` was asked for.
   */
  | ({ readonly kind: 'unchanged'; readonly reason: 'empty' | 'wrong_format' | 'refused_lines' } & ImportCounts);

export interface Import {
  readonly name: string;
  readonly format: BlocklistFormat;
  /** The file's bytes. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Takes nothing if a line is refused. */
  readonly strict: boolean;
}

/**
 * Replaces the list of that name with the file's entries in one transaction: until it commits, and where anything fails,
 * the old list holds. Reads the file as a stream. An error of the file's stream passes through.
 */
export function importBlocklist(database: Database, wanted: Import): Promise<ImportOutcome> {
  return database.transaction(async (transaction): Promise<ImportOutcome> => {
    // The file may come over a slow line.
    await allowPauses(transaction);
    await createStagingTable(transaction);
    const counts = await stageLines(transaction, wanted);
    const reason = faultOf(counts, wanted.strict);
    if (reason !== null) return { kind: 'unchanged', reason, ...counts };
    await upsertList(transaction, wanted.name, wanted.format);
    const { added, removed } = await replaceEntries(transaction, wanted.name);
    // What is listed no longer is given back to the engines.
    if (added + removed > 0) await markChanged(transaction);
    return { kind: 'imported', added, removed, ...counts };
  });
}

function faultOf({ keys, lines, skipped, refused }: ImportCounts, strict: boolean) {
  if (refused > lines - skipped - refused) return 'wrong_format';
  if (keys === 0) return 'empty';
  return strict && refused > 0 ? 'refused_lines' : null;
}

async function stageLines(database: Queryable, { format, chunks }: Import): Promise<ImportCounts> {
  const counts = { lines: 0, keys: 0, skipped: 0, refused: 0 };
  const refusedLines: RefusedLine[] = [];
  let batch: string[] = [];
  for await (const text of linesOf(chunks, BLOCKLIST_LINE_CHARACTERS_MAX)) {
    counts.lines++;
    const line = parseBlocklistLine(format, text);
    const reason = line.kind === 'refused' ? line.reason : line.kind === 'entries' && line.keys.some(isTooLong) ? 'too_long' : null;
    if (reason !== null) {
      counts.refused++;
      if (refusedLines.length < REFUSED_LINES_TOLD) refusedLines.push({ line: counts.lines, reason, text: text.slice(0, 80) });
    } else if (line.kind === 'entries') {
      counts.keys += line.keys.length;
      batch.push(...line.keys);
    } else {
      counts.skipped++;
    }
    if (batch.length >= BATCH_KEYS) {
      await stageKeys(database, batch);
      batch = [];
    }
  }
  if (batch.length > 0) await stageKeys(database, batch);
  return { ...counts, refusedLines };
}

function isTooLong(key: string): boolean {
  return key.length > KEY_CHARACTERS_MAX;
}
