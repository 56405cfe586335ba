import { ApiError, type Connection, call } from '../../api/client.js';
import type { ImportRow } from './import-columns.js';

/** The result of a row, or of its dry run. */
export interface RowOutcome {
  readonly line: number;
  /** Short URL of the link; null if it was refused. */
  readonly url: string | null;
  readonly error: string | null;
}

export interface ImportRun {
  readonly connection: Connection;
  readonly rows: readonly ImportRow[];
  readonly dryRun: boolean;
  /** A UUID of this import: each part of it is sent under a key of its own, so that it can be sent again after a reload. */
  readonly importId: string;
  readonly signal: AbortSignal;
  readonly onProgress: (outcomes: readonly RowOutcome[]) => void;
}

/** Small enough that progress is seen, and large enough that ten thousand links take some seconds. */
const PART_LINKS = 100;

/** Sends the rows in parts, and yields the results of all rows so far after each part. Throws `ApiError` if a part cannot be sent. */
export async function runImport({ connection, rows, dryRun, importId, signal, onProgress }: ImportRun): Promise<readonly RowOutcome[]> {
  let outcomes: readonly RowOutcome[] = rows.flatMap(({ line, error }) => (error === null ? [] : [{ line, url: null, error }]));
  const links = rows.filter(({ link }) => link !== null);
  for (let at = 0; at < links.length; at += PART_LINKS) {
    const part = links.slice(at, at + PART_LINKS);
    const body = { links: part.map(({ link }) => link), ...(dryRun ? { dry_run: true } : {}) };
    const options = dryRun ? { signal } : { signal, idempotencyKey: partKey(importId, at) };
    const { results } = await call(connection, 'POST /links/bulk', { body }, options);
    if (results.length !== part.length) throw new ApiError(200, 'unexpected', 'The answer does not fit what was sent.');
    const made = results.map((result, place): RowOutcome => {
      const line = part[place]?.line ?? 0;
      return 'link' in result ? { line, url: result.link.url, error: null } : { line, url: null, error: reasonOf(result.error) };
    });
    outcomes = [...outcomes, ...made];
    onProgress(outcomes);
  }
  return [...outcomes].sort((a, b) => a.line - b.line);
}

/** Returns a UUID: that of the import, with the number of the part in its last twelve digits. */
function partKey(importId: string, at: number): string {
  return importId.slice(0, 24) + at.toString(16).padStart(12, '0');
}

/** Pointers refer to the whole call. Only the member is shown here. */
function reasonOf(problem: {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}): string {
  if (problem.errors === undefined || problem.errors.length === 0) return problem.detail;
  return problem.errors.map(({ pointer, detail }) => `${pointer.split('/').slice(3).join('/')} ${detail}`.trim()).join('; ');
}
