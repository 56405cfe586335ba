import { createHmac } from 'node:crypto';
import t from 'tap';
import { signatureHeader } from '../../../shared/webhooks/signature.js';

const SECRET = 'whsec_new';
const OLD_SECRET = 'whsec_old';

t.test('the signature is the lower-case hex HMAC-SHA256 of timestamp, dot and body, with the secret as it is written', async (t) => {
  const expected = createHmac('sha256', 'whsec_new').update('1700000000.{"ä":1}').digest('hex');
  t.equal(signatureHeader('{"ä":1}', 1_700_000_000, [SECRET]), `t=1700000000,v1=${expected}`);
  t.equal(signatureHeader(Buffer.from('{"ä":1}'), 1_700_000_000, [SECRET]), `t=1700000000,v1=${expected}`);
});

t.test('during a rotation there are two signatures, the new one first', async (t) => {
  const both = signatureHeader('{}', 5, [SECRET, OLD_SECRET]);
  const only = (secret: string) => signatureHeader('{}', 5, [secret]).slice('t=5,'.length);
  t.equal(both, `t=5,${only(SECRET)},${only(OLD_SECRET)}`);
});
