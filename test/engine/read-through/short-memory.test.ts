import t from 'tap';
import { ShortMemory } from '../../../engine/read-through/short-memory.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('a value is remembered for a fixed time since it was last put', (t) => {
  const clock = manualClock(0);
  const memory = new ShortMemory<number>(10, 100, clock.now);
  memory.put('a', 1);
  clock.advance(60);
  memory.put('a', 2);
  clock.advance(60);
  t.equal(memory.get('a'), 2);
  clock.advance(40);
  t.equal(memory.get('a'), undefined);
  t.equal(memory.size, 0, 'the expired value is removed');
  t.end();
});

t.test('the oldest value is dropped when there are too many', (t) => {
  const clock = manualClock(0);
  const memory = new ShortMemory<number>(3, 100, clock.now);
  for (let n = 0; n < 3; n++) memory.put(`k${n}`, n);
  memory.put('k0', 10);
  memory.put('k3', 3);
  t.equal(memory.size, 3);
  t.equal(memory.get('k1'), undefined, 'k0 was renewed, so k1 was the oldest');
  t.equal(memory.get('k0'), 10);
  clock.advance(200);
  memory.put('k4', 4);
  t.equal(memory.size, 1, 'all expired values are removed with the next put');
  t.end();
});
