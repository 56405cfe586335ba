import { createHmac } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, writeTime } from '../../shared/base/ids.js';
import type { SipHashKey } from '../../shared/base/siphash.js';
import { type ClickIdKey, DRAWN_BYTES, signUlid } from '../../shared/secrets/click-id-keys.js';
import { Keystream } from './keystream.js';

const KEY_BYTES = 16;
/** The random part of a ULID without a signature, in bytes. */
const RANDOM_BYTES = 10;

/**
 * The ids of the clicks of a segment (shared/secrets/click-id-keys.ts). The random part of click number n (from 0) is the
 * beginning of block n of a keystream. The key of the keystream is derived from the segment's id. So an id is not stored, is
 * the same each time the segment is read, is known before the click is written, and cannot be guessed without SECRETS_KEYS.
 */
export class ClickIds {
  readonly #keystream: Keystream;
  /** Null if ids of the segment's format are not signed. */
  readonly #signing: SipHashKey | null;
  readonly #drawnBytes: number;
  readonly #ulid = new Uint8Array(16);

  private constructor(key: Buffer, signing: SipHashKey | null) {
    this.#keystream = new Keystream(key, 16);
    this.#signing = signing;
    this.#drawnBytes = signing === null ? RANDOM_BYTES : DRAWN_BYTES;
  }

  static signed({ drawing, signing }: ClickIdKey, segmentId: Buffer): ClickIds {
    return new ClickIds(createHmac('sha256', drawing).update(segmentId).digest().subarray(0, KEY_BYTES), signing);
  }

  /** For a segment in format 1, which contains the key of its ids. */
  static unsigned(key: Buffer): ClickIds {
    return new ClickIds(key, null);
  }

  /** Writes the 16 bytes of the id at `target[at]`. */
  writeBytes(target: Uint8Array, at: number, clickNumber: number, occurredAtMs: number): void {
    const ulid = this.#ulid;
    writeTime(ulid, occurredAtMs);
    const start = this.#keystream.startOf(clickNumber);
    const { bytes } = this.#keystream;
    for (let index = 0; index < this.#drawnBytes; index++) ulid[6 + index] = bytes[start + index] as number;
    if (this.#signing !== null) signUlid(this.#signing, ulid);
    for (let index = 0; index < 16; index++) target[at + index] = ulid[index] as number;
  }

  /** The id as text: `clk_...`. */
  text(clickNumber: number, occurredAtMs: number): string {
    const bytes = new Uint8Array(16);
    this.writeBytes(bytes, 0, clickNumber, occurredAtMs);
    return ID_PREFIXES.click + encodeUlid(bytes);
  }
}
