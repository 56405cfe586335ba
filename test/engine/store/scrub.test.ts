import t from 'tap';
import { StoreDamagedError } from '../../../engine/store/environment.js';
import { createScrub } from '../../../engine/store/scrub.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { log } from './store-fixture.js';

/** A store of 2,500 values, which the scrub reads in three steps. */
function fakeStore() {
  const store = {
    name: 'g1' as string | null,
    steps: [] as (string | null)[],
    fail: null as Error | null,
    generation: () => store.name,
    check(afterKey: string | null): string | null {
      store.steps.push(afterKey);
      if (store.fail !== null) {
        if (store.fail instanceof StoreDamagedError) store.name = null;
        throw store.fail;
      }
      return afterKey === null ? 'k1' : afterKey === 'k1' ? 'k2' : null;
    },
  };
  return store;
}

t.test('the first pass is quick and continues from the last key, and later passes are slow', (t) => {
  const store = fakeStore();
  const timers = manualTimers();
  const scrub = createScrub(store, () => t.fail('no damage'), log, timers.schedule);
  scrub.start();
  timers.advance(10);
  t.strictSame([store.steps, scrub.stats().passes], [[null, 'k1', 'k2'], 1]);
  timers.advance(490);
  t.equal(store.steps.length, 3, 'the next step comes after half a second');
  timers.advance(10);
  t.equal(store.steps.length, 4);
  scrub.stop();
  timers.advance(10_000);
  t.equal(store.steps.length, 4, 'no step after the stop');
  t.end();
});

t.test('a new generation is read from its beginning, quickly again', (t) => {
  const store = fakeStore();
  const timers = manualTimers();
  const scrub = createScrub(store, () => undefined, log, timers.schedule);
  scrub.start();
  timers.advance(10);
  store.name = 'g2';
  store.steps.length = 0;
  timers.advance(510);
  t.strictSame([store.steps, scrub.stats().passes], [[null, 'k1', 'k2'], 2]);
  scrub.stop();
  t.end();
});

t.test('damage is reported once, and the damaged store is not read again', (t) => {
  const store = fakeStore();
  store.fail = new StoreDamagedError('broken');
  let told = 0;
  const timers = manualTimers();
  const scrub = createScrub(store, () => told++, log, timers.schedule);
  scrub.start();
  timers.advance(0);
  t.equal(told, 1);
  timers.advance(5000);
  t.equal(told, 1);
  t.equal(store.steps.length, 1);
  scrub.stop();
  t.end();
});

t.test('a read that the operating system refuses is no damage and is tried again', (t) => {
  const store = fakeStore();
  store.fail = Object.assign(new Error('Input/output error'), { code: 5 });
  const timers = manualTimers();
  const scrub = createScrub(store, () => t.fail('no damage'), log, timers.schedule);
  scrub.start();
  timers.advance(3);
  t.strictSame(store.steps, [null, null], 'the step is tried again');
  store.fail = null;
  timers.advance(9);
  t.equal(scrub.stats().passes, 1, 'the pass is complete');
  scrub.stop();
  t.end();
});
