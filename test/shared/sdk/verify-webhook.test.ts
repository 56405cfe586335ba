import { runInNewContext } from 'node:vm';
import Stripe from 'stripe';
import t from 'tap';
import { EVENT_TYPES } from '../../../shared/contract/schemas/events.js';
import { type VerifyWebhookOptions, verifyWebhook, WebhookVerificationError } from '../../../shared/sdk/verify-webhook.js';
import { exampleEvent } from '../../../shared/webhooks/samples.js';
import { signatureHeader } from '../../../shared/webhooks/signature.js';
import fc from '../../support/properties.js';

const stripe = new Stripe('sk_test_unused');
const SECRET = 'whsec_new';
const OLD_SECRET = 'whsec_old';
const NOW_MS = Date.UTC(2026, 10, 20);
const NOW_SECONDS = NOW_MS / 1000;
const BODY = JSON.stringify(exampleEvent('link.created'));
const GOOD = signatureHeader(BODY, NOW_SECONDS, [SECRET]);

type Arguments = { body?: unknown; header?: unknown; secret?: unknown } & VerifyWebhookOptions;

/** 'genuine', or the code of the refusal. */
function verdict(given: Arguments): string {
  const { body = BODY, header = GOOD, secret = SECRET, ...options } = given;
  try {
    verifyWebhook(body as string, header as string, secret as string, { nowMs: NOW_MS, ...options });
    return 'genuine';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

t.test('an event of every type is returned as it was sent', async (t) => {
  for (const type of EVENT_TYPES) {
    const event = exampleEvent(type);
    const body = JSON.stringify(event);
    const header = signatureHeader(body, NOW_SECONDS, [SECRET]);
    t.strictSame(verifyWebhook(body, header, SECRET, { nowMs: NOW_MS }), event, type);
  }
});

t.test("any event that Stripe's library accepts is accepted, as text and as bytes, with either secret of a rotation", async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const accepted = fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (data) => {
    const body = JSON.stringify({ id: 'evt_1', type: 'link.created', data });
    const header = signatureHeader(body, now, [SECRET, OLD_SECRET]);
    // A view into a larger buffer, as a parser of requests may pass on.
    const bytes = new Uint8Array(Buffer.from(`##${body}##`)).subarray(2, -2);
    const copy = Uint8Array.from(bytes).buffer;
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }) as Uint8Array<ArrayBuffer>;
    for (const secret of [SECRET, OLD_SECRET]) {
      stripe.webhooks.constructEvent(body, header, secret);
      for (const form of [body, Buffer.from(body), bytes, copy, foreign, foreign.buffer]) verifyWebhook(form, header, secret);
    }
  });
  t.doesNotThrow(() => fc.assert(accepted));
});

t.test('another secret, a changed body and a changed timestamp are refused', async (t) => {
  t.equal(verdict({}), 'genuine');
  t.equal(verdict({ secret: [OLD_SECRET, SECRET] }), 'genuine');
  t.equal(verdict({ secret: OLD_SECRET }), 'no_match');
  t.equal(verdict({ body: `${BODY} ` }), 'no_match');
  t.equal(verdict({ header: GOOD.replace('t=', 't=1') }), 'no_match');
  t.equal(verdict({ header: GOOD.replace('t=', 't=0') }), 'no_match', 'the signature covers the text of the timestamp, not its value');
});

t.test('a missing or empty secret is refused, even if the sender signed with an empty secret', async (t) => {
  const forged = signatureHeader(BODY, NOW_SECONDS, ['']);
  for (const secret of ['', [], [''], [SECRET, '']]) t.equal(verdict({ header: forged, secret }), 'missing_secret');
  t.throws(() => verifyWebhook(BODY, forged, undefined), { code: 'missing_secret' });
});

t.test('a timestamp is accepted up to five minutes in the past or future', async (t) => {
  for (const [offsetMs, expected] of [
    [-300_001, 'outside_tolerance'],
    [-300_000, 'genuine'],
    [0, 'genuine'],
    [300_000, 'genuine'],
    [300_001, 'outside_tolerance'],
  ] as const)
    t.equal(verdict({ nowMs: NOW_MS + offsetMs }), expected, `${offsetMs} ms`);
  t.equal(verdict({ nowMs: NOW_MS + 2000, toleranceSeconds: 1 }), 'outside_tolerance');
  t.equal(verdict({ toleranceSeconds: Number.NaN }), 'outside_tolerance');
  t.equal(verdict({ nowMs: NOW_MS + 300_001, secret: OLD_SECRET }), 'no_match', 'the signature is checked first');
});

t.test('without a given time the current time is used', async (t) => {
  const at = (seconds: number) => signatureHeader(BODY, Math.floor(Date.now() / 1000) + seconds, [SECRET]);
  t.doesNotThrow(() => verifyWebhook(BODY, at(0), SECRET));
  for (const seconds of [-310, 310]) t.throws(() => verifyWebhook(BODY, at(seconds), SECRET), { code: 'outside_tolerance' });
});

t.test('a missing header is reported as such, and a malformed one is refused before anything is computed', async (t) => {
  for (const header of [null, '']) t.equal(verdict({ header }), 'missing_header');
  t.throws(() => verifyWebhook(BODY, undefined, SECRET), { code: 'missing_header' });
  const v1 = GOOD.slice(GOOD.indexOf('v1='));
  const headers = {
    'no signature': `t=${NOW_SECONDS}`,
    'no timestamp': v1,
    'two timestamps': `t=${NOW_SECONDS},t=${NOW_SECONDS},${v1}`,
    'timestamp that is not a number': `t=1e9,${v1}`,
    'negative timestamp': `t=-1,${v1}`,
    'timestamp with a sign': `t=+${NOW_SECONDS},${v1}`,
    'empty timestamp': `t=,${v1}`,
    'short signature': `t=${NOW_SECONDS},v1=abcd`,
    'short signature beside a good one': `${GOOD},v1=abcd`,
    'signature with a tail': `${GOOD}0`,
    'upper-case signature': `t=${NOW_SECONDS},v1=${v1.slice(3).toUpperCase()}`,
    'other scheme alone': `t=${NOW_SECONDS},${v1.replace('v1', 'v0')}`,
    'space after the comma': `t=${NOW_SECONDS}, ${v1}`,
    'no equals sign': 't,v1',
    'no name': `=1,${GOOD}`,
    'empty element': `${GOOD},`,
    'header sent twice': [GOOD, GOOD],
    'header sent twice, joined': `${GOOD}, ${GOOD}`,
    'endless header': `${GOOD}${`,${v1}`.repeat(1000)}`,
  };
  for (const [name, header] of Object.entries(headers)) t.equal(verdict({ header }), 'malformed_header', name);
  t.equal(verdict({ header: `v0=1,${GOOD},v2=3` }), 'genuine', 'other schemes in the same header');
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (header) => ['malformed_header', 'no_match'].includes(verdict({ header }))),
  );
});

t.test('a body that is already parsed is refused, and so is a signed body that is not an event', async (t) => {
  for (const body of [JSON.parse(BODY), [1], 5, null]) t.equal(verdict({ body }), 'body_not_raw');
  for (const body of ['', 'no json', 'null', '[]', '7', '{}', '{"id":"evt_1","type":"link.created"}'])
    t.equal(verdict({ body, header: signatureHeader(body, NOW_SECONDS, [SECRET]) }), 'not_an_event', body);
});

t.test('a refusal is an error with a fixed code and a message', async (t) => {
  t.throws(() => verifyWebhook(BODY, 'x', SECRET), { name: 'WebhookVerificationError', code: 'malformed_header', message: /form t=/ });
});
