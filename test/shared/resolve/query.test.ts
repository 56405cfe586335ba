import t from 'tap';
import { decodeName, encodeValue, escapePiece, escapeRoute, namesOf, withParameters } from '../../../shared/resolve/query.js';
import fc from '../../support/properties.js';

const A = { name: 'a', text: 'a=1' };
const B = { name: 'b', text: 'b=2' };
const ASCII = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));

t.test('parameters are inserted between the question mark and the fragment', async (t) => {
  for (const [url, expected] of [
    ['https://x.example', 'https://x.example?a=1&b=2'],
    ['https://x.example/#top', 'https://x.example/?a=1&b=2#top'],
    ['https://x.example/?', 'https://x.example/?a=1&b=2'],
    ['https://x.example/?c=3', 'https://x.example/?c=3&a=1&b=2'],
    ['https://x.example/?c=3&', 'https://x.example/?c=3&a=1&b=2'],
    ['https://x.example/?c=3#top?a=9', 'https://x.example/?c=3&a=1&b=2#top?a=9'],
    ['https://x.example/#a?a=9', 'https://x.example/?a=1&b=2#a?a=9'],
  ] as const)
    t.equal(withParameters(url, [A, B]), expected);
});

t.test('a parameter that the URL already sets stays, in any spelling', async (t) => {
  t.equal(withParameters('https://x.example/?%61=9', [A, B]), 'https://x.example/?%61=9&b=2');
  t.equal(withParameters('https://x.example/?a', [A]), 'https://x.example/?a');
  t.equal(withParameters('https://x.example/?a=&b=', [A, B]), 'https://x.example/?a=&b=');
  const added: (typeof A)[] = [];
  withParameters('https://x.example/?a=9', [A, B], added);
  t.same(added, [B]);
});

t.test('names are decoded as in a form', async (t) => {
  t.same([...namesOf('a+b=1&%63&&=x&%zz=1')], ['a b', 'c', '', '%zz']);
  t.equal(decodeName('%e0%a4'), '%e0%a4');
});

t.test('an escaped text has only characters that are allowed in a query', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(fc.constantFrom(...ASCII), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) }),
      (text) => {
        const query = /^(?:[A-Za-z0-9\-._~!$*+,:@/()=]|%[0-9A-Fa-f]{2})*$/;
        const route = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})*$/;
        return (
          query.test(escapePiece(text)) &&
          route.test(escapeRoute(text)) &&
          /^(?:[A-Za-z0-9\-._~!*()]|%[0-9A-F]{2})*$/.test(encodeValue(text))
        );
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('escapes are kept, and a lone percent sign is escaped', async (t) => {
  t.equal(escapePiece('a=%20%2F%zz%'), 'a=%20%2F%25zz%25');
  t.equal(escapePiece(`a="'<>#\\;é&`), 'a=%22%27%3C%3E%23%5C%3B%C3%A9%26');
  t.equal(encodeValue(`it's "good"`), 'it%27s%20%22good%22');
  t.equal(encodeValue('\ud800a'), '%EF%BF%BDa');
});
