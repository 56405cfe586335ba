import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';

/**
 * A COPY FROM STDIN. Failures are returned as values: a stream of PostgreSQL can fail at any moment, even while no caller
 * awaits it, and an unhandled rejection ends the process.
 */
export class CopyIn {
  readonly #stream: ReturnType<typeof from>;
  #failure: Error | null = null;
  #waiting: ((failure: Error | null) => void) | null = null;

  constructor(client: ClientBase, text: string) {
    this.#stream = client.query(from(text));
    this.#stream.on('error', (error: Error) => this.#settle(error));
  }

  /**
   * Returns null after the bytes were passed to the kernel, or the failure. Only one write at a time, and the bytes must not
   * change before it returns.
   */
  write(bytes: Buffer): Promise<Error | null> {
    return this.#wait((done) => this.#stream.write(bytes, done));
  }

  /** Returns null after PostgreSQL has accepted all rows, or the failure. */
  end(bytes: Buffer): Promise<Error | null> {
    return this.#wait((done) => this.#stream.end(bytes, done));
  }

  #wait(begin: (done: (error?: Error | null) => void) => void): Promise<Error | null> {
    if (this.#failure !== null) return Promise.resolve(this.#failure);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      begin((error) => this.#settle(error ?? null));
    });
  }

  #settle(failure: Error | null): void {
    this.#failure ??= failure;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(this.#failure);
  }
}
