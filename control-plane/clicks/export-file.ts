import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { idToUuid } from '../../shared/base/ids.js';
import { parseInstant } from '../../shared/base/instant.js';
import type { ExportFormat } from '../../shared/contract/schemas/export.js';
import type { ExportPosition } from './export-pages.js';
import { headOf } from './exported-click.js';

/** How far an interrupted export has come. */
export interface ExportedFile {
  /** The length of the file up to the end of its last whole line. */
  readonly bytes: number;
  /** Null if the file holds no click. */
  readonly last: ExportPosition | null;
}

/** Reads how far the file goes. Returns null if it is not an export of the format. Scans its lines once, without keeping them in memory. */
export async function readExportedFile(path: string, format: ExportFormat): Promise<ExportedFile | null> {
  const { start, end, lines } = await lastLine(path, format);
  const head = headOf(format);
  const headLines = head === '' ? 0 : 1;
  if (headLines === 1 && lines > 0 && (await readText(path, 0, Buffer.byteLength(head))) !== head) return null;
  if (lines <= headLines) return { bytes: end, last: null };
  const last = positionOf(await readText(path, start, end), format);
  return last === null ? null : { bytes: end, last };
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Returns where the last whole line lies, and the number of lines. A line feed inside a quoted cell does not end a line. */
async function lastLine(path: string, format: ExportFormat): Promise<{ start: number; end: number; lines: number }> {
  let at = 0;
  let quoted = false;
  const found = { start: 0, end: 0, lines: 0 };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    for (const byte of chunk) {
      at++;
      if (byte === QUOTE && format === 'csv') quoted = !quoted;
      if (byte !== LINE_FEED || quoted) continue;
      found.start = found.end;
      found.end = at;
      found.lines++;
    }
  return found;
}

async function readText(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Parses the first two columns, which are never quoted. */
function positionOf(line: string, format: ExportFormat): ExportPosition | null {
  const [id, occurredAt] = format === 'csv' ? line.split(',', 2) : jsonColumns(line);
  const uuid = typeof id === 'string' ? idToUuid('click', id) : null;
  const timeMs = typeof occurredAt === 'string' ? parseInstant(occurredAt) : null;
  return uuid === null || timeMs === null ? null : { id: uuid, occurred_at: new Date(timeMs) };
}

function jsonColumns(line: string): readonly unknown[] {
  try {
    const { id, occurred_at } = (JSON.parse(line) ?? {}) as { id?: unknown; occurred_at?: unknown };
    return [id, occurred_at];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
