import { LAST_EVENT_ID_BATCHES_MAX } from '../../shared/contract/schemas/click-stream.js';

/**
 * Where a client of the click log stands, as the ids of its events say. Batches of clicks are read in the order of the transactions that
 * stored them, and those may end in another order. So a position says up to which transaction all have ended, and what was read of the
 * others: what appears late is still read, and nothing is read twice. A batch that another transaction has added to is read again.
 */
export interface Position {
  /** Whose transactions they are: of another server the same numbers mean others. */
  readonly server: number;
  /** Every batch of an earlier transaction was read. */
  readonly xid: bigint;
  /**
   * Batches of this transaction and later ones that were read, with the transactions that had stored them: the last ones of that order, as
   * many as an id holds. Others take no memory, however long the transaction goes on.
   */
  readonly seen: ReadonlyMap<bigint, bigint>;
  /** How old the batches may be that were not read, in seconds of PostgreSQL's clock. */
  readonly at_s: number;
}

/** A place in the order in which batches are read. */
export interface BatchPlace {
  readonly batch_id: bigint;
  readonly xid: bigint;
}

/** A batch as far as its order goes. */
export interface PlacedBatch extends BatchPlace {
  readonly stored_s: number;
}

/** The position behind a batch that was the next one. `horizon`: the oldest transaction that was under way when it was looked up. */
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

/** The position of a reader that has read all that could be seen. */
export function settled({ server, xid, seen, at_s }: Position, horizon: bigint, nowS: number): Position {
  const next = horizon > xid ? horizon : xid;
  return { server, xid: next, seen: new Map([...seen].filter(([, of]) => of >= next)), at_s: Math.max(at_s, Math.floor(nowS)) };
}

/**
 * As the id of an event. It holds so many batches: where a transaction takes long there may be more, and those are sent again to a
 * client that goes on from there. The server stands where a batch of transaction 0 would, which there is none of: a release that
 * does not know of servers takes the id, and goes on from it.
 */
export function eventId({ server, xid, seen, at_s }: Position): string {
  return `${at_s}.${xid}.0-${server}${[...seen].map(([batch, of]) => `.${of}-${batch}`).join('')}`;
}

/** The largest number of a batch: PostgreSQL's bigint. */
const BATCH_ID_MAX = 2n ** 63n - 1n;

/**
 * The position of an id that the contract's pattern lets through, which allows for numbers that no batch has, and for one batch more.
 * An id without a server, of a release that did not know of them, counts as of the `present` one.
 */
export function positionOf(id: string, present: number): Position {
  const [at_s, xid, ...batches] = id.split('.') as [string, string, ...string[]];
  const pairs = batches.map((pair) => pair.split('-').map(BigInt) as [bigint, bigint]);
  const server = pairs[0]?.[0] === 0n ? Number(pairs.shift()?.[1]) : present;
  const seen = pairs.filter(([, batch]) => batch <= BATCH_ID_MAX).map(([of, batch]) => [batch, of] as const);
  return { server, at_s: Number(at_s), xid: BigInt(xid), seen: new Map(seen.slice(-LAST_EVENT_ID_BATCHES_MAX)) };
}
