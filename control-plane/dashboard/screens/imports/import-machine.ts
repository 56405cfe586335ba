import type { FileSource, ImportedRow } from '../../../../shared/contract/schemas/link-import.js';
import { ApiError, type Connection } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { text } from '../../language/text.js';
import { dropImport, dropParts, keepImport, keepPart, readKeptImport, readParts } from '../../session/import-store.js';
import { listenerSet } from '../../state/listener-set.js';
import { FileFault, ReaderFault } from './file-fault.js';
import { hostsOf, NOTHING, type Tally, tallied, withoutDoubles } from './imported-rows.js';
import { type OpenedFile, openFile, sourceOf } from './opened-file.js';
import { type ImportChoices, sendRows } from './send-rows.js';

/** A dry run of every row, or the import itself. */
export type Work = 'check' | 'import';

/**
 * The stages of a file's import. `reading`: a stored import or a file is being read. `choosing`: the user chooses a file. `mapping`: the
 * user chooses its hosts, which are null until the first rows were tried; the check of the whole file returns here if it finds more hosts.
 * `running` and `paused`: rows are sent; a paused import continues where it stopped. `checked`: waits for confirmation. `imported`: final.
 * A failure pauses the import, or is shown beside the step, which can be retried.
 */
export type Stage =
  | { readonly name: 'reading' }
  | { readonly name: 'choosing'; readonly refusal: string | null }
  | { readonly name: 'mapping'; readonly hosts: readonly string[] | null; readonly more: boolean; readonly failure: string | null }
  | { readonly name: 'running'; readonly work: Work; readonly tally: Tally }
  | { readonly name: 'paused'; readonly work: Work; readonly tally: Tally; readonly failure: string | null }
  | { readonly name: 'checked'; readonly tally: Tally }
  | { readonly name: 'imported'; readonly tally: Tally };

/** What is stored across reloads, besides the results of the rows. */
interface KeptImport {
  readonly file: File;
  readonly choices: ImportChoices;
  /** Hosts of the file that need no further choice of a host. */
  readonly hosts: readonly string[];
  /** A UUID for the calls that create links. */
  readonly importId: string;
  readonly phase: 'mapping' | Work | 'checked' | 'imported';
}

interface Job extends KeptImport {
  readonly opened: OpenedFile;
}

export interface ImportMachineOptions {
  readonly connection: Connection;
  readonly environmentId: string;
  /** Called after an import, which may have created links. */
  readonly onImported: () => void;
}

export class ImportMachine {
  readonly #options: ImportMachineOptions;
  readonly #listeners = listenerSet();
  #stage: Stage = { name: 'reading' };
  #job: Job | null = null;
  #rows: ImportedRow[] = [];
  #leaving = new AbortController();
  #pauseAsked = false;

  constructor(options: ImportMachineOptions) {
    this.#options = options;
  }

  readonly subscribe = this.#listeners.subscribe;

  readonly stage = (): Stage => this.#stage;

  /** Null until a file is chosen. */
  get job(): { readonly name: string; readonly rows: number; readonly choices: ImportChoices } | null {
    return this.#job === null ? null : { name: this.#job.file.name, rows: this.#job.opened.rows, choices: this.#job.choices };
  }

  /** The results of the rows so far. */
  get rows(): readonly ImportedRow[] {
    return this.#rows;
  }

  /** Continues with what was stored. */
  start(): void {
    this.#leaving = new AbortController();
    window.addEventListener('online', this.#online);
    void this.#restore(this.#leaving.signal);
  }

  /** Aborts the current work. What was done so far stays stored. */
  stop(): void {
    this.#leaving.abort();
    window.removeEventListener('online', this.#online);
    this.#job?.opened.close();
    this.#job = null;
  }

  async choose(source: FileSource, file: File): Promise<void> {
    this.#set({ name: 'reading' });
    const job = await this.#open({
      file,
      choices: { source, collision: 'fail', caseSensitive: false, domains: {} },
      hosts: [],
      importId: newIdempotencyKey(),
      phase: 'mapping',
    });
    if (job === null) return;
    await this.#keep('mapping');
    await this.look();
  }

