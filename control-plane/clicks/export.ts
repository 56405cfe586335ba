import type { ExportFormat } from '../../shared/contract/schemas/export.js';
import type { Database } from '../db/database.js';
import { dayParts, type Span } from '../local-days/span.js';
import { type ExportPosition, PAGE_ROWS, readPage, readSlices } from './export-pages.js';
import { type ClickRow, type ExportedClick, lineOf } from './exported-click.js';
import { TypeKeys } from './type-keys.js';

export interface ExportWanted {
  readonly environmentNumber: number;
  readonly span: Span;
  readonly format: ExportFormat;
  /** Clicks up to and including this one are left out. */
  readonly after: ExportPosition | null;
  /** Writes some lines. The next ones are written when it has resolved. */
  readonly write: (text: string) => Promise<void>;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Number of rows written at once, about 300 KB of text. */
const WRITTEN_ROWS = 1000;

/**
 * Writes the clicks of an environment in the order of their time, in pages. So memory use does not grow with their number, and no
 * transaction is open while it waits for the reader, which may take minutes. An open transaction would keep days from being dropped, and a
 * session that waits to drop one blocks everything that uses the log after it. Returns how many clicks were written.
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

/** Writes a part of a day. Reads each page while the previous one is being written, however long that takes. */
async function exportPart(database: Database, wanted: ExportWanted, part: Span, typeKeys: TypeKeys): Promise<number> {
  const pages = readPages(database, wanted, part);
  let clicks = 0;
  let next = pages.next();
  try {
    for (;;) {
      const { value: rows, done } = await next;
      if (done === true) return clicks;
      next = pages.next();
      // If this fails, the error is thrown when the page is awaited.
      next.catch(() => {});
      await writeRows(await typeKeys.named(database, rows), wanted);
      clicks += rows.length;
    }
  } finally {
    await next.catch(() => {});
  }
}

/**
 * There is no index of the clicks of a day in order, so the first page reads the whole day. If there are more pages, one statement
 * divides the rest into slices. Reading the whole day for each page would take time that grows with the square of its clicks.
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
