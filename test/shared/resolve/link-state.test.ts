import t from 'tap';
import { linkState } from '../../../shared/resolve/link-state.js';

t.test('an active link expires at its time, and not before', async (t) => {
  t.equal(linkState({ state: 'active', expires_at_ms: 0 }, 5), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, 999), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, 1000), 'expired');
});

t.test('what somebody decided goes before what time did', async (t) => {
  for (const state of ['disabled', 'blocked', 'deleted'] as const) t.equal(linkState({ state, expires_at_ms: 1 }, 2), state);
});
