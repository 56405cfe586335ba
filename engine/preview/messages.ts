import { Packr } from 'msgpackr';
import { invariant } from '../../shared/base/invariant.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { FigureRow } from './figures.js';

/** What redirect processes and the host's one caller of metadata APIs say to each other, over a socket of the file system. */

/** A redirect process asks for what is not remembered on the host, or is so no longer. */
export interface Ask {
  readonly kind: 'ask';
  /** The asker's own number for the question. */
  readonly id: number;
  readonly resource_type_id: string;
  /** Of the configuration, as the asker knows it. */
  readonly generation: number;
  readonly item_id: string;
  /** For how long somebody waits for the answer; 0 if nobody does. */
  readonly wait_ms: number;
  /** The answer is still fresh and to be fetched again all the same. */
  readonly ahead: boolean;
}

/** Counted by the process since it last said so. */
export interface Counted {
  readonly kind: 'counted';
  readonly rows: readonly FigureRow[];
}

export type AskerMessage = Ask | Counted;

/** The end of a question. */
export type Reply =
  /**
   * An answer, to be shown only while the store's epoch is still `epoch`: else it may have been taken out meanwhile.
   * `epoch` is null if the host has no store.
   */
  | {
      readonly kind: 'answer';
      readonly answer: RememberedAnswer;
      readonly source: 'store' | 'database' | 'api';
      /** The API was called because of this question, and of no other one. */
      readonly called: boolean;
      readonly epoch: number | null;
    }
  /** There is none to be had now. */
  | { readonly kind: 'none'; readonly called: boolean }
  /** The configuration is another one, or the item was invalidated: the question has to be put again. */
  | { readonly kind: 'again'; readonly called: boolean };

export interface CallerMessage {
  readonly id: number;
  readonly reply: Reply;
}

/** Longer than any answer: 300, 1,000 and 5 x 2,048 characters of at most 3 bytes, and their names. */
export const MESSAGE_BYTES_MAX = 64 * 1024;

const LENGTH_BYTES = 4;
const packr = new Packr({ useRecords: false });

/** A message as it goes over the socket: its length, then msgpack. */
export function frame(message: AskerMessage | CallerMessage): Buffer {
  const packed = packr.pack(message);
  invariant(packed.length <= MESSAGE_BYTES_MAX, 'a message between processes is short');
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + packed.length);
  bytes.writeUInt32LE(packed.length);
  bytes.set(packed, LENGTH_BYTES);
  return bytes;
}

/** Puts messages together from the pieces a socket gives. The other end is a process of ours: what is not a message is a fault. */
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
