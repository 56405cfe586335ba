import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { StoreDamagedError } from '../../../engine/store/environment.js';
import { createScrub } from '../../../engine/store/scrub.js';
import { until } from '../../support/until.js';
import { log } from './store-fixture.js';

/** A store of 2,500 values that is read through in three steps. */
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

t.test('the first pass is quick and goes on from the last key; later ones are slow', async (t) => {
  const store = fakeStore();
  const scrub = createScrub(store, () => t.fail('no damage'), log);
  scrub.start();
  await until(() => scrub.stats().passes === 1, 'the first pass');
  t.strictSame(store.steps, [null, 'k1', 'k2']);
  await sleep(100);
  t.ok(store.steps.length <= 4, 'half a second to the next step');
  scrub.stop();
  const { length } = store.steps;
  await sleep(600);
  t.equal(store.steps.length, length, 'and none after the stop');
});

t.test('a new generation is read through from its beginning, quickly again', async (t) => {
  const store = fakeStore();
  const scrub = createScrub(store, () => undefined, log);
  scrub.start();
  await until(() => scrub.stats().passes === 1, 'the first pass');
  store.name = 'g2';
  store.steps.length = 0;
  await until(() => scrub.stats().passes === 2, 'a pass of the new one');
  t.strictSame(store.steps.slice(-3), [null, 'k1', 'k2']);
  scrub.stop();
});

t.test('damage is told once, and nothing is read where there is nothing', async (t) => {
  const store = fakeStore();
  store.fail = new StoreDamagedError('broken');
  let told = 0;
  const scrub = createScrub(store, () => told++, log);
  scrub.start();
  await until(() => told > 0, 'the damage');
  await sleep(600);
  t.equal(told, 1);
  t.equal(store.steps.length, 1);
  scrub.stop();
});

t.test('a read that the operating system refuses says nothing of the store and is tried again', async (t) => {
  const store = fakeStore();
  store.fail = Object.assign(new Error('Input/output error'), { code: 5 });
  const scrub = createScrub(store, () => t.fail('no damage'), log);
  scrub.start();
  await until(() => store.steps.length > 1, 'another attempt');
  store.fail = null;
  await until(() => scrub.stats().passes === 1, 'a whole pass');
  scrub.stop();
});
