import { ADDRESS_TEXT_BYTES_MAX, addressKeystream } from '../../spool/address-cipher.js';
import type { Keystream } from '../../spool/keystream.js';
import type { SegmentHeader } from '../../spool/segment.js';
import type { SpoolKeys } from '../../spool/spool-keys.js';
import { ADDRESS_TEXT, type ClickFields } from '../rows/click-fields.js';

/**
 * Reads the addresses of one segment's clicks. If a segment's key is gone with the engine that wrote it, its addresses are
 * lost, and its clicks are stored without them.
 */
export class SegmentAddresses {
  readonly #inTheClear: boolean;
  /** Null if the key is unknown. */
  readonly #keystream: Keystream | null;

  constructor({ keys: segment, segment_id }: Pick<SegmentHeader, 'keys' | 'segment_id'>, { addresses }: SpoolKeys) {
    this.#inTheClear = segment.format === 1;
    const known = segment.format === 2 && segment.address_key_name.equals(addresses.name);
    this.#keystream = known ? addressKeystream(addresses, segment_id) : null;
  }

  get areSealed(): boolean {
    return !this.#inTheClear && this.#keystream === null;
  }

  /** Decrypts the address of the click with that number in `fields`, or removes it. */
  reveal(fields: ClickFields, clickNumber: number): void {
    if (this.#inTheClear) return;
    const textStart = fields.starts[ADDRESS_TEXT] as number;
    const textBytes = (fields.ends[ADDRESS_TEXT] as number) - textStart;
    if (this.#keystream === null || textBytes > ADDRESS_TEXT_BYTES_MAX) {
      fields.ends[ADDRESS_TEXT] = textStart;
      fields.address_bytes = 0;
      return;
    }
    const from = this.#keystream.startOf(clickNumber);
    const keystream = this.#keystream.bytes;
    const { bytes } = fields.memory;
    const start = textBytes > 0 ? textStart : fields.address_start;
    const length = textBytes > 0 ? textBytes : fields.address_bytes;
    for (let index = 0; index < length; index++)
      bytes[start + index] = (bytes[start + index] as number) ^ (keystream[from + index] as number);
  }
}
