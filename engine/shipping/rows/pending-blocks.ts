import { createCipheriv } from 'node:crypto';
import type { CopyBuffer } from './copy-buffer.js';

export const BLOCK_BYTES = 16;
export const HASH_BYTES = 8;

/** Blocks waiting to be hashed under one key, and where in the rows their hashes go. */
export class PendingBlocks {
  readonly key: Buffer;
  blocks: Uint8Array = new Uint8Array(1024 * BLOCK_BYTES);
  /** Second blocks; empty for the address hash. */
  seconds: Uint8Array = new Uint8Array(0);
  holes: Int32Array = new Int32Array(1024);
  count = 0;

  constructor(key: Buffer, twoBlocks: boolean) {
    this.key = key;
    if (twoBlocks) this.seconds = new Uint8Array(1024 * BLOCK_BYTES);
  }

  /** Adds a block. Returns its offset in `blocks` and `seconds`. */
  add(hole: number): number {
    if (this.count === this.holes.length) this.#grow();
    this.holes[this.count] = hole;
    return this.count++ * BLOCK_BYTES;
  }

  /** Sets the second block: the number, big-endian, followed by up to 12 bytes. Overwrites the previous contents. */
  setSecond(at: number, number: number, rest: Uint8Array): void {
    const { seconds } = this;
    seconds[at] = number >>> 24;
    seconds[at + 1] = number >>> 16;
    seconds[at + 2] = number >>> 8;
    seconds[at + 3] = number;
    seconds.set(rest, at + 4);
  }

  /** Hashes the blocks into their places in `rows`. */
  fill(rows: CopyBuffer): void {
    const bytes = this.count * BLOCK_BYTES;
    let hashed = encrypt(this.key, this.blocks.subarray(0, bytes));
    if (this.seconds.length > 0) {
      for (let index = 0; index < bytes; index++) hashed[index] = (hashed[index] as number) ^ (this.seconds[index] as number);
      hashed = encrypt(this.key, hashed);
    }
    for (let index = 0; index < this.count; index++) {
      const hole = this.holes[index] as number;
      const block = index * BLOCK_BYTES;
      for (let byte = 0; byte < HASH_BYTES; byte++) rows.bytes[hole + byte] = hashed[block + byte] as number;
    }
    this.count = 0;
  }

  #grow(): void {
    this.blocks = doubled(this.blocks);
    this.seconds = doubled(this.seconds);
    const holes = new Int32Array(this.holes.length * 2);
    holes.set(this.holes);
    this.holes = holes;
  }
}

function doubled(bytes: Uint8Array): Uint8Array {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}

/** Encrypts each block on its own (ECB): the blocks are inputs of a function, not a message to hide. */
function encrypt(key: Buffer, blocks: Uint8Array): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(blocks);
}
