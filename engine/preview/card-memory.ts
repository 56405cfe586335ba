import { CARD_MEMORY_BYTES_MAX } from '../../shared/base/limits.js';
import type { StoredAnswer } from '../store/answer-store.js';

/** A page that was rendered from an answer, with what else it depends on. */
export interface MadePage {
  /** What the page depends on besides the answer; compared by identity. */
  readonly environment: object;
  readonly shared_url: string;
  readonly onward_url: string;
  readonly body: Buffer;
}

/** What a process keeps of an item that bots request. */
export interface KnownItem {
  readonly stored: StoredAnswer;
  /** How often the item was requested since it has had this answer. */
  hits: number;
  page: MadePage | null;
}

/** A decoded answer takes about three times the bytes of its stored form, in addition to those. */
const MEMORY_PER_STORED_BYTE = 4;

/**
 * The answers and pages that a process has in memory, by the answer's key. There are two maps of bounded size: when the young one
 * is full it becomes the old one, and the previous old one is dropped. Entries in use are copied to the young one again.
 */
export class CardMemory {
  readonly #bytesMax: number;
  #young = new Map<string, KnownItem>();
  #old = new Map<string, KnownItem>();
  #youngBytes = 0;

  constructor(bytesMax: number = CARD_MEMORY_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): KnownItem | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  put(key: string, item: KnownItem): void {
    const bytes = 2 * key.length + MEMORY_PER_STORED_BYTE * item.stored.bytes.length + (item.page?.body.length ?? 0);
    this.#makeRoom(bytes);
    this.#young.set(key, item);
  }

  /** Stores the page that was rendered from the item's answer. */
  keepPage(item: KnownItem, page: MadePage): void {
    this.#makeRoom(page.body.length);
    item.page = page;
  }

  stats(): { readonly items: number } {
    return { items: this.#young.size + this.#old.size };
  }

  #makeRoom(bytes: number): void {
    if (this.#youngBytes + bytes > this.#bytesMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#youngBytes += bytes;
  }
}
