import { type BatchPlace, behind, type PlacedBatch, type Position, settled } from './position.js';

/** Which transactions had ended at a moment, as `pg_current_snapshot()` says. */
export interface Snapshot {
  /** All transactions from this one on had not begun. */
  readonly next: bigint;
  /** Those before it that had not ended, in order: no more than the server has connections. */
  readonly underWay: readonly bigint[];
}

/** A look into the log: what its snapshot shows is read page by page. */
export interface Look {
  readonly snapshot: Snapshot;
  readonly now_s: number;
}

/**
 * How far a reader of the click log has come. What it has read is told by the transactions that had ended at its last look, and not by a
 * list of batches: a transaction that stays open, in another database of the server too, would make that list grow for as long as it goes on.
 */
export interface Reading {
  /** What its clients are told. */
  readonly position: Position;
  /** All that these had stored by then was read, and what the position has seen. */
  readonly ended: Snapshot;
  /** The look that more is to be read of, and the last batch that was read of it; null between looks. */
  readonly rest: { readonly look: Look; readonly after: BatchPlace } | null;
}

/** The text form of a snapshot is `xmin:xmax:xid,xid`. */
export function snapshotOf(text: string): Snapshot {
  const [, next = '', underWay = ''] = text.split(':');
  return { next: BigInt(next), underWay: underWay === '' ? [] : underWay.split(',').map(BigInt) };
}

export function snapshotText(snapshot: Snapshot): string {
  return `${horizonOf(snapshot)}:${snapshot.next}:${snapshot.underWay.join(',')}`;
}

/** The oldest transaction that was under way. */
export function horizonOf({ next, underWay }: Snapshot): bigint {
  return underWay[0] ?? next;
}

function hadEnded({ next, underWay }: Snapshot, xid: bigint): boolean {
  return xid < next && !underWay.includes(xid);
}

/** A reader that goes on from what a client has had. */
export function readingFrom(position: Position): Reading {
  return { position, ended: { next: position.xid, underWay: [] }, rest: null };
}

/** Whether the batch was read. Of a look that is read page by page it says no until all pages were. */
export function hasRead({ position, ended }: Reading, { batch_id, xid }: BatchPlace): boolean {
  return hadEnded(ended, xid) || position.seen.get(batch_id) === xid;
}

/** The position behind a batch of the look that was the next one. */
export function passed(position: Position, batch: PlacedBatch, { snapshot }: Look): Position {
  return behind(position, batch, horizonOf(snapshot));
}

/** A page of a look, in which `last` is the last batch. */
export interface ReadPage {
  readonly look: Look;
  readonly last: BatchPlace | undefined;
  readonly isFull: boolean;
}

export interface ReadOn {
  readonly reading: Reading;
  /** Whether more may be there: the rest of the look, or what came since it began. */
  readonly hasMore: boolean;
}

/** How far the reader is behind a page. `position` is behind its last batch. */
export function readOn(reading: Reading, position: Position, { look, last, isFull }: ReadPage): ReadOn {
  if (isFull && last !== undefined) return { reading: { ...reading, position, rest: { look, after: last } }, hasMore: true };
  const settledAt = settled(position, horizonOf(look.snapshot), look.now_s);
  return { reading: { position: settledAt, ended: look.snapshot, rest: null }, hasMore: reading.rest !== null };
}
