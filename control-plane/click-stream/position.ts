import { LAST_EVENT_ID_BATCHES_MAX } from '../../shared/contract/schemas/click-stream.js';

/**
 * The position of a client in the click log, which the ids of its events encode. Batches of clicks are read in the order of the
 * transactions that stored them, but these may end in another order. So a position says up to which transaction all have ended, and which
 * batches of later ones were read. Batches that appear late are still read, and none is read twice. A batch to which another transaction
 * has added clicks is read again.
 */
export interface Position {
  /** The server of the transactions. On another server the same numbers mean different transactions. */
  readonly server: number;
  /** Every batch of a transaction before this one was read. */
  readonly xid: bigint;
  /**
   * Batches of this transaction and later ones that were read, with the transactions that stored them. Holds only the last of them in that
   * order, as many as an id holds, so that memory does not grow however long a transaction stays open.
   */
  readonly seen: ReadonlyMap<bigint, bigint>;
  /** About how old batches that were not read may be: a time in seconds of PostgreSQL's clock. */
  readonly at_s: number;
}

/** A place in the order in which batches are read. */
export interface BatchPlace {
  readonly batch_id: bigint;
  readonly xid: bigint;
}

/** A batch with its place and the time when it was stored. */
export interface PlacedBatch extends BatchPlace {
  readonly stored_s: number;
}

/** The position after the next batch. `horizon` is the oldest transaction that was in progress when the batch was read. */
export function behind(position: Position, batch: PlacedBatch, horizon: bigint): Position {
  const read = [...position.seen, [batch.batch_id, batch.xid] as const].sort(([one, of], [other, ofOther]) =>
    of === ofOther ? compare(one, other) : compare(of, ofOther),
  );
  const last = new Map(read.slice(-LAST_EVENT_ID_BATCHES_MAX));
  return settled({ ...position, seen: last }, batch.xid < horizon ? batch.xid : horizon, batch.stored_s);
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The position of a reader that has read everything visible. */
export function settled({ server, xid, seen, at_s }: Position, horizon: bigint, nowS: number): Position {
  const next = horizon > xid ? horizon : xid;
  return { server, xid: next, seen: new Map([...seen].filter(([, of]) => of >= next)), at_s: Math.max(at_s, Math.floor(nowS)) };
}

/**
 * Encodes a position as the id of an event. An id holds a limited number of batches. If a transaction takes long there may be more, and
 * these are sent again to a client that resumes from the id. The server is written as a batch of transaction 0, which does not exist, so
 * that a release that does not know about servers accepts the id and resumes from it.
 */
export function eventId({ server, xid, seen, at_s }: Position): string {
  return `${at_s}.${xid}.0-${server}${[...seen].map(([batch, of]) => `.${of}-${batch}`).join('')}`;
}

/** The largest number of a batch, which is a PostgreSQL bigint. */
const BATCH_ID_MAX = 2n ** 63n - 1n;

/**
 * Decodes an id that matches the contract's pattern, which also allows numbers that no batch can have, and one batch too many.
 * An id without a server, from a release that did not know about servers, is taken as one of the server `present`.
 */
export function positionOf(id: string, present: number): Position {
  const [at_s, xid, ...batches] = id.split('.') as [string, string, ...string[]];
  const pairs = batches.map((pair) => pair.split('-').map(BigInt) as [bigint, bigint]);
  const server = pairs[0]?.[0] === 0n ? Number(pairs.shift()?.[1]) : present;
  const seen = pairs.filter(([, batch]) => batch <= BATCH_ID_MAX).map(([of, batch]) => [batch, of] as const);
  return { server, at_s: Number(at_s), xid: BigInt(xid), seen: new Map(seen.slice(-LAST_EVENT_ID_BATCHES_MAX)) };
}
