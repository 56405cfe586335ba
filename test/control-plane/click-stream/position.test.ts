import t from 'tap';
import { behind, eventId, type Position, positionOf } from '../../../control-plane/click-stream/position.js';
import { isLastEventId, LAST_EVENT_ID_BATCHES_MAX } from '../../../shared/contract/schemas/click-stream.js';

t.test('ids are of the form that the contract takes, however much they would hold', async (t) => {
  const most = 10n ** 18n - 1n;
  // Of ClickHouse, where they are drawn.
  const largestBatch = 2n ** 63n - 1n;
  let position: Position = { xid: most, seen: new Map(), at_s: 9_999_999_999 };
  for (let index = 0n; index < 100n; index++) position = behind(position, { batch_id: largestBatch - index, xid: most, stored_s: 0 }, most);
  const id = eventId(position);
  t.ok(isLastEventId(id));
  t.equal(positionOf(id).seen.size, LAST_EVENT_ID_BATCHES_MAX);
  t.equal(positionOf(`1.2.3-${largestBatch + 1n}`).seen.size, 0, 'no batch has that number');
  for (const text of ['', '1', '1.', '1.2.', '1.2.3', '-1.2', '1.2.3-4.5', `1.${'9'.repeat(19)}`, '1.2\n', 'x'])
    t.notOk(isLastEventId(text), text);
});
