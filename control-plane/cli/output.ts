import Table from 'cli-table3';

/** How a command prints its result: as a table for people, or as JSON for programs. */
export interface Output {
  /** Whether JSON is printed. */
  readonly json: boolean;
  /** Columns are the members of the first row; JSON gives the rows as they are. `empty` is printed if there are no rows. */
  rows(rows: readonly object[], empty?: string): void;
  /** One object, with a line for each member. */
  object(value: object): void;
  /** One of many results as they occur: a line of text, or of JSON. */
  line(value: object, text: string): void;
}

export function createOutput(json: boolean, write: (text: string) => void): Output {
  if (json) {
    const print = (value: unknown) => write(`${JSON.stringify(value, null, 2)}\n`);
    return { json, rows: print, object: print, line: (value) => write(`${JSON.stringify(value)}\n`) };
  }
  return {
    json,
    rows(rows, empty = '') {
      const [first] = rows;
      if (first === undefined) {
        write(`${empty}\n`);
        return;
      }
      const columns = Object.keys(first);
      const table = new Table({ head: columns, style: { head: [], border: [], compact: true } });
      for (const row of rows as readonly Readonly<Record<string, unknown>>[]) table.push(columns.map((column) => cell(row[column])));
      write(`${table.toString()}\n`);
    },
    object(value) {
      const width = Math.max(...Object.keys(value).map((key) => key.length));
      for (const [key, member] of Object.entries(value)) write(`${key.padEnd(width)}  ${cell(member)}\n`);
    },
    line: (_value, text) => write(`${text}\n`),
  };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(' ');
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([key, member]) => `${key} ${cell(member)}`);
    return members.length === 0 ? '-' : members.join(', ');
  }
  return String(value);
}
