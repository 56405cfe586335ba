import { Packr } from 'msgpackr';
import { invariant } from '../../shared/base/invariant.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { FigureRow } from './figures.js';

/** The messages between redirect processes and the host's only caller of metadata APIs, over a Unix domain socket. */

/** A redirect process asks for an answer that the host does not have, or that should be fetched again. */
export interface Ask {
  readonly kind: 'ask';
  /** The client's own number for the question. */
  readonly id: number;
  readonly resource_type_id: string;
  /** The generation of the configuration that the client knows. */
  readonly generation: number;
  readonly item_id: string;
  /** How long somebody waits for the answer, in milliseconds; 0 if nobody does. */
  readonly wait_ms: number;
  /** Whether to fetch the answer again although it is still fresh. */
  readonly ahead: boolean;
}

/** What the process has counted since its last message of this kind. */
export interface Counted {
  readonly kind: 'counted';
  readonly rows: readonly FigureRow[];
}

export type ClientMessage = Ask | Counted;

/** The end of a question. */
export type Reply =
  /**
   * An answer that may be shown only while the store's epoch is still `epoch`; otherwise it may have been removed meanwhile.
   * `epoch` is null if the host has no store.
   */
  | {
      readonly kind: 'answer';
      readonly answer: RememberedAnswer;
      readonly source: 'store' | 'database' | 'api';
      /** Whether the API was called because of this question, and of no other one. */
      readonly called: boolean;
      readonly epoch: number | null;
    }
  /** No answer is available now. */
  | { readonly kind: 'none'; readonly called: boolean }
  /** The configuration has changed, or the item was invalidated: the question has to be repeated. */
  | { readonly kind: 'again'; readonly called: boolean };

export interface ServerMessage {
  readonly id: number;
  readonly reply: Reply;
}

/** Longer than any answer: 300, 1,000 and 5 x 2,048 characters of at most 3 bytes, and their names. */
export const MESSAGE_BYTES_MAX = 64 * 1024;

const LENGTH_BYTES = 4;
const packr = new Packr({ useRecords: false });

/** Encodes a message for the socket: its length, then msgpack. */
export function frame(message: ClientMessage | ServerMessage): Buffer {
  const packed = packr.pack(message);
  invariant(packed.length <= MESSAGE_BYTES_MAX, 'a message between processes is short');
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + packed.length);
  bytes.writeUInt32LE(packed.length);
  bytes.set(packed, LENGTH_BYTES);
  return bytes;
}

/**
 * Assembles messages from the pieces that a socket delivers. The other end is a process of ours, so anything that is not a message
 * is a bug.
 */
export class Unframer<Message> {
  #rest: Buffer = Buffer.alloc(0);

  *take(piece: Buffer): Generator<Message> {
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (bytes.length >= LENGTH_BYTES) {
      const length = bytes.readUInt32LE();
      invariant(length <= MESSAGE_BYTES_MAX, 'a message between processes is short');
      if (bytes.length < LENGTH_BYTES + length) break;
      yield packr.unpack(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)) as Message;
      bytes = bytes.subarray(LENGTH_BYTES + length);
    }
    this.#rest = Buffer.from(bytes);
  }
}
