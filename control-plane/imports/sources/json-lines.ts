import { textOfCell } from '../../../shared/base/csv-cell.js';
import { isNdjson } from '../../../shared/base/csv-dialect.js';
import { parseExactly } from '../../../shared/base/exact-numbers.js';
import { linesOf } from '../../../shared/base/lines.js';
import { csvRows } from './csv-rows.js';
import type { OnRead } from './source-link.js';
import { beginningOf, checkUtf8, readStream } from './text-file.js';

interface JsonLine {
  readonly text: string;
  /** Counted from 1, with empty lines. */
  readonly number: number;
}

/** The lines of an NDJSON file that are not empty. Throws `SyntaxError` if the first one is not JSON, as in a file of another kind. */
export async function* jsonLines(file: string, onRead: OnRead): AsyncIterable<JsonLine> {
  await checkUtf8(file);
  let number = 0;
  let isFirst = true;
  for await (const text of linesOf(await readStream(file, onRead))) {
    number++;
    if (text.trim() === '') continue;
    if (isFirst) parsed({ text, number });
    isFirst = false;
    yield { text, number };
  }
}

function parsed({ text, number }: JsonLine): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw error instanceof SyntaxError ? new SyntaxError(`line ${number} is not JSON: ${error.message}`) : error;
  }
}

/** The value of a line of NDJSON, or of a row of CSV; or why it cannot be read. */
export type ReadValue = { readonly value: unknown } | { readonly fault: string };

/** The values of an NDJSON file, or the rows of a CSV file, which must have some of the `known` columns. */
export async function* valuesOf(file: string, known: ReadonlySet<string>, onRead: OnRead): AsyncIterable<ReadValue> {
  if (isNdjson(await beginningOf(file))) for await (const line of jsonLines(file, onRead)) yield readValue(line);
  else
    for await (const row of csvRows(file, known, onRead))
      yield { value: Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOfCell(cell)])) };
}

function readValue(line: JsonLine): ReadValue {
  try {
    return { value: parsed(line) };
  } catch {
    return { fault: `line ${line.number} is not JSON` };
  }
}
