import type { Readable } from 'node:stream';
import type { Budget } from './budget.js';
import { refuse } from './problems.js';

export interface BodyOptions {
  readonly bytesMax: number;
  /** Value of `Content-Length`; null for a body that does not say its length. */
  readonly declaredBytes: number | null;
  /** Of bytes in memory: a body that comes slowly holds its own until it has come whole or its time is over. */
  readonly budget: Budget;
  readonly holder: string;
}

/** What the first bytes of a body are given. Most bodies are smaller. */
const FIRST_BYTES = 4096;

/**
 * The body's bytes. They are gathered in one buffer that doubles as they come: pieces of their own would cost a hundred bytes
 * each, which a client that sends a byte at a time could make the most of; and a client that only announces a large body
 * holds nothing. Once a body is refused, what is still to come of it is read and dropped.
 */
export function readBody(stream: Readable, options: BodyOptions): Promise<Buffer> {
  const { bytesMax, declaredBytes, budget, holder } = options;
  if (declaredBytes !== null && declaredBytes > bytesMax) return Promise.reject(tooLarge());
  const capacityMax = declaredBytes ?? bytesMax;
  let buffer = Buffer.alloc(0);
  let bytes = 0;
  const makeRoom = (needed: number): void => {
    if (needed > capacityMax) throw tooLarge();
    if (needed <= buffer.length) return;
    const capacity = Math.min(capacityMax, Math.max(needed, 2 * buffer.length, FIRST_BYTES));
    budget.take(holder, capacity - buffer.length);
    const larger = Buffer.allocUnsafeSlow(capacity);
    buffer.copy(larger, 0, 0, bytes);
    buffer = larger;
  };
  return new Promise<Buffer>((resolve, reject) => {
    const finish = (outcome: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      budget.giveBack(holder, buffer.length);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      try {
        makeRoom(bytes + chunk.length);
      } catch (refusal) {
        finish(() => reject(refusal));
        stream.on('error', () => undefined).resume();
        return;
      }
      bytes += chunk.copy(buffer, bytes);
    };
    const onEnd = (): void => finish(() => resolve(buffer.subarray(0, bytes)));
    const onLost = (): void => finish(() => reject(refuse('bad_request', 'The body ended before it was complete.')));
    stream.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

function tooLarge() {
  return refuse('payload_too_large', 'The body is larger than this operation accepts.');
}
