import t from 'tap';
import { DueList } from '../../../../control-plane/click-figures/prepared/due-list.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A list of what is due, and a record of what was done. */
function listOf(due: string[], refused: ReadonlySet<string> = new Set()) {
  const done: string[] = [];
  const state = { finds: 0 };
  const list = new DueList<string>(
    async () => {
      state.finds += 1;
      return [...due];
    },
    async (item) => {
      if (item === 'faulty') throw new Error('faulty');
      if (refused.has(item)) return false;
      done.push(item);
      due.splice(due.indexOf(item), 1);
      return true;
    },
  );
  return { list, done, state };
}

t.test('what is due is found once, and then done in its order', async (t) => {
  const { list, done, state } = listOf(['a', 'b', 'c']);
  while (await list.step(NOW));
  t.strictSame(done, ['a', 'b', 'c']);
  t.equal(state.finds, 2, 'the second time, nothing was due');
});

t.test('what cannot be done is left out, and a step that does nothing ends the work', async (t) => {
  const { list, done } = listOf(['a', 'locked', 'b'], new Set(['locked']));
  while (await list.step(NOW));
  t.strictSame(done, ['a', 'b']);
  t.equal(await list.step(NOW), false);
});

t.test('something that fails does not hold up what comes after it', async (t) => {
  const { list, done } = listOf(['a', 'faulty', 'b']);
  t.ok(await list.step(NOW));
  await t.rejects(list.step(NOW), { message: 'faulty' });
  t.ok(await list.step(NOW));
  t.strictSame(done, ['a', 'b']);
});

t.test('what was found is no longer taken for due after a minute, or if the clock was set back', async (t) => {
  for (const later of [60_001, -60_001]) {
    const due = ['a', 'b'];
    const { list, done, state } = listOf(due);
    t.ok(await list.step(NOW));
    due.splice(0, due.length, 'c');
    t.ok(await list.step(NOW + later));
    t.strictSame(done, ['a', 'c']);
    t.equal(state.finds, 2);
  }
});
