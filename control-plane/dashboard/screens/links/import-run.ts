import { ApiError, type Connection, call } from '../../api/client.js';
import type { ImportRow } from './import-columns.js';

/** What became of a row, or would. */
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

/** Sends the rows part by part, and says after each what became of all rows so far. Throws `ApiError` where a part cannot be sent. */
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

/** A UUID as well: the import's own with the place of the part in its last twelve digits. */
function partKey(importId: string, at: number): string {
  return importId.slice(0, 24) + at.toString(16).padStart(12, '0');
}

/** Pointers lead into the whole call: here only the member matters. */
function reasonOf(problem: {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}): string {
  if (problem.errors === undefined || problem.errors.length === 0) return problem.detail;
  return problem.errors.map(({ pointer, detail }) => `${pointer.split('/').slice(3).join('/')} ${detail}`.trim()).join('; ');
}
