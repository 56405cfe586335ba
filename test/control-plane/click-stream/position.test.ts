import t from 'tap';
import { behind, eventId, hasRead, type Position, positionOf, settled } from '../../../control-plane/click-stream/position.js';
import { isLastEventId, LAST_EVENT_ID_BATCHES_MAX } from '../../../shared/contract/schemas/click-stream.js';
import fc from '../../support/properties.js';

const START: Position = { xid: 1n, seen: new Map(), at_s: 0 };

/** A transaction that stores a batch: when it begins, which numbers it, and when its batch appears. */
interface Shipment {
  readonly begin: number;
  readonly end: number;
}

/** What a reader reads that looks at the times, of shipments that appear whenever they are committed. */
function batchesRead(shipments: readonly Shipment[], looks: readonly number[], pageMax: number, resume: (position: Position) => Position) {
  const began = [...shipments].sort((one, other) => one.begin - other.begin);
  const batches = began.map(({ begin, end }, index) => ({
    begin,
    end,
    batch_id: BigInt(1000 - index),
    xid: BigInt(index + 1),
    stored_s: begin,
  }));
  const read: bigint[] = [];
  let position = START;
  for (const now of looks) {
    const underWay = batches.filter(({ begin, end }) => begin <= now && end > now).map(({ xid }) => xid);
    const begun = BigInt(batches.filter(({ begin }) => begin <= now).length);
    const horizon = underWay[0] ?? begun + 1n;
    const seen = batches.filter((batch) => batch.end <= now && batch.xid >= position.xid && !hasRead(position, batch));
    const page = seen.slice(0, pageMax);
    for (const batch of page) {
      read.push(batch.batch_id);
      position = behind(position, batch, horizon);
    }
    if (seen.length <= pageMax) position = settled(position, horizon, now);
    position = resume(position);
  }
  return { read, all: batches.map(({ batch_id }) => batch_id) };
}

const shipments = fc.array(
  fc
    .record({ begin: fc.integer({ min: 0, max: 50 }), takes: fc.integer({ min: 1, max: 30 }) })
    .map(({ begin, takes }) => ({ begin, end: begin + takes })),
  { maxLength: 30 },
);
const EVERY_LOOK = Array.from({ length: 200 }, (_, at) => at);

t.test('every batch is read once, in whatever order transactions end, and however short pages are', async () => {
  fc.assert(
    fc.property(shipments, fc.integer({ min: 1, max: 5 }), (given, pageMax) => {
      const { read, all } = batchesRead(given, EVERY_LOOK, pageMax, (position) => position);
      return read.length === all.length && new Set(read).size === all.length;
    }),
  );
});

t.test('a reader that goes on from an id misses nothing, and reads nothing twice as long as the id holds what was read', async () => {
  fc.assert(
    fc.property(shipments, (given) => {
      const { read, all } = batchesRead(given, EVERY_LOOK, 50, (position) => positionOf(eventId(position)));
      const few = given.length <= LAST_EVENT_ID_BATCHES_MAX;
      return new Set(read).size === all.length && (!few || read.length === all.length);
    }),
  );
});

t.test('a batch that another transaction has added to is read again', async (t) => {
  const batch = { batch_id: 7n, xid: 10n, stored_s: 0 };
  const position = behind(START, batch, 5n);
  t.ok(hasRead(position, batch));
  t.notOk(hasRead(position, { ...batch, xid: 12n }));
  const after = behind(position, { ...batch, xid: 12n }, 5n);
  t.ok(hasRead(positionOf(eventId(after)), { ...batch, xid: 12n }));
});

t.test('ids are of the form that the contract takes, however much they would hold', async (t) => {
  const most = 10n ** 18n - 1n;
  // Of ClickHouse, where they are drawn.
  const largestBatch = 2n ** 63n - 1n;
  const seen = new Map(Array.from({ length: 100 }, (_, index) => [largestBatch - BigInt(index), most] as const));
  const id = eventId({ xid: most, seen, at_s: 9_999_999_999 });
  t.ok(isLastEventId(id));
  t.equal(positionOf(id).seen.size, LAST_EVENT_ID_BATCHES_MAX);
  t.equal(positionOf(`1.2.3-${largestBatch + 1n}`).seen.size, 0, 'no batch has that number');
  for (const text of ['', '1', '1.', '1.2.', '1.2.3', '-1.2', '1.2.3-4.5', `1.${'9'.repeat(19)}`, '1.2\n', 'x'])
    t.notOk(isLastEventId(text), text);
});
