import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { linesOf } from '../../shared/base/lines.js';
import { hasLosses, type ImportLine } from '../imports/attempt.js';
import { tellable } from './written-file.js';

/** The file of the report of an import, and the run that writes it. */
export interface ReportOptions {
  readonly file: string | undefined;
  readonly environmentId: string;
  readonly resume?: true;
  readonly dryRun?: true;
}

/** A line of a report. Lines written by earlier releases name no environment. */
export interface ReportLine extends ImportLine {
  readonly env: string;
  /** Present if nothing was created. */
  readonly dry_run?: true;
}

export interface Report {
  /** Ids of links that it has already, without those that failed, which are tried again. */
  readonly done: ReadonlySet<string>;
  /** Counts of the whole import: what earlier runs have reported, and what this run has. */
  readonly counts: Readonly<ImportCounts>;
  write(line: ImportLine): Promise<void>;
  close(): Promise<void>;
}

export type ImportCounts = Record<ImportLine['outcome'] | 'with_losses', number>;

/**
 * Lines are written to the file together, because a write for each line would take a thread as long as the link takes this process. If a
 * run is killed and resumed, it finds the links again.
 */
const WRITE_CHARACTERS_MIN = 64 * 1024;

/** Opens the file first, so that a file that cannot be written ends the import before it has created a link. Errors name the report. */
export async function openReport({ file, environmentId, resume, dryRun }: ReportOptions): Promise<Report> {
  const tally = new Tally();
  if (file === undefined) return { ...tally, write: async (line) => tally.add(line), close: async () => {} };
  const handle = await named(file, () => open(file, resume ? 'a' : 'w', 0o600));
  if (resume && !dryRun)
    await named(file, () => readReport(file, environmentId, tally)).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
  // An empty line separates the runs, even if the last one was killed within a line.
  return { ...tally, ...writerOf(handle, file, resume ? '\n\n' : '', { env: environmentId, ...(dryRun ? { dry_run: true } : {}) }, tally) };
}

function writerOf(
  handle: FileHandle,
  file: string,
  start: string,
  marks: Omit<ReportLine, keyof ImportLine>,
  tally: Tally,
): Pick<Report, 'write' | 'close'> {
  let waiting = '';
  let before = start;
  const writeWaiting = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (text !== '') await named(file, () => handle.appendFile(text));
  };
  return {
    write: async (line) => {
      tally.add(line);
      waiting += `${before}${JSON.stringify({ ...line, ...marks })}\n`;
      before = '';
      if (waiting.length >= WRITE_CHARACTERS_MIN) await writeWaiting();
    },
    close: async () => {
      try {
        await writeWaiting();
      } finally {
        await handle.close();
      }
    },
  };
}

/** The outcomes of the links of all runs. */
class Tally {
  readonly done = new Set<string>();
  readonly counts: ImportCounts = { created: 0, aliased: 0, exists: 0, skipped: 0, failed: 0, with_losses: 0 };
  /** By id, how many links failed in an earlier run. A line of a later run replaces one of theirs. */
  readonly #retried = new Map<string, number>();

  /** Called for each failed line of a run after the run has ended, because the next run tries it again. */
  retry({ id }: ImportLine): void {
    this.#retried.set(id, (this.#retried.get(id) ?? 0) + 1);
  }

  add(line: ImportLine): void {
    const retried = this.#retried.get(line.id) ?? 0;
    if (retried > 0) {
      this.#retried.set(line.id, retried - 1);
      this.counts.failed--;
    }
    this.counts[line.outcome]++;
    if (hasLosses(line)) this.counts.with_losses++;
  }
}

/** Reads what was created in this environment. Ignores dry runs, which created nothing. */
async function readReport(file: string, environmentId: string, tally: Tally): Promise<void> {
  let failed: ImportLine[] = [];
  const endRun = () => {
    for (const line of failed) tally.retry(line);
    failed = [];
  };
  // Line by line, because the report of a million links is too long for one string.
  for await (const text of linesOf(createReadStream(file))) {
    if (text === '') endRun();
    const line = lineOf(text);
    if (line === null || line.env !== environmentId || line.dry_run === true) continue;
    tally.add(line);
    if (line.outcome === 'failed') failed.push(line);
    else tally.done.add(line.id);
  }
  endRun();
}

/** Parses a line. Returns null if the text is not a line of a report: the last line of a run that was killed may be truncated. */
function lineOf(text: string): ReportLine | null {
  try {
    const line = JSON.parse(text) as Partial<ReportLine> | null;
    return typeof line?.id === 'string' && Array.isArray(line.lost) ? (line as ReportLine) : null;
  } catch {
    return null;
  }
}

async function named<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw tellable(error, file);
  }
}
