import t from 'tap';
import { behind, eventId, type Position, positionOf } from '../../../control-plane/click-stream/position.js';
import { isLastEventId, LAST_EVENT_ID_BATCHES_MAX } from '../../../shared/contract/schemas/click-stream.js';

t.test('event ids have the form of the contract, even with the largest values', async (t) => {
  const most = 10n ** 18n - 1n;
  // The largest number of a batch. For ClickHouse, these numbers are drawn at random.
  const largestBatch = 2n ** 63n - 1n;
  let position: Position = { server: 2 ** 40 - 1, xid: most, seen: new Map(), at_s: 9_999_999_999 };
  for (let index = 0n; index < 100n; index++) position = behind(position, { batch_id: largestBatch - index, xid: most, stored_s: 0 }, most);
  const id = eventId(position);
  t.ok(isLastEventId(id));
  t.same(positionOf(id, 7), position);
  t.equal(position.seen.size, LAST_EVENT_ID_BATCHES_MAX);
  t.equal(positionOf(`1.2.3-${largestBatch + 1n}`, 7).seen.size, 0, 'a number above the largest of a batch is ignored');
  for (const text of ['', '1', '1.', '1.2.', '1.2.3', '-1.2', '1.2.3-4.5', `1.${'9'.repeat(19)}`, '1.2\n', 'x'])
    t.notOk(isLastEventId(text), text);
});

t.test('an id of the previous release is read as one of the present server', async (t) => {
  t.same(positionOf('5.10', 7), { server: 7, xid: 10n, seen: new Map(), at_s: 5 });
  const pairs = Array.from({ length: 20 }, (_, index) => `${10 + index}-${index + 1}`);
  const position = positionOf(`5.10.${pairs.join('.')}`, 7);
  t.equal(position.server, 7);
  t.same(
    [...position.seen.keys()],
    Array.from({ length: 19 }, (_, index) => BigInt(index + 2)),
  );
  t.ok(isLastEventId(eventId(position)));
});

t.test('the previous release can read an id with a server, including its batches', async (t) => {
  const id = eventId({ server: 7, xid: 10n, seen: new Map([[7n, 12n]]), at_s: 5 });
  t.match(id, /^[0-9]{1,10}\.[0-9]{1,18}(\.[0-9]{1,18}-[0-9]{1,19}){0,20}$/);
  // Reads the id as the previous release does: the transaction of each batch, the last one named for it.
  const [, , ...pairs] = id.split('.');
  const seen = new Map(pairs.map((pair) => pair.split('-').map(BigInt)).map(([of, batch]) => [batch, of]));
  t.same(seen, new Map([[7n, 12n]]));
});
