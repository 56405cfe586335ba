import t, { type Test } from 'tap';
import { HostItems } from '../../../engine/preview/remembered-items.js';
import { answerKey } from '../../../engine/store/answer-store.js';
import { AnswerWriter } from '../../../engine/store/answer-writer.js';
import { answersFolder } from '../../../engine/store/copies.js';
import { readPointer, reportDamage } from '../../../engine/store/generations.js';
import { systemClock } from '../../../shared/base/clock.js';
import type { Scheduler } from '../../../shared/base/scheduler.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { silentLog } from '../fixtures.js';
import { rememberedAnswer } from './fixtures.js';

const cursor = (position: number) => ({ epoch: 'e', position, mark: '' });

function fixture(t: Test) {
  const dataDir = t.testdir();
  const answers = new AnswerWriter({ dataDir, log: silentLog, clock: systemClock, bootId: () => 'boot' });
  t.teardown(() => answers.close());
  const timers = manualTimers();
  const said: string[] = [];
  const items = new HostItems({
    answers,
    underWay: () => ({
      invalidate: (type, item) => said.push(`${type}/${item} ${answers.find(answerKey(type, item)) === undefined}`),
      invalidateAll: () => said.push('all'),
      acknowledge: () => said.push(`up to ${items.appliedUpTo()?.position}`),
    }),
    schedule: timers.schedule,
    now: timers.now,
  });
  for (const item of ['a', 'b']) answers.put(answerKey('rt_1', item), rememberedAnswer({ title: item }));
  return { answers, dataDir, items, said, timers };
}

t.test(
  'an invalidation is applied to the store first, then to calls under way, and is acknowledged once the cursor is stored',
  async (t) => {
    const { answers, items, said, timers } = fixture(t);
    t.equal(items.appliedUpTo(), null);
    items.applied(cursor(1));
    t.strictSame(said, [], 'there is nothing to acknowledge');
    items.invalidate([{ resource_type_id: 'rt_1', item_id: 'a' }]);
    t.strictSame(said, ['rt_1/a true']);
    t.equal(items.appliedUpTo()?.position, 1, 'not before the cursor is stored');
    items.applied(cursor(2));
    t.equal(said.at(-1), 'up to 2');
    t.ok(answers.find(answerKey('rt_1', 'b')));
    items.invalidateAll();
    items.applied(cursor(9));
    t.strictSame(said.slice(2), ['all'], 'processes may still have the table of the copy that was replaced');
    timers.advance(10);
    t.strictSame(said.slice(2), ['all', 'up to 9']);
    t.equal(answers.find(answerKey('rt_1', 'b')), undefined);
  },
);

t.test('after the store was discarded an invalidation is acknowledged only when no reader uses the old store', async (t) => {
  const { answers, dataDir, items, said, timers } = fixture(t);
  reportDamage(answersFolder(dataDir), readPointer(answersFolder(dataDir)) as string, 'damaged');
  answers.inspect();
  items.invalidate([{ resource_type_id: 'rt_1', item_id: 'a' }]);
  items.applied(cursor(2));
  t.equal(items.appliedUpTo(), null);
  timers.advance(10);
  t.equal(said.at(-1), 'up to 2');
});

t.test(
  'changes of links are acknowledged at once, a new table after every process has had time to load it, and later changes not before it',
  async (t) => {
    const { items, said, timers } = fixture(t);
    items.awaited(false);
    items.applied(cursor(1));
    t.strictSame(said, ['up to 1']);
    items.awaited(true);
    items.applied(cursor(2));
    timers.advance(5);
    items.awaited(false);
    items.applied(cursor(3));
    timers.advance(4);
    t.equal(items.appliedUpTo()?.position, 1, 'redirect processes may still have the old table');
    timers.advance(1);
    t.strictSame(said, ['up to 1', 'up to 2', 'up to 3'], 'both are acknowledged');
  },
);

t.test('how far the host has followed never goes back, in whichever order two timers end', (t) => {
  const answers = { thrownAway: 0 } as AnswerWriter;
  const due: (() => void)[] = [];
  const schedule: Scheduler = (_, run) => {
    due.unshift(run);
    return () => {};
  };
  const items = new HostItems({ answers, underWay: () => null, schedule, now: () => 0 });
  items.awaited(true);
  items.applied(cursor(1));
  items.awaited(true);
  items.applied(cursor(2));
  t.equal(due.length, 2);
  for (const run of due) run();
  t.equal(items.appliedUpTo()?.position, 2);
  t.end();
});
