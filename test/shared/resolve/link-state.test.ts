import t from 'tap';
import { linkState } from '../../../shared/resolve/link-state.js';

const ACTIVE = { state: 'active', expires_at_ms: 0 } as const;

t.test('an active link expires at its time, and not before', async (t) => {
  t.equal(linkState(ACTIVE, null, 5), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, null, 999), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, null, 1000), 'expired');
});

t.test('it works from its time on, and until its last click', async (t) => {
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: false }, 999), 'scheduled');
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: false }, 1000), 'active');
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: true }, 5), 'expired');
  t.equal(linkState({ state: 'active', expires_at_ms: 900 }, { active_from_ms: 1000, used_up: false }, 950), 'expired');
});

t.test('what somebody decided goes before what time did', async (t) => {
  for (const state of ['disabled', 'blocked', 'deleted'] as const)
    t.equal(linkState({ state, expires_at_ms: 1 }, { active_from_ms: 5, used_up: true }, 2), state);
});
