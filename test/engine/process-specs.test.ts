import t from 'tap';
import { backgroundEnvironment, redirectNodeOptions } from '../../engine/process-specs.js';

t.test("the operator's NODE_OPTIONS come after the default options of redirect processes, and so override them", async (t) => {
  t.equal(redirectNodeOptions(), '--max-semi-space-size=4');
  t.equal(redirectNodeOptions('--max-semi-space-size=16 --inspect'), '--max-semi-space-size=4 --max-semi-space-size=16 --inspect');
});

t.test('background uses one C library heap for all threads, unless the operator wants more', async (t) => {
  t.same(backgroundEnvironment({ PATH: '/bin' }), { MALLOC_ARENA_MAX: '1', PATH: '/bin' });
  t.same(backgroundEnvironment({ MALLOC_ARENA_MAX: '4' }), { MALLOC_ARENA_MAX: '4' });
});
