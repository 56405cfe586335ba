import t from 'tap';
import { linkState } from '../../../shared/resolve/link-state.js';

const ACTIVE = { state: 'active', expires_at_ms: 0 } as const;

t.test('an active link expires exactly at its time', async (t) => {
  t.equal(linkState(ACTIVE, null, 5), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, null, 999), 'active');
  t.equal(linkState({ state: 'active', expires_at_ms: 1000 }, null, 1000), 'expired');
});

t.test('an active link works from its start time until its last click', async (t) => {
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: false }, 999), 'scheduled');
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: false }, 1000), 'active');
  t.equal(linkState(ACTIVE, { active_from_ms: 1000, used_up: true }, 5), 'expired');
  t.equal(linkState({ state: 'active', expires_at_ms: 900 }, { active_from_ms: 1000, used_up: false }, 950), 'expired');
});

t.test('a state that a person has set goes before a state that results from time', async (t) => {
  for (const state of ['disabled', 'blocked', 'deleted'] as const)
    t.equal(linkState({ state, expires_at_ms: 1 }, { active_from_ms: 5, used_up: true }, 2), state);
});
