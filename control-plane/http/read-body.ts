import type { Readable } from 'node:stream';
import type { Budget } from './budget.js';
import { refuse } from './problems.js';

export interface BodyOptions {
  readonly bytesMax: number;
  /** Value of `Content-Length`; null if the body has no declared length. */
  readonly declaredBytes: number | null;
  /** The budget of bytes in memory. A body that arrives slowly holds its bytes until it is complete or its time is over. */
  readonly budget: Budget;
  readonly holder: string;
}

/** Initial size of the buffer. Most bodies are smaller. */
const FIRST_BYTES = 4096;

/**
 * Reads the bytes of a body. They are collected in one buffer that doubles as they arrive. Separate pieces would cost a hundred bytes
 * each, which a client that sends one byte at a time could exploit. A client that only announces a large body takes no memory. After
 * a body is refused, the rest of it is read and dropped.
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
