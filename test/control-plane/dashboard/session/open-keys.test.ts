import t from 'tap';
import { dropAllKeysOfWrites, dropKeyOfWrite, keyOfWrite } from '../../../../control-plane/dashboard/session/open-keys.js';

t.beforeEach(() => dropAllKeysOfWrites());

t.test('a write has one key until it has succeeded, and other writes have others', async (t) => {
  const key = keyOfWrite('live POST /links', { path: 'a' });
  t.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.equal(keyOfWrite('live POST /links', { path: 'a' }), key);
  t.not(keyOfWrite('live POST /links', { path: 'b' }), key);
  t.not(keyOfWrite('test POST /links', { path: 'a' }), key);
  dropKeyOfWrite('live POST /links', { path: 'a' });
  t.not(keyOfWrite('live POST /links', { path: 'a' }), key);
});

t.test('of too many keys only the oldest are dropped', async (t) => {
  const first = keyOfWrite('live POST /links', 0);
  const second = keyOfWrite('live POST /links', 1);
  for (let place = 2; place <= 100; place++) keyOfWrite('live POST /links', place);
  t.equal(keyOfWrite('live POST /links', 1), second);
  t.not(keyOfWrite('live POST /links', 0), first);
});

t.test('nothing that a user has typed is kept after a sign-out', async (t) => {
  const key = keyOfWrite('live POST /links', { password: 'secret' });
  dropAllKeysOfWrites();
  t.not(keyOfWrite('live POST /links', { password: 'secret' }), key);
});
