import { invariant } from '../../../shared/base/invariant.js';
import type { CopyBuffer } from './copy-buffer.js';
import { PendingBlocks } from './pending-blocks.js';
import type { DayKeys } from './visitor-hashes.js';

/** The inputs of a click's match key besides the day's address key; see shared/attribution/match-key.ts. */
export interface MatchKeyParts {
  /** 16 bytes. */
  readonly network: Uint8Array;
  readonly environmentNumber: number;
  /** The facts after the environment number: 12 bytes. */
  readonly facts: Uint8Array;
}

/** Match keys of a batch of open clicks. Like `VisitorHashes`, they are noted while the rows are written and filled in at the end. */
export class MatchKeys {
  readonly #days = new Map<number, PendingBlocks>();
  readonly #keys: ReadonlyMap<number, DayKeys>;

  /** `keys` maps days since the epoch to their keys. */
  constructor(keys: ReadonlyMap<number, DayKeys>) {
    this.#keys = keys;
  }

  note(day: number, hole: number, { network, environmentNumber, facts }: MatchKeyParts): void {
    let pending = this.#days.get(day);
    if (pending === undefined) {
      const keys = this.#keys.get(day);
      invariant(keys !== undefined, 'the keys of every day of a batch are fetched before its rows are made');
      pending = new PendingBlocks(keys.address_key, true);
      this.#days.set(day, pending);
    }
    // Must come first, because it may replace the arrays with larger ones.
    const at = pending.add(hole);
    pending.blocks.set(network, at);
    pending.setSecond(at, environmentNumber, facts);
  }

  fill(rows: CopyBuffer): void {
    for (const pending of this.#days.values()) pending.fill(rows);
  }
}
