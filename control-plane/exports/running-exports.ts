import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { EXPORT_MS_MAX, EXPORTS_AT_ONCE_MAX, EXPORTS_SENT_AT_ONCE_MAX } from '../../shared/base/export-limits.js';
import { refuse, refuseUnavailable } from '../http/problems.js';

/** Passes some lines on. Write the next ones when it has resolved. */
export type WriteLines = (text: string) => Promise<void>;

interface RunningExport {
  readonly stream: PassThrough;
  /** Resolves when nothing is being read for the export any more. */
  readonly ended: Promise<void>;
}

/** The exports that this process is sending. */
export class RunningExports {
  readonly #environments = new Map<string, RunningExport>();
  readonly #msMax: number;

  constructor(msMax = EXPORT_MS_MAX) {
    this.#msMax = msMax;
  }

  /**
   * Returns a stream of what `write` writes, once it has written more than its head, which is short. Rejects if it fails before that; a
   * later failure breaks the stream. The export ends if its reader closes the connection, or is slower than the deadline.
   */
  async begin(environmentId: string, write: (lines: WriteLines) => Promise<void>): Promise<Readable> {
    const before = this.#environments.get(environmentId);
    // An export whose reader has closed the connection ends by itself after its current statement.
    if (before?.stream.destroyed === true) await before.ended;
    if (this.#environments.has(environmentId))
      throw refuse('rate_limited', 'An export of this environment is running: wait until it has finished.', { 'retry-after': '5' });
    if (this.#isFull()) throw refuseUnavailable('Other exports are running: try again in a moment.');
    const stream = new PassThrough();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#environments.set(environmentId, { stream, ended });
    const put = writerOf(stream);
    const deadline = setTimeout(() => stream.destroy(new Error('the export took too long')), this.#msMax);
    let texts = 0;
    let written: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      const lines = (text: string): Promise<void> => {
        texts++;
        if (texts > 1) resolve();
        return put(text);
      };
      written = write(lines).then(
        () => {
          stream.end();
          resolve();
        },
        (error: unknown) => {
          stream.destroy(error instanceof Error ? error : new Error('the export failed'));
          reject(error);
        },
      );
    }).finally(() => {
      void written.finally(() => {
        clearTimeout(deadline);
        this.#environments.delete(environmentId);
        end();
      });
    });
    return stream;
  }

  /** An export that waits for a slow reader leaves its place to others, so that two such readers do not hold up everybody's exports. */
  #isFull(): boolean {
    const read = [...this.#environments.values()].filter(({ stream }) => !stream.writableNeedDrain);
    return read.length >= EXPORTS_AT_ONCE_MAX || this.#environments.size >= EXPORTS_SENT_AT_ONCE_MAX;
  }
}

/** Returns a function that resolves when the stream accepts more. It rejects if the stream is closed, when no `drain` would ever follow. */
function writerOf(stream: PassThrough): WriteLines {
  const closed = new AbortController();
  stream.once('close', () => closed.abort(new Error('the client closed the connection of an export')));
  // The writer gets the error.
  stream.on('error', () => {});
  return async (text) => {
    closed.signal.throwIfAborted();
    if (!stream.write(text)) await once(stream, 'drain', { signal: closed.signal });
  };
}