  /** Tries the first rows, to find the hosts that they contain. */
  async look(): Promise<void> {
    if (this.#job === null) return;
    this.#set({ name: 'mapping', hosts: null, more: false, failure: null });
    const { signal } = this.#leaving;
    try {
      const rows = await sendRows(this.#sending(true), 0);
      if (!signal.aborted) this.#set({ name: 'mapping', hosts: hostsOf(rows), more: false, failure: null });
    } catch (error) {
      this.#failed(error, signal, (failure) => ({ name: 'mapping', hosts: null, more: false, failure }));
    }
  }

  /** `hosts` are the hosts for which the user has chosen one, and the hosts of this service. */
  setChoices(choices: Omit<ImportChoices, 'source'>, hosts: readonly string[]): void {
    if (this.#job === null) return;
    this.#job = { ...this.#job, hosts, choices: { ...this.#job.choices, ...choices } };
  }

  async begin(work: Work): Promise<void> {
    this.#rows = [];
    await dropParts(this.#options.environmentId);
    await this.#keep(work);
    await this.#run(work, NOTHING);
  }

  pause(): void {
    this.#pauseAsked = true;
  }

  async goOn(): Promise<void> {
    if (this.#stage.name === 'paused') await this.#run(this.#stage.work, this.#stage.tally);
  }

  async again(): Promise<void> {
    this.#job?.opened.close();
    this.#job = null;
    this.#rows = [];
    await dropImport(this.#options.environmentId);
    this.#set({ name: 'choosing', refusal: null });
  }

  readonly #online = (): void => {
    if (this.#stage.name === 'paused' && this.#stage.failure !== null) void this.goOn();
    if (this.#stage.name === 'mapping' && this.#stage.failure !== null) void this.look();
  };

  async #restore(signal: AbortSignal): Promise<void> {
    const { environmentId } = this.#options;
    const kept = await readKeptImport<KeptImport>(environmentId);
    if (signal.aborted) return;
    // An earlier release of the page did not store hosts.
    if (kept?.hosts === undefined) return this.#set({ name: 'choosing', refusal: null });
    const job = await this.#open(kept);
    if (job === null || signal.aborted) return;
    if (kept.phase === 'mapping') return this.look();
    this.#rows = [...(await readParts<ImportedRow>(environmentId))];
    if (signal.aborted) return;
    const tally = tallied(NOTHING, this.#rows);
    if (kept.phase === 'check' || kept.phase === 'import') this.#set({ name: 'paused', work: kept.phase, tally, failure: null });
    else this.#set({ name: kept.phase, tally });
  }

  async #open(kept: KeptImport): Promise<Job | null> {
    const { signal } = this.#leaving;
    try {
      const opened = await openFile(kept.file);
      if (signal.aborted) {
        opened.close();
        return null;
      }
      this.#job = { ...kept, opened, choices: { ...kept.choices, source: sourceOf(kept.choices.source, opened) } };
      return this.#job;
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // If only the reader is missing, the import continues when the page is opened next.
      if (!(error instanceof ReaderFault)) await dropImport(this.#options.environmentId);
      if (!signal.aborted) this.#set({ name: 'choosing', refusal: error.message });
      return null;
    }
  }

  async #run(work: Work, before: Tally): Promise<void> {
    const { signal } = this.#leaving;
    const job = this.#job;
    if (job === null) return;
    this.#pauseAsked = false;
    let tally = before;
    const seen = new Map<string, ImportedRow>();
    withoutDoubles(this.#rows, seen, job.choices.collision);
    this.#set({ name: 'running', work, tally });
    try {
      while (this.#rows.length < job.opened.rows) {
        if (this.#pauseAsked) return this.#set({ name: 'paused', work, tally, failure: null });
        const from = this.#rows.length;
        const sent = await sendRows(this.#sending(work === 'check'), from);
        const rows = work === 'check' ? withoutDoubles(sent, seen, job.choices.collision) : sent;
        await keepPart(this.#options.environmentId, from, rows);
        signal.throwIfAborted();
        this.#rows.push(...rows);
        tally = tallied(tally, rows);
        this.#set({ name: 'running', work, tally });
      }
      const hosts = hostsOf(this.#rows);
      if (work === 'check' && hosts.some((host) => !job.hosts.includes(host))) {
        await this.#keep('mapping');
        return this.#set({ name: 'mapping', hosts, more: true, failure: null });
      }
      const name = work === 'check' ? 'checked' : 'imported';
      await this.#keep(name);
      this.#set({ name, tally });
    } catch (error) {
      this.#failed(error, signal, (failure) => ({ name: 'paused', work, tally, failure }));
    } finally {
      if (work === 'import') this.#options.onImported();
    }
  }

  #failed(error: unknown, signal: AbortSignal, stage: (failure: string) => Stage): void {
    if (signal.aborted) return;
    if (!(error instanceof ApiError) && !(error instanceof FileFault)) throw error;
    this.#set(stage(navigator.onLine ? reasonOf(error) : text('You are offline. The import continues when the connection is back.')));
  }

  #sending(dryRun: boolean) {
    const { opened, choices, importId } = this.#job as Job;
    return { connection: this.#options.connection, file: opened, choices, dryRun, importId, signal: this.#leaving.signal };
  }

  async #keep(phase: KeptImport['phase']): Promise<void> {
    if (this.#job === null) return;
    const { file, choices, hosts, importId } = this.#job;
    const kept: KeptImport = { file, choices, hosts, importId, phase };
    await keepImport(this.#options.environmentId, kept);
  }

  #set(stage: Stage): void {
    this.#stage = stage;
    this.#listeners.tell();
  }
}

function reasonOf(error: ApiError | FileFault): string {
  const fields = error instanceof ApiError ? error.fields : [];
  return fields.length === 0 ? error.message : fields.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
}
