import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type RawAnswer, takeAnswers } from './raw-http.js';

/** How many requests are sent before their answers are awaited. */
const BATCH = 100;
const SILENCE_MS = 20_000;

/**
 * A connection over which requests are pipelined. Answers come in the order of their requests, so that an extra byte in one of
 * them puts all later ones out of step.
 */
export class Pipeline {
  readonly #socket: Socket;
  #answers: RawAnswer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #fault: Error | null = null;
  /** Wakes the call that waits for answers. */
  #wake = (): void => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`no byte for ${SILENCE_MS} ms`)));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () =>
      this.#fail(new Error(`closed after ${this.#answers.length} answers of a batch, the last of them ${this.#answers.at(-1)?.status}`)),
    );
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  static async open(port: number): Promise<Pipeline> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Pipeline(socket);
  }

  /** Returns the answers to the requests, each of which is latin1 text. Throws if there are fewer or more answers than requests. */
  async ask(requests: readonly string[]): Promise<readonly RawAnswer[]> {
    const answers: RawAnswer[] = [];
    for (let at = 0; at < requests.length; at += BATCH) answers.push(...(await this.#askBatch(requests.slice(at, at + BATCH))));
    return answers;
  }

  async #askBatch(requests: readonly string[]): Promise<readonly RawAnswer[]> {
    this.#answers = [];
    this.#socket.write(Buffer.from(requests.join(''), 'latin1'));
    while (this.#answers.length < requests.length) {
      if (this.#fault !== null) throw this.#fault;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#answers.length > requests.length || this.#rest.length > 0)
      throw new Error(`${this.#answers.length} answers and ${this.#rest.length} bytes to ${requests.length} requests`);
    return this.#answers;
  }

  #take(chunk: Buffer): void {
    try {
      const { answers, rest } = takeAnswers(Buffer.concat([this.#rest, chunk]), false);
      this.#answers.push(...answers);
      this.#rest = rest;
      this.#wake();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#wake();
  }

  close(): void {
    this.#socket.destroy();
  }
}
