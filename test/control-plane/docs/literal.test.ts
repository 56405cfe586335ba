import { runInNewContext } from 'node:vm';
import t from 'tap';
import { literalOf } from '../../../control-plane/docs/literal.js';
import fc from '../../support/properties.js';

t.test('a value is written in the style of hand-written code', async (t) => {
  const short = { path: 'spring', 'X-Api-Key': "it's", list: [1, null], no: {} };
  t.equal(literalOf(short), "{ path: 'spring', 'X-Api-Key': 'it\\'s', list: [1, null], no: {} }");
  const long = { web: 'w'.repeat(60), ios: ['i'.repeat(70)] };
  t.equal(literalOf(long), `{\n  web: '${long.web}',\n  ios: [\n    '${long.ios[0]}',\n  ],\n}`);
});

t.test('the written literal evaluates to the value', async () => {
  const text = (value: unknown) => JSON.stringify(value);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // `__proto__` is the only name that has another meaning in a literal.
      fc.pre(!text(value).includes('__proto__'));
      return text(runInNewContext(`(${literalOf(value)})`)) === text(value);
    }),
  );
});
