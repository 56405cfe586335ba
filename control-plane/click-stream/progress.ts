import { type BatchPlace, behind, type PlacedBatch, type Position, settled } from './position.js';

/** Which transactions had ended at a moment, as `pg_current_snapshot()` returns it. */
export interface Snapshot {
  /** The first transaction that had not begun. */
  readonly next: bigint;
  /** Transactions before `next` that had not ended, in order. They are no more than the server has connections. */
  readonly underWay: readonly bigint[];
}

/** A look into the log. Everything that its snapshot shows is read page by page. */
export interface Look {
  readonly snapshot: Snapshot;
  readonly now_s: number;
}

/**
 * How far a reader of the click log has come. This is stored as the transactions that had ended at its last look, and not as a list of
 * batches, because such a list would grow for as long as any transaction stays open, even one in another database of the server.
 */
export interface StreamProgress {
  /** The position that is sent to its clients. */
  readonly position: Position;
  /** Everything that transactions had stored that had ended in this snapshot was read, and so were the batches in `position.seen`. */
  readonly ended: Snapshot;
  /** The look that is not fully read yet, and the last batch that was read of it; null between looks. */
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

/** The oldest transaction that was in progress. */
export function horizonOf({ next, underWay }: Snapshot): bigint {
  return underWay[0] ?? next;
}

function hadEnded({ next, underWay }: Snapshot, xid: bigint): boolean {
  return xid < next && !underWay.includes(xid);
}

/** A reader that resumes from a client's position. */
export function progressFrom(position: Position): StreamProgress {
  return { position, ended: { next: position.xid, underWay: [] }, rest: null };
}

/** Whether the batch was read. Batches of a look count as read once all pages of the look were read, or if the position has them. */
export function hasRead({ position, ended }: StreamProgress, { batch_id, xid }: BatchPlace): boolean {
  return hadEnded(ended, xid) || position.seen.get(batch_id) === xid;
}

/** The position after the next batch of the look. */
export function passed(position: Position, batch: PlacedBatch, { snapshot }: Look): Position {
  return behind(position, batch, horizonOf(snapshot));
}

/** A page of a look; `last` is its last batch. */
export interface ReadPage {
  readonly look: Look;
  readonly last: BatchPlace | undefined;
  readonly isFull: boolean;
}

export interface ReadOn {
  readonly progress: StreamProgress;
  /** Whether there may be more to read: the rest of the look, or batches stored since it began. */
  readonly hasMore: boolean;
}

/** Returns how far the reader has come after a page. `position` is the position after its last batch. */
export function readOn(progress: StreamProgress, position: Position, { look, last, isFull }: ReadPage): ReadOn {
  if (isFull && last !== undefined) return { progress: { ...progress, position, rest: { look, after: last } }, hasMore: true };
  const settledAt = settled(position, horizonOf(look.snapshot), look.now_s);
  return { progress: { position: settledAt, ended: look.snapshot, rest: null }, hasMore: progress.rest !== null };
}
