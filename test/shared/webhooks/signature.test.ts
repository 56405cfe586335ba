import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import Stripe from 'stripe';
import t from 'tap';
import { checkSignature, signatureHeader } from '../../../shared/webhooks/signature.js';

const stripe = new Stripe('sk_test_unused');
const SECRET = 'whsec_new';
const OLD_SECRET = 'whsec_old';
const NOW_MS = Date.UTC(2026, 10, 20);
const NOW_SECONDS = NOW_MS / 1000;

t.test('the signature is lower-case hex of HMAC-SHA256 over timestamp, dot and body with the secret as it is', async (t) => {
  const expected = createHmac('sha256', 'whsec_new').update('1700000000.{"ä":1}').digest('hex');
  t.equal(signatureHeader('{"ä":1}', 1_700_000_000, [SECRET]), `t=1700000000,v1=${expected}`);
  t.equal(signatureHeader(Buffer.from('{"ä":1}'), 1_700_000_000, [SECRET]), `t=1700000000,v1=${expected}`);
});

t.test('during a rotation there are two signatures, the new one first', async (t) => {
  const both = signatureHeader('{}', 5, [SECRET, OLD_SECRET]);
  const only = (secret: string) => signatureHeader('{}', 5, [secret]).slice('t=5,'.length);
  t.equal(both, `t=5,${only(SECRET)},${only(OLD_SECRET)}`);
});

t.test("any body is accepted by Stripe's library by either secret, and by our own check", async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const accepted = fc.property(fc.json({ stringUnit: 'grapheme' }), (body) => {
    const header = signatureHeader(body, now, [SECRET, OLD_SECRET]);
    for (const secret of [SECRET, OLD_SECRET]) {
      stripe.webhooks.constructEvent(body, header, secret);
      if (checkSignature({ header, body: Buffer.from(body), secrets: [secret], nowMs: now * 1000 }) !== 'valid') return false;
    }
    return true;
  });
  t.doesNotThrow(() => fc.assert(accepted));
});

t.test('a receiver refuses another secret, a changed body and a changed timestamp', async (t) => {
  const header = signatureHeader('{}', NOW_SECONDS, [SECRET]);
  const check = { header, body: '{}', secrets: [SECRET], nowMs: NOW_MS };
  t.equal(checkSignature(check), 'valid');
  t.equal(checkSignature({ ...check, secrets: [OLD_SECRET, SECRET] }), 'valid');
  t.equal(checkSignature({ ...check, secrets: [OLD_SECRET] }), 'no_match');
  t.equal(checkSignature({ ...check, secrets: [] }), 'no_match');
  t.equal(checkSignature({ ...check, body: '{} ' }), 'no_match');
  t.equal(checkSignature({ ...check, header: header.replace('t=', 't=1') }), 'no_match');
});

t.test('a timestamp is accepted up to five minutes away on either side and not beyond', async (t) => {
  const check = { header: signatureHeader('{}', NOW_SECONDS, [SECRET]), body: '{}', secrets: [SECRET] };
  for (const [offsetMs, outcome] of [
    [-300_001, 'outside_tolerance'],
    [-300_000, 'valid'],
    [0, 'valid'],
    [300_000, 'valid'],
    [300_001, 'outside_tolerance'],
  ] as const)
    t.equal(checkSignature({ ...check, nowMs: NOW_MS + offsetMs }), outcome, `${offsetMs} ms`);
  t.equal(checkSignature({ ...check, nowMs: NOW_MS + 2000, toleranceSeconds: 1 }), 'outside_tolerance');
});

t.test('a header that is none is refused before anything is computed', async (t) => {
  const good = signatureHeader('{}', NOW_SECONDS, [SECRET]);
  const v1 = good.slice(good.indexOf('v1='));
  const headers = {
    empty: '',
    'no signature': `t=${NOW_SECONDS}`,
    'no timestamp': v1,
    'two timestamps': `t=${NOW_SECONDS},t=${NOW_SECONDS},${v1}`,
    'timestamp that is no number': `t=1e9,${v1}`,
    'negative timestamp': `t=-1,${v1}`,
    'timestamp with a sign': `t=+${NOW_SECONDS},${v1}`,
    'short signature': `t=${NOW_SECONDS},v1=abcd`,
    'upper-case signature': `t=${NOW_SECONDS},${v1.toUpperCase().replace('V1', 'v1')}`,
    'other scheme alone': `t=${NOW_SECONDS},${v1.replace('v1', 'v0')}`,
    'no equals sign': 't,v1',
    'endless header': `${good},${'v1=00,'.repeat(1000)}`,
  };
  for (const [name, header] of Object.entries(headers))
    t.equal(checkSignature({ header, body: '{}', secrets: [SECRET], nowMs: NOW_MS }), 'malformed_header', name);
  t.equal(checkSignature({ header: `v0=1, ${good} ,v2=3`, body: '{}', secrets: [SECRET], nowMs: NOW_MS }), 'valid', 'other schemes beside');
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (header) => {
      const outcome = checkSignature({ header, body: '{}', secrets: [SECRET], nowMs: NOW_MS });
      return outcome === 'malformed_header' || outcome === 'no_match';
    }),
  );
});
