import { IndexedLink } from '../../../engine/link-index/indexed-link.js';
import { encodeLink, IndexMemory, writeRecord } from '../../../engine/link-index/record.js';
import type { LinkRecord } from '../../../shared/records/records.js';

const PLACE = 4;

/** Counts how often a direct destination was chosen. */
class CountingLink extends IndexedLink {
  taken = 0;

  override chooseDestination(slot: number): string {
    this.taken++;
    return super.chooseDestination(slot);
  }
}

/**
 * Reads links as a redirect process reads them from the index: each link that `findLink` returns is written into memory and read
 * from there.
 */
export class IndexedLinks {
  readonly #memory = new IndexMemory(Buffer.from(new ArrayBuffer(128 * 1024)));
  readonly #found = new CountingLink();
  readonly #findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;

  constructor(findLink: (environmentNumber: number, path: string) => LinkRecord | undefined) {
    this.#findLink = findLink;
  }

  /** How many visits were sent to a direct destination. */
  get taken(): number {
    return this.#found.taken;
  }

  find(environmentNumber: number, path: string): IndexedLink | null {
    const link = this.#findLink(environmentNumber, path);
    const encoded = link === undefined ? null : encodeLink(path, link);
    if (link === undefined || encoded === null) return null;
    writeRecord(this.#memory, PLACE, { hash: 1, environment_number: environmentNumber, path }, { link, encoded });
    this.#found.read(this.#memory, PLACE);
    return this.#found;
  }
}
