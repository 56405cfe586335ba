import type { Collision, FileSource, ImportedRow } from '../../../../shared/contract/schemas/link-import.js';
import { ApiError, type Connection, call } from '../../api/client.js';
import { quote } from '../../language/quoted.js';
import { text } from '../../language/text.js';
import { withFewPasswords } from './few-passwords.js';
import type { OpenedFile } from './opened-file.js';

/** The choices that apply to every row of a file. */
export interface ImportChoices {
  readonly source: FileSource;
  readonly collision: Collision;
  /** For Dub: whether keys that differ only in case are different links. */
  readonly caseSensitive: boolean;
  /** Hosts of this service, keyed by the hosts of the other one. */
  readonly domains: Readonly<Record<string, string>>;
}

export interface SendOptions {
  readonly connection: Connection;
  readonly file: OpenedFile;
  readonly choices: ImportChoices;
  readonly dryRun: boolean;
  /**
   * A UUID of this import. Each call has its own idempotency key made from it, so that a call whose response was lost returns the same
   * results when it is repeated.
   */
  readonly importId: string;
  readonly signal: AbortSignal;
}

/**
 * As many as a call accepts. With half as many, each link costs the service half as much again. A pause still takes effect within a second.
 */
const ROWS_OF_CALL = 500;

const WAITS_MS = [1000, 3000, 9000];

/** Sends the rows from `from` on, in one call. Retries after transient failures. Throws `ApiError`, or the signal's reason. */
export async function sendRows(options: SendOptions, from: number): Promise<readonly ImportedRow[]> {
  const { connection, file, choices, dryRun, importId, signal } = options;
  const rows = withFewPasswords(await file.slice(from, ROWS_OF_CALL), file.columns);
  const body = {
    source: choices.source,
    ...(file.isNdjson ? {} : { columns: [...file.columns] }),
    rows: [...rows],
    first_row: from + 1,
    dry_run: dryRun,
    on_collision: choices.collision,
    case_sensitive: choices.caseSensitive,
    domains: Object.entries(choices.domains).map(([from, to]) => ({ from, to })),
  };
  const key = dryRun ? {} : { idempotencyKey: callKey(importId, from) };
  for (const waitMs of [...WAITS_MS, null])
    try {
      const { results } = await call(connection, 'POST /imports/links', { body }, { signal, ...key });
      if (results.length !== rows.length) throw new ApiError(200, 'unexpected', text('The response does not match the request.'));
      return results.map((row) => (row.reason === null ? row : { ...row, reason: quote(row.reason) }));
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isPassing || waitMs === null || !navigator.onLine) throw error;
      await waited(waitMs, signal);
    }
  throw new Error('the last attempt returns or throws');
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

/** Returns a UUID: the UUID of the import, with the number of the row in its last twelve digits. */
function callKey(importId: string, from: number): string {
  return importId.slice(0, 24) + from.toString(16).padStart(12, '0');
}
