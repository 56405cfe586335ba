import t from 'tap';
import { ClickFanOut } from '../../../engine/shipping/click-fan-out.js';
import fc from '../../support/properties.js';

t.test('clicks of an environment without subscribers are sent to nobody', async (t) => {
  const fanOut = new ClickFanOut(5);
  t.notOk(fanOut.hasRoom);
  fanOut.add([2], []);
  t.notOk(fanOut.hasRoom);
  t.equal(fanOut.count(2), -1);
  fanOut.add([1, 3], [{ number: 1, webhook_id: 'wh_a', queued: 0 }]);
  t.ok(fanOut.hasRoom);
  t.equal(fanOut.count(2), -1);
  t.equal(fanOut.count(3), -1);
  t.same(fanOut.growth(new Map()), []);
  t.same(
    [1, 2, 3, 4].map((number) => fanOut.knows(number)),
    [true, true, true, false],
  );
});

t.test('an environment that is added during the batch gets its clicks, even if it is the one whose clicks came last', async (t) => {
  const fanOut = new ClickFanOut(5);
  t.throws(() => fanOut.count(1), 'its subscribers are not known');
  fanOut.add([1], [{ number: 1, webhook_id: 'wh_a', queued: 4 }]);
  t.strictSame([fanOut.count(1), fanOut.count(1)], [0, -1]);
  t.strictSame(fanOut.growth(new Map([['wh_a', 1]])), [{ webhook_id: 'wh_a', queued: 1, dropped: 1 }]);
});

t.test('each endpoint gets the first clicks of its environment that fit its backlog, and the others are counted as dropped', async () => {
  const subscriber = fc.record({
    number: fc.integer({ min: 1, max: 3 }),
    webhook_id: fc.uuid(),
    queued: fc.integer({ min: 0, max: 12 }),
  });
  const property = fc.property(
    fc.uniqueArray(subscriber, { selector: ({ webhook_id }) => webhook_id, maxLength: 6 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 }),
    (subscribers, clicks) => {
      const fanOut = new ClickFanOut(10);
      fanOut.add([1, 2, 3, 4], subscribers);
      const stored = clicks.map((number) => ({ number, at: fanOut.count(number) }));
      const queued = new Map<string, number>();
      for (const { webhook_id, room } of fanOut.receivers()) {
        const { number } = subscribers.find((one) => one.webhook_id === webhook_id) as { number: number };
        queued.set(webhook_id, stored.filter((event) => event.number === number && event.at !== -1 && event.at < room).length);
      }
      const growth = new Map(fanOut.growth(queued).map((row) => [row.webhook_id, row]));
      return subscribers.every(({ number, webhook_id, queued: before }) => {
        const all = clicks.filter((click) => click === number).length;
        const row = growth.get(webhook_id) ?? { queued: 0, dropped: 0 };
        const room = Math.max(0, 10 - before);
        return row.queued === Math.min(all, room) && row.dropped === all - row.queued;
      });
    },
  );
  fc.assert(property);
});
