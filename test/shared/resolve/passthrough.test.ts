import t from 'tap';
import { readPassthrough } from '../../../shared/resolve/passthrough.js';
import { withParameters } from '../../../shared/resolve/query.js';
import fc from '../../support/properties.js';

t.test('parameters are read in order, and pieces without a name are left out', async (t) => {
  t.same(readPassthrough('a=1&&b&=x&c=a+b&a=2'), {
    dropped: false,
    parameters: [
      { name: 'a', text: 'a=1' },
      { name: 'b', text: 'b' },
      { name: 'c', text: 'c=a+b' },
      { name: 'a', text: 'a=2' },
    ],
  });
});

t.test('a query over a limit is dropped completely', async (t) => {
  const fifty = Array.from({ length: 50 }, (_, index) => `p${index}=1`).join('&');
  t.same([readPassthrough(fifty).dropped, readPassthrough(fifty).parameters.length], [false, 50]);
  t.same(readPassthrough(`${fifty}&q=1`), { dropped: true, parameters: [] });
  t.same([readPassthrough(`a=${'x'.repeat(2046)}`).dropped, readPassthrough(`a=${'x'.repeat(2047)}`).dropped], [false, true]);
  t.ok(readPassthrough(`a=${'é'.repeat(1024)}`).dropped, 'bytes count, not characters');
});

const DESTINATIONS = [
  'https://shop.example',
  'https://shop.example/item?a=1#top',
  'https://user:pw@shop.example:8443/a%2Fb?redir_url=x',
  'http://[2001:db8::1]/?#',
  'https://xn--bcher-kva.example/?x=//other.example',
];

const HOSTILE = fc.constantFrom(
  'redir_url=',
  '//other.example',
  '\\',
  '@other.example',
  '%00',
  '%0d%0a',
  '\r\n',
  '#',
  '?',
  '&',
  '=',
  ':',
  'https://',
  ';',
  '"',
  '<',
  '\u2028',
  'é',
  '%',
  '%2',
  '.',
  '/../',
);

t.test('no query changes scheme, host, path or fragment of a destination', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DESTINATIONS),
      fc.array(fc.oneof(HOSTILE, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 }),
      (url, pieces) => {
        const result = withParameters(url, readPassthrough(pieces.join('')).parameters);
        const before = new URL(url);
        const after = new URL(result);
        const own = [...before.searchParams];
        return (
          /^[\x21-\x7e]+$/.test(result) &&
          after.origin === before.origin &&
          after.username === before.username &&
          after.password === before.password &&
          after.pathname === before.pathname &&
          after.hash === before.hash &&
          JSON.stringify([...after.searchParams].slice(0, own.length)) === JSON.stringify(own)
        );
      },
    ),
    { numRuns: 20_000 },
  );
});
