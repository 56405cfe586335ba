import { PassThrough } from 'node:stream';
import t from 'tap';
import { Budget, tooMany } from '../../../control-plane/http/budget.js';
import { readBody } from '../../../control-plane/http/read-body.js';

const BYTES_MAX = 20_000;

function reading(declaredBytes: number | null, holderBytesMax = 1_000_000) {
  const budget = new Budget({ refusals: tooMany('bodies'), max: 1_000_000, holderMax: holderBytesMax });
  const stream = new PassThrough();
  return { budget, stream, body: readBody(stream, { bytesMax: BYTES_MAX, declaredBytes, budget, holder: 'a' }) };
}

t.test('a body that arrives byte by byte is read whole, and reserves at most twice the received bytes', async (t) => {
  const sent = Buffer.from(Array.from({ length: 9_000 }, (_, index) => index % 251));
  for (const declared of [9_000, null]) {
    const { budget, stream, body } = reading(declared);
    for (let at = 0; at < 8_000; at++) stream.write(sent.subarray(at, at + 1));
    await new Promise(setImmediate);
    t.ok(budget.stats().held <= 16_000, `${budget.stats().held}`);
    stream.end(sent.subarray(8_000));
    t.ok((await body).equals(sent));
    t.same(budget.stats(), { held: 0, holders: 0 });
  }
});

t.test('an announced body reserves nothing before it arrives', async (t) => {
  const { budget, stream, body } = reading(BYTES_MAX);
  t.equal(budget.stats().held, 0);
  stream.end();
  t.equal((await body).length, 0);
});

t.test('a body that is too large, exceeds the budget or breaks off is refused and frees its reservation', async (t) => {
  await t.rejects(reading(BYTES_MAX + 1).body, { code: 'payload_too_large' });
  for (const [holderBytesMax, more, code] of [
    [1_000_000, 13_000, 'payload_too_large'],
    [10_000, 11_000, 'rate_limited'],
  ] as const) {
    const { budget, stream, body } = reading(null, holderBytesMax);
    stream.write(Buffer.alloc(8_000));
    stream.write(Buffer.alloc(more));
    await t.rejects(body, { code });
    t.same(budget.stats(), { held: 0, holders: 0 });
    stream.end(Buffer.alloc(100_000));
    await new Promise((resolve) => stream.once('end', resolve));
  }
  const { budget, stream, body } = reading(null);
  stream.write('a');
  stream.destroy();
  await t.rejects(body, { code: 'bad_request' });
  t.equal(budget.stats().held, 0);
});
