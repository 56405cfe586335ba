import { createHash } from 'node:crypto';
import { invariant } from '../../../shared/base/invariant.js';
import type { CopyBuffer } from './copy-buffer.js';
import { BLOCK_BYTES, PendingBlocks } from './pending-blocks.js';

/**
 * Keyed hashes of visitors. Both are built from AES-128 as a pseudo-random function with a key that is drawn for one day and
 * can be destroyed (`hash_keys`). Without the key, a hash cannot be turned back into its input.
 *
 *     address hash  first 8 bytes of AES(address key, address), address being its network's 16 bytes (shared/net/address.ts)
 *     visitor hash  first 8 bytes of AES(visitor key, AES(visitor key, address) xor b), b being the environment number
 *                   (4 bytes, big-endian) and the first 12 bytes of SHA-256(user agent): CBC-MAC of two blocks, which is
 *                   a pseudo-random function for messages of one fixed length (Bellare, Kilian, Rogaway 1994)
 *
 * AES over a whole batch is one call at some 20 ns a click. HMAC or SipHash would be one call per click at 300 to 2,000 ns.
 */
export const DAY_KEY_BYTES = 16;

export interface DayKeys {
  readonly visitor_key: Buffer;
  readonly address_key: Buffer;
}

/** Returns what represents a user agent in the visitor hash. */
export function userAgentHash(userAgent: string): Buffer {
  return createHash('sha256').update(userAgent).digest().subarray(0, 12);
}

/** Hashes of a batch of rows. They are noted while the rows are written, and filled in at the end. */
export class VisitorHashes {
  /** The address, cut to its network, of the click whose hashes are noted next. */
  readonly address = new Uint8Array(BLOCK_BYTES);
  readonly #addresses = new Map<number, PendingBlocks>();
  readonly #visitors = new Map<number, PendingBlocks>();
  readonly #keys: ReadonlyMap<number, DayKeys>;

  /** `keys` maps days since the epoch to their keys. */
  constructor(keys: ReadonlyMap<number, DayKeys>) {
    this.#keys = keys;
  }

  /** Notes the address hash for `hole`. */
  noteAddress(day: number, hole: number): void {
    const pending = this.#pending(this.#addresses, day, 'address_key');
    // Must come first, because it may replace the arrays with larger ones.
    const at = pending.add(hole);
    pending.blocks.set(this.address, at);
  }

  /** Notes the visitor hash for `hole`; `userAgent` is its `userAgentHash`. */
  noteVisitor(day: number, hole: number, environmentNumber: number, userAgent: Uint8Array): void {
    const pending = this.#pending(this.#visitors, day, 'visitor_key');
    const at = pending.add(hole);
    pending.blocks.set(this.address, at);
    pending.setSecond(at, environmentNumber, userAgent);
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
