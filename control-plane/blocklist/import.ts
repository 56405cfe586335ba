import { DESTINATION_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { linesOf } from '../../shared/base/lines.js';
import {
  BLOCKLIST_LINE_CHARACTERS_MAX,
  type BlocklistFormat,
  type BlocklistRefusal,
  parseBlocklistLine,
} from '../../shared/resolve/blocklist.js';
import type { Database, Queryable } from '../db/database.js';
import { allowPauses } from '../db/pauses.js';
import { createStagingTable, markChanged, replaceEntries, stageKeys, upsertList } from './sql.js';

/** A key longer than any destination matches nothing, and PostgreSQL cannot index text of more than 2,704 bytes. */
const KEY_CHARACTERS_MAX = DESTINATION_CHARACTERS_MAX;

/** How many keys one statement inserts. */
const BATCH_KEYS = 10_000;

/** How many refused lines are reported individually; the others are counted. */
export const REFUSED_LINES_TOLD = 100;

export interface RefusedLine {
  /** Starts at 1. */
  readonly line: number;
  readonly reason: BlocklistRefusal | 'too_long';
  /** The beginning of the line. */
  readonly text: string;
}

export interface ImportCounts {
  readonly lines: number;
  /** The number of keys read; repeated keys count each time. */
  readonly keys: number;
  /** Blank lines and comments. */
  readonly skipped: number;
  readonly refused: number;
  readonly refusedLines: readonly RefusedLine[];
}

export type ImportOutcome =
  | ({ readonly kind: 'imported'; readonly added: number; readonly removed: number } & ImportCounts)
  /**
   * Nothing was changed. `empty`: most likely a failed download; importing it would allow everything that was listed. `wrong_format`: more
   * lines were refused than accepted. `refused_lines`: the caller asked for `strict`.
   */
  | ({ readonly kind: 'unchanged'; readonly reason: 'empty' | 'wrong_format' | 'refused_lines' } & ImportCounts);

export interface Import {
  readonly name: string;
  readonly format: BlocklistFormat;
  /** The file's bytes. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether to import nothing if a line is refused. */
  readonly strict: boolean;
}

/**
 * Replaces the list of that name with the file's entries in one transaction: until it commits, and if anything fails, the old list stays in
 * force. Reads the file as a stream. Passes on an error of the file's stream.
 */
export function importBlocklist(database: Database, wanted: Import): Promise<ImportOutcome> {
  return database.transaction(async (transaction): Promise<ImportOutcome> => {
    // The file may arrive over a slow connection.
    await allowPauses(transaction);
    await createStagingTable(transaction);
    const counts = await stageLines(transaction, wanted);
    const reason = faultOf(counts, wanted.strict);
    if (reason !== null) return { kind: 'unchanged', reason, ...counts };
    await upsertList(transaction, wanted.name, wanted.format);
    const { added, removed } = await replaceEntries(transaction, wanted.name);
    // URLs that are no longer listed are given back to the engines.
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
