import t from 'tap';
import {
  backgroundEnvironment,
  CHILD_ENVIRONMENT,
  MESSAGES_VERSION,
  redirectNodeOptions,
  supervisorSpeaksOurVersion,
} from '../../../engine/processes/messages.js';

t.test('what an operator sets in NODE_OPTIONS comes after what redirect processes get anyway, and so prevails', async (t) => {
  t.equal(redirectNodeOptions(), '--max-semi-space-size=4');
  t.equal(redirectNodeOptions('--max-semi-space-size=16 --inspect'), '--max-semi-space-size=4 --max-semi-space-size=16 --inspect');
});

t.test('background has one heap of the C library for all threads, unless an operator wants more', async (t) => {
  t.same(backgroundEnvironment({ PATH: '/bin' }), { MALLOC_ARENA_MAX: '1', PATH: '/bin' });
  t.same(backgroundEnvironment({ MALLOC_ARENA_MAX: '4' }), { MALLOC_ARENA_MAX: '4' });
});

t.test('a child knows whether its supervisor speaks the same messages', async (t) => {
  t.ok(supervisorSpeaksOurVersion({ [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION) }));
  t.notOk(supervisorSpeaksOurVersion({ [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION + 1) }));
});
