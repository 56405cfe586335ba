import { createCipheriv } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, writeTime } from '../../shared/base/ids.js';

const BLOCK_BYTES = 16;
const RANDOM_BYTES = 10;
const CHUNK_BLOCKS = 256;
const ZEROS = Buffer.alloc(CHUNK_BLOCKS * BLOCK_BYTES);

/**
 * Ids of a segment's clicks. Click number n (from 0) has the ULID made of its time and the first 10 bytes of block n of
 * the AES-128-CTR keystream (NIST SP 800-38A, counter starting at 0) under the segment's id key. So an id need not be
 * stored, is the same however often the segment is read, is known before the click is written, and cannot be guessed
 * without the key: whoever knows a thousand ids learns nothing of the next.
 */
export class ClickIds {
  readonly #key: Buffer;
  #keystream: Buffer = ZEROS;
  #chunk = -1;
  readonly #ulid = new Uint8Array(16);

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Writes the 16 bytes of the id at `target[at]`. */
  writeBytes(target: Uint8Array, at: number, clickNumber: number, occurredAtMs: number): void {
    const ulid = this.#ulid;
    writeTime(ulid, occurredAtMs);
    const chunk = clickNumber >>> 8;
    if (chunk !== this.#chunk) this.#makeChunk(chunk);
    const keystream = this.#keystream;
    const block = (clickNumber & (CHUNK_BLOCKS - 1)) * BLOCK_BYTES;
    for (let index = 0; index < RANDOM_BYTES; index++) ulid[6 + index] = keystream[block + index] as number;
    for (let index = 0; index < 16; index++) target[at + index] = ulid[index] as number;
  }

  /** The id as text: `clk_...`. */
  text(clickNumber: number, occurredAtMs: number): string {
    const bytes = new Uint8Array(16);
    this.writeBytes(bytes, 0, clickNumber, occurredAtMs);
    return ID_PREFIXES.click + encodeUlid(bytes);
  }

  #makeChunk(chunk: number): void {
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeUInt32BE(chunk * CHUNK_BLOCKS, 12);
    this.#keystream = createCipheriv('aes-128-ctr', this.#key, counter).update(ZEROS);
    this.#chunk = chunk;
  }
}
