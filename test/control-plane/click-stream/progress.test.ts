import t from 'tap';
import { eventId, type PlacedBatch, type Position, positionOf } from '../../../control-plane/click-stream/position.js';
import {
  hasRead,
  type Look,
  passed,
  progressFrom,
  readOn,
  type StreamProgress,
  snapshotOf,
  snapshotText,
} from '../../../control-plane/click-stream/progress.js';
import { LAST_EVENT_ID_BATCHES_MAX } from '../../../shared/contract/schemas/click-stream.js';
import fc from '../../support/properties.js';

const START: Position = { server: 7, xid: 1n, seen: new Map(), at_s: 0 };

/** A transaction that stores a batch: it is numbered in the order of `begin`, and its batch appears at `end`. */
interface Shipment {
  readonly begin: number;
  readonly end: number;
}

type Batch = PlacedBatch & Pick<Shipment, 'end'>;

/** The log at the time of each look. A shipment appears when it is committed. */
function logOf(shipments: readonly Shipment[]) {
  const began = [...shipments].sort((one, other) => one.begin - other.begin);
  const batches = began.map(({ begin, end }, index): Batch & Shipment => ({
    begin,
    end,
    batch_id: BigInt(1000 - index),
    xid: BigInt(index + 1),
    stored_s: begin,
  }));
  const lookAt = (now: number): Look => ({
    now_s: now,
    snapshot: {
      next: BigInt(batches.filter(({ begin }) => begin <= now).length + 1),
      underWay: batches.filter(({ begin, end }) => begin <= now && end > now).map(({ xid }) => xid),
    },
  });
  return { batches, lookAt };
}

/** The next page of a reader, as the statement finds it. */
function pageOf({ batches, lookAt }: ReturnType<typeof logOf>, progress: StreamProgress, now: number, pageMax: number) {
  const look = progress.rest?.look ?? lookAt(now);
  const { next, underWay } = look.snapshot;
  const page = batches
    .filter(({ xid }) => xid < next && !underWay.includes(xid) && xid > (progress.rest?.after.xid ?? 0n))
    .filter((batch) => !hasRead(progress, batch))
    .slice(0, pageMax);
  let position = progress.position;
  for (const batch of page) position = passed(position, batch, look);
  return { page, ...readOn(progress, position, { look, last: page.at(-1), isFull: page.length === pageMax }) };
}

/** The batches that a reader reads if it looks at every one of these times. */
function batchesRead(shipments: readonly Shipment[], pageMax: number, resume: (progress: StreamProgress) => StreamProgress) {
  const log = logOf(shipments);
  const read: bigint[] = [];
  let progress = progressFrom(START);
  for (const now of EVERY_LOOK) {
    const page = pageOf(log, progress, now, pageMax);
    read.push(...page.page.map(({ batch_id }) => batch_id));
    progress = resume(page.progress);
  }
  return { read, all: log.batches.map(({ batch_id }) => batch_id) };
}

const shipments = fc.array(
  fc
    .record({ begin: fc.integer({ min: 0, max: 50 }), takes: fc.integer({ min: 1, max: 30 }) })
    .map(({ begin, takes }) => ({ begin, end: begin + takes })),
  { maxLength: 30 },
);
const EVERY_LOOK = Array.from({ length: 200 }, (_, at) => at);

t.test('every batch is read once, whatever the order of commits and the size of pages', async () => {
  fc.assert(
    fc.property(shipments, fc.integer({ min: 1, max: 5 }), (given, pageMax) => {
      const { read, all } = batchesRead(given, pageMax, (progress) => progress);
      return read.length === all.length && new Set(read).size === all.length;
    }),
  );
});

t.test('a reader that resumes from an id misses no batch, and repeats none if the id could hold all that were read', async () => {
  fc.assert(
    fc.property(shipments, fc.integer({ min: 1, max: 50 }), (given, pageMax) => {
      const { read, all } = batchesRead(given, pageMax, ({ position }) => progressFrom(positionOf(eventId(position), 8)));
      const few = given.length <= LAST_EVENT_ID_BATCHES_MAX;
      return new Set(read).size === all.length && (!few || read.length === all.length);
    }),
  );
});

t.test('a stream that opens later gets every batch once, first from its own pages and then from the live ones', async () => {
  fc.assert(
    fc.property(shipments, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 5 }), (given, comes, pageMax) => {
      const log = logOf(given);
      const had: bigint[] = [];
      let live = progressFrom(START);
      let own = progressFrom(START);
      let isLive = false;
      for (const now of EVERY_LOOK) {
        const { page, progress } = pageOf(log, live, now, pageMax);
        live = progress;
        if (isLive) had.push(...page.filter((batch) => !hasRead(own, batch)).map(({ batch_id }) => batch_id));
        else if (now >= comes) {
          const alone = pageOf(log, own, now, pageMax);
          own = alone.progress;
          had.push(...alone.page.map(({ batch_id }) => batch_id));
          isLive = !alone.hasMore;
        }
      }
      return had.length === given.length && new Set(had).size === given.length;
    }),
  );
});

t.test('the state of a reader does not grow while a transaction stays open', async (t) => {
  let progress: StreamProgress = { position: START, ended: { next: 2n, underWay: [1n] }, rest: null };
  for (let number = 2n; number < 5_000n; number++) {
    const look = { snapshot: { next: number + 1n, underWay: [1n] }, now_s: Number(number) };
    const batch = { batch_id: number, xid: number, stored_s: Number(number) };
    progress = readOn(progress, passed(progress.position, batch, look), { look, last: batch, isFull: false }).progress;
  }
  t.same(progress.ended, { next: 5_000n, underWay: [1n] });
  t.same(
    [...progress.position.seen.keys()],
    Array.from({ length: LAST_EVENT_ID_BATCHES_MAX }, (_, index) => 5_000n - BigInt(LAST_EVENT_ID_BATCHES_MAX - index)),
  );
  t.ok(hasRead(progress, { batch_id: 2n, xid: 2n }));
  t.notOk(hasRead(progress, { batch_id: 1n, xid: 1n }), 'the batch of the open transaction is still to be read');
});

t.test('a snapshot is parsed and written in the form of PostgreSQL', async (t) => {
  for (const text of ['10:20:10,14,15', '10:10:', '900000000000000000:900000000000000002:900000000000000000'])
    t.equal(snapshotText(snapshotOf(text)), text);
});

t.test('a batch to which another transaction has added is read again', async (t) => {
  const batch = { batch_id: 7n, xid: 10n, stored_s: 0 };
  const added = { ...batch, xid: 12n };
  const look: Look = { now_s: 0, snapshot: { next: 11n, underWay: [5n] } };
  const first = progressFrom({ ...START, xid: 5n });
  const { progress } = readOn(first, passed(first.position, batch, look), { look, last: batch, isFull: false });
  t.ok(hasRead(progress, batch));
  t.notOk(hasRead(progress, added));
  t.notOk(
    hasRead(progressFrom(positionOf(eventId(progress.position), 8)), added),
    'a client that resumes from the id has not read it either',
  );
  const next: Look = { now_s: 1, snapshot: { next: 13n, underWay: [5n] } };
  const again = readOn(progress, passed(progress.position, added, next), { look: next, last: added, isFull: false });
  t.ok(hasRead(progressFrom(positionOf(eventId(again.progress.position), 8)), added));
});
