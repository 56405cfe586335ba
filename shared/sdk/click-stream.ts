import { EventStreamParser, type StreamEvent } from '../base/event-stream.js';
import { toCamel } from './casing.js';
import { foreignAnswer, readObject, type Transport } from './http.js';
import type { Click } from './operations.js';

export interface ClickStreamOptions {
  /** Continue from here: `lastEventId` of an earlier stream. Without it the stream begins with the next click. */
  readonly lastEventId?: string | undefined;
  /** Called if clicks may be missing: `lastEventId` is too old to continue from, or another database server has taken over since. */
  readonly onReset?: () => void;
  /** Ends the stream: the loop over it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Three heartbeats of the server. A connection without them is considered lost. */
const SILENCE_MS_MAX = 45_000;

/** The pause between two connections, so that a server that ends each at once is not called without a pause. */
const PAUSE_MS = 1_000;

/**
 * The clicks of the environment as they are stored, each at least once. When a connection ends, the next one continues
 * from where it was.
 *
 * ```ts
 * const stream = service.clicks.stream({ lastEventId: await load() });
 * for await (const click of stream) await save(click, stream.lastEventId);
 * ```
 */
export class ClickStream implements AsyncIterable<Click> {
  /** The id of the newest click that was returned. Store it to continue from there in another process. */
  lastEventId: string | undefined;
  readonly #transport: Transport;
  readonly #options: ClickStreamOptions;

  constructor(transport: Transport, options: ClickStreamOptions) {
    this.#transport = transport;
    this.#options = options;
    this.lastEventId = options.lastEventId;
  }

  /** Rejects with an `ApiError` if the server refuses, and with a `ConnectionError` if it cannot be reached, after all retries. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Click, void, undefined> {
    const { signal, onReset } = this.#options;
    for (;;) {
      for await (const { type, id, click } of this.#connection()) {
        this.lastEventId = id;
        if (type === 'reset') onReset?.();
        if (click !== null) yield click;
      }
      signal?.throwIfAborted();
      await this.#transport.pause(PAUSE_MS, signal);
    }
  }

  /** Yields the events of one connection, and ends when the connection does. */
  async *#connection(): AsyncGenerator<ReceivedEvent, void, undefined> {
    const { signal } = this.#options;
    const { lastEventId } = this;
    const options = signal === undefined ? {} : { signal };
    const stop = new AbortController();
    const response = await this.#transport.open({ method: 'GET', path: '/clicks/stream', query: { lastEventId }, options }, stop.signal);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      stop.abort();
      throw foreignAnswer(response, 'a body that is not a stream of events');
    }
    const parser = new EventStreamParser(lastEventId);
    const decoder = new TextDecoder();
    const pieces = (response.body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const piece = await nextPiece(pieces, stop);
        signal?.throwIfAborted();
        if (piece === null) break;
        for (const { type, data, id } of parser.read(decoder.decode(piece, { stream: true })))
          yield { type, id, click: type === 'click' ? (toCamel(readObject(data, response)) as Click) : null };
        // A block without an event also says where to continue.
        this.lastEventId = parser.lastEventId;
      }
    } finally {
      stop.abort();
    }
  }
}

/** An event of the stream, with its click if it is one. */
interface ReceivedEvent extends Pick<StreamEvent, 'type' | 'id'> {
  readonly click: Click | null;
}

/** Returns the next bytes; null if the connection has ended, was lost, or is silent for too long. */
async function nextPiece(pieces: ReadableStreamDefaultReader<Uint8Array>, stop: AbortController): Promise<Uint8Array | null> {
  const silence = setTimeout(() => stop.abort(), SILENCE_MS_MAX);
  try {
    return (await pieces.read()).value ?? null;
  } catch {
    return null;
  } finally {
    clearTimeout(silence);
  }
}
