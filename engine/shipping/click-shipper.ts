import type { ClientBase } from 'pg';
import type { RecordMemory } from './rows/segment-scan.js';
import type { TrackedSegment } from './segments/tracked-segment.js';

/**
 * `shipped`: stored and committed. `fenced`: another shipper has meanwhile stored clicks of one of the segments. Nothing was
 * done, and all segments must be attached again. `nothing`: there was no whole record to read.
 */
export interface ShipOutcome {
  readonly kind: 'shipped' | 'fenced' | 'nothing';
  readonly clicks: number;
  readonly refused: number;
  readonly deliveries: number;
}

/** The clicks per segment that a batch was storing when PostgreSQL refused it. */
export type Attempted = ReadonlyMap<TrackedSegment, number>;

/**
 * Moves clicks from segments into the click log. Each click is stored once, no matter which process dies when. There is one
 * implementation for each store.
 */
export interface ClickShipper {
  readonly memory: RecordMemory;
  readonly attempted: Attempted;
  /** Discards what is remembered about keys and partitions. */
  forget(): void;
  /**
   * Ships a batch of attached segments that have something to read. Throws the database's errors; the next batch determines
   * what was stored by then.
   */
  ship(client: ClientBase, segments: readonly TrackedSegment[]): Promise<ShipOutcome>;
}
