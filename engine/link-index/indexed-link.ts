import type { LinkRecord } from '../../shared/records/records.js';
import type { DirectSlots } from '../../shared/resolve/direct-destination.js';
import { ID_TEXT, IndexMemory, LENGTHS, PATH_TEXT, readDirectSlots, readLink, slotText, TEXTS_OFFSET } from './record.js';

/**
 * A link in the index. A visit of a direct destination needs only three of its texts. This object gives their places, and makes
 * a string only of the destination. One object is reused at every look-up, and is valid until the next.
 */
export class IndexedLink {
  #memory: IndexMemory = new IndexMemory(Buffer.alloc(0));
  #place = 0;
  /** The memory that contains the texts. `chooseDestination` sets their places. */
  bytes: Uint8Array = this.#memory.bytes;
  path_start = 0;
  path_end = 0;
  id_start = 0;
  id_end = 0;
  destination_start = 0;
  destination_end = 0;

  /** Points this object at the record at `place`, whose checksum is correct. */
  read(memory: IndexMemory, place: number): void {
    this.#memory = memory;
    this.#place = place;
  }

  /** Milliseconds since the epoch; 0 if the link does not expire. */
  get expires_at_ms(): number {
    return this.#memory.doubles[this.#place + 2] as number;
  }

  /** Returns the direct destinations that apply to a visit with the query; 0 if there are none. */
  directSlots(query: string): DirectSlots {
    return readDirectSlots(this.#memory, this.#place, query);
  }

  /** Chooses the direct destination in the slot, counted from 1, and returns it. */
  chooseDestination(slot: number): string {
    const { bytes, shorts, texts } = this.#memory;
    const lengths = this.#place * 4 + LENGTHS;
    this.bytes = bytes;
    this.path_start = this.#place * 8 + TEXTS_OFFSET;
    this.path_end = this.path_start + (shorts[lengths + PATH_TEXT] as number);
    this.id_start = this.path_end;
    this.id_end = this.id_start + (shorts[lengths + ID_TEXT] as number);
    const text = slotText(slot);
    let start = this.id_end;
    for (let index = ID_TEXT + 1; index < text; index++) start += shorts[lengths + index] as number;
    this.destination_start = start;
    this.destination_end = start + (shorts[lengths + text] as number);
    return texts.latin1Slice(start, this.destination_end);
  }

  /** Returns a copy of the whole link. */
  record(): LinkRecord {
    return readLink(this.#memory, this.#place);
  }
}
