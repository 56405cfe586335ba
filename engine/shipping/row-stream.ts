import type { ClientBase } from 'pg';
import { CLICK_TABLE_COLUMNS } from '../../shared/clickhouse/click-table.js';
import { CopyIn } from './copy-in.js';
import { COPY_HEADER, COPY_TRAILER, CopyBuffer } from './rows/copy-buffer.js';

/** Rows are sent in pieces of this size: while PostgreSQL reads one, the next is made. */
const PIECE_BYTES = 1024 * 1024;
const COPY_TEXT = `COPY clicks (${CLICK_TABLE_COLUMNS}) FROM STDIN WITH (FORMAT binary)`;

/** The two buffers in which rows are made, reused from batch to batch. */
export class RowBuffers {
  current = new CopyBuffer(2 * PIECE_BYTES);
  other = new CopyBuffer(2 * PIECE_BYTES);
}

/** Rows on their way into the click log, in one COPY. */
export class RowStream {
  readonly #copy: CopyIn;
  readonly #buffers: RowBuffers;
  /** The outcome of sending `buffers.other`. */
  #sending: Promise<Error | null> = Promise.resolve(null);

  constructor(client: ClientBase, buffers: RowBuffers) {
    this.#copy = new CopyIn(client, COPY_TEXT);
    this.#buffers = buffers;
    buffers.current.at = 0;
    buffers.current.field(COPY_HEADER);
  }

  /** The buffer into which rows are written; another one after `send`. */
  get rows(): CopyBuffer {
    return this.#buffers.current;
  }

  /**
   * Sends the rows if there are enough of them. A piece smaller than the socket's own buffer might still be in use there when
   * its memory is reused, so only the last piece may be small.
   */
  async send(): Promise<void> {
    if (this.#buffers.current.at < PIECE_BYTES) return;
    throwIf(await this.#sending);
    const full = this.#buffers.current;
    this.#buffers.current = this.#buffers.other;
    this.#buffers.other = full;
    this.#buffers.current.at = 0;
    this.#sending = this.#copy.write(full.filled());
  }

  /** Sends the rest and waits until PostgreSQL has all rows. */
  async end(): Promise<void> {
    throwIf(await this.#sending);
    this.rows.reserve(COPY_TRAILER.length);
    this.rows.field(COPY_TRAILER);
    throwIf(await this.#copy.end(this.rows.filled()));
  }
}

function throwIf(failure: Error | null): void {
  if (failure !== null) throw failure;
}
