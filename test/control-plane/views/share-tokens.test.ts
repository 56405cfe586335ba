import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createShareTokens } from '../../../control-plane/views/share-tokens.js';
import { newId } from '../../../shared/base/ids.js';

const [old, fresh] = [randomBytes(32), randomBytes(32)];

t.test('a token can be read by every server with its key, also after a rotation', async (t) => {
  const id = newId('viewShare');
  const token = createShareTokens({ current: 'old', keys: new Map([['old', old]]) }).tokenOf(id);
  t.match(token, /^[\w-]{43}$/);
  const both = new Map([
    ['old', old],
    ['new', fresh],
  ]);
  const rotated = createShareTokens({ current: 'new', keys: both });
  t.equal(rotated.shareIdOf(token), id);
  t.equal(rotated.shareIdOf(rotated.tokenOf(id)), id);
  t.equal(
    createShareTokens({ current: 'new', keys: new Map([['new', fresh]]) }).shareIdOf(token),
    null,
    'a token whose key is removed is refused',
  );
});
