import { createCipheriv, createHash } from 'node:crypto';
import { invariant } from '../../shared/base/invariant.js';
import { HASH_BYTES } from '../../shared/net/address-hash.js';
import type { CopyBuffer } from './copy-buffer.js';

/**
 * Keyed hashes of visitors. Both are built from AES-128 as a pseudo-random function with a key that is drawn for one day
 * and can be destroyed (`hash_keys`); nothing else turns a hash back into what was hashed.
 *
 *     address hash  first 8 bytes of AES(address key, address), as shared/net/address-hash.ts says
 *     visitor hash  first 8 bytes of AES(visitor key, AES(visitor key, address) xor b), b being the environment number
 *                   (4 bytes, big-endian) and the first 12 bytes of SHA-256(user agent): CBC-MAC of two blocks, which is
 *                   a pseudo-random function for messages of one fixed length (Bellare, Kilian, Rogaway 1994)
 *
 * AES over a whole batch is one call at some 20 ns a click; HMAC or SipHash would be one call a click at 300 to 2,000 ns.
 */
export const DAY_KEY_BYTES = 16;
const BLOCK_BYTES = 16;

export interface DayKeys {
  readonly visitor_key: Buffer;
  readonly address_key: Buffer;
}

/** What stands for a user agent in the visitor hash. */
export function userAgentHash(userAgent: string): Buffer {
  return createHash('sha256').update(userAgent).digest().subarray(0, 12);
}

/** Blocks that wait to be hashed under one key, and where in the rows their hashes go. */
class PendingBlocks {
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

  /** Offset of a new block in `blocks` and `seconds`. */
  add(hole: number): number {
    if (this.count === this.holes.length) this.#grow();
    this.holes[this.count] = hole;
    return this.count++ * BLOCK_BYTES;
  }

  /** Fills the holes of `rows`. */
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

/** Each block on its own (ECB): blocks are inputs of a function here, not a message that is hidden. */
function encrypt(key: Buffer, blocks: Uint8Array): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(blocks);
}

/** Hashes of a batch of rows: noted while the rows are written, filled in at the end. */
export class VisitorHashes {
  /** The address of the click whose hashes are noted next, cut to its network. */
  readonly address = new Uint8Array(BLOCK_BYTES);
  readonly #addresses = new Map<number, PendingBlocks>();
  readonly #visitors = new Map<number, PendingBlocks>();
  readonly #keys: ReadonlyMap<number, DayKeys>;

  /** `keys` by day, in days since the epoch. */
  constructor(keys: ReadonlyMap<number, DayKeys>) {
    this.#keys = keys;
  }

  /** Notes the address hash for `hole`. */
  noteAddress(day: number, hole: number): void {
    const pending = this.#pending(this.#addresses, day, 'address_key');
    // First, because it may exchange the arrays for larger ones.
    const at = pending.add(hole);
    pending.blocks.set(this.address, at);
  }

  /** Notes the visitor hash for `hole`; `userAgent` is its `userAgentHash`. */
  noteVisitor(day: number, hole: number, environmentNumber: number, userAgent: Uint8Array): void {
    const pending = this.#pending(this.#visitors, day, 'visitor_key');
    const at = pending.add(hole);
    pending.blocks.set(this.address, at);
    const { seconds } = pending;
    seconds[at] = environmentNumber >>> 24;
    seconds[at + 1] = environmentNumber >>> 16;
    seconds[at + 2] = environmentNumber >>> 8;
    seconds[at + 3] = environmentNumber;
    seconds.set(userAgent, at + 4);
  }

  fill(rows: CopyBuffer): void {
    for (const pending of this.#addresses.values()) pending.fill(rows);
    for (const pending of this.#visitors.values()) pending.fill(rows);
  }

  #pending(days: Map<number, PendingBlocks>, day: number, name: keyof DayKeys): PendingBlocks {
    let pending = days.get(day);
    if (pending === undefined) {
      const keys = this.#keys.get(day);
      invariant(keys !== undefined, 'the keys of every day of a batch are fetched before its rows are made');
      pending = new PendingBlocks(keys[name], name === 'visitor_key');
      days.set(day, pending);
    }
    return pending;
  }
}
