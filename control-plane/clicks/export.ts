import type { ExportFormat } from '../../shared/contract/schemas/export.js';
import type { Database } from '../db/database.js';
import { type ExportPosition, PAGE_ROWS, readPage, readSlices } from './export-pages.js';
import { type ClickRow, type ExportedClick, lineOf } from './exported-click.js';
import { dayParts, type Span } from './span.js';
import { TypeKeys } from './type-keys.js';

export interface ExportWanted {
  readonly environmentNumber: number;
  readonly span: Span;
  readonly format: ExportFormat;
  /** Clicks up to this one are left out. */
  readonly after: ExportPosition | null;
  /** Takes some lines; the next ones are fetched when it resolves. */
  readonly write: (text: string) => Promise<void>;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Rows that are written at once: some 300 KB of text. */
const WRITTEN_ROWS = 1000;

/**
 * Writes the clicks of an environment in the order of their time, in pages: the memory it takes does not grow with their number, and no
 * transaction is open while the reader is waited for, which may take minutes. A transaction would keep days from being dropped, and who
 * waits to drop one holds up all that comes to the log after that. Returns how many clicks were written.
 */
export async function exportClicks(database: Database, wanted: ExportWanted): Promise<number> {
  const { after, span, onProgress } = wanted;
  const rest = after === null ? span : { from: after.occurred_at > span.from ? after.occurred_at : span.from, to: span.to };
  const parts = dayParts(rest);
  const typeKeys = new TypeKeys();
  let clicks = 0;
  for (const [done, part] of parts.entries()) {
    clicks += await exportPart(database, wanted, part, typeKeys);
    onProgress?.(done + 1, parts.length);
  }
  return clicks;
}

/** Writes a part of a day. A page is read while the one before it is written, as long as that takes. */
async function exportPart(database: Database, wanted: ExportWanted, part: Span, typeKeys: TypeKeys): Promise<number> {
  const pages = readPages(database, wanted, part);
  let clicks = 0;
  let next = pages.next();
  try {
    for (;;) {
      const { value: rows, done } = await next;
      if (done === true) return clicks;
      next = pages.next();
      // If it fails, that is told when it is its turn.
      next.catch(() => {});
      await writeRows(await typeKeys.named(database, rows), wanted);
      clicks += rows.length;
    }
  } finally {
    await next.catch(() => {});
  }
}

/**
 * Nothing has the clicks of a day in order, so the first page reads all of it. Where that was not all, one statement lays out the
 * others: to read the whole day for each of them would take a time that grows with the square of its clicks.
 */
async function* readPages(database: Database, wanted: ExportWanted, part: Span): AsyncGenerator<readonly ClickRow[], undefined> {
  const { environmentNumber } = wanted;
  let rows = await readPage(database, { environmentNumber, part, batches: null, after: wanted.after });
  yield rows;
  let after = rows.at(-1);
  if (rows.length < PAGE_ROWS || after === undefined) return;
  for (const slice of await readSlices(database, environmentNumber, { from: after.occurred_at, to: part.to }))
    do {
      rows = await readPage(database, { environmentNumber, ...slice, after });
      yield rows;
      after = rows.at(-1) ?? after;
    } while (rows.length === PAGE_ROWS);
}

async function writeRows(rows: readonly ExportedClick[], { format, write }: ExportWanted): Promise<void> {
  for (let at = 0; at < rows.length; at += WRITTEN_ROWS) {
    const lines = rows.slice(at, at + WRITTEN_ROWS).map((row) => lineOf(row, format));
    await write(lines.join(''));
  }
}
