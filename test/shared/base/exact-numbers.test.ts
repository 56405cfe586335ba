import t from 'tap';
import { hasInexactIntegers, parseWithDigits, parseExactly as read } from '../../../shared/base/exact-numbers.js';
import fc from '../../support/properties.js';

t.test('only integers that a double cannot hold are read as NaN, at any depth', async (t) => {
  for (const [text, value] of [
    ['9007199254740993', Number.NaN],
    ['{"a":[1,{"b":-9007199254740993}]}', { a: [1, { b: Number.NaN }] }],
    ['[9007199254740991,9007199254740992,9007199254740994,-9007199254740992]', [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53)]],
    ['"9007199254740993"', '9007199254740993'],
    ['{"9007199254740993":"\\"9007199254740993","b":9007199254740993}', { '9007199254740993': '"9007199254740993', b: Number.NaN }],
    ['[1e300,0.1234567890123456,9007199254740993.5,1.5e17]', [1e300, 0.1234567890123456, Number('9007199254740993.5'), 1.5e17]],
    [`[${'9'.repeat(400)}]`, [Number.NaN]],
    ['["inexact",9007199254740993]', ['inexact', Number.NaN]],
    ['["\\u0069nexact",9007199254740993]', ['inexact', Number.NaN]],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['[1e-9007199254740993,1E-09007199254740993]', [0, 0]],
  ] as const)
    t.strictSame(read(text), value, text);
});

t.test('invalid JSON stays invalid, and deep or long JSON can be read', async (t) => {
  for (const text of ['{"a":9007199254740993', '9007199254740993 1', '[09007199254740993,]', '"9007199254740993'])
    t.throws(() => read(text), SyntaxError, text);
  const depth = 100_000;
  t.ok(Array.isArray(read(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`)));
  t.equal((read(JSON.stringify(['x\\"'.repeat(2_000_000), 1e16])) as string[])[0]?.length, 6_000_000);
});

t.test('no text makes reading slow', async (t) => {
  const dashes = '-'.repeat(60_000);
  for (const text of [`inexact${dashes}`, `inexact ${dashes}`, 'inexact-'.repeat(8_000), '\\'.repeat(60_000), '1'.repeat(60_000)]) {
    const began = performance.now();
    const [first, second] = read(`[${JSON.stringify(text)},9007199254740993]`) as unknown[];
    t.ok(performance.now() - began < 500, text.slice(0, 20));
    t.ok(first === text && Number.isNaN(second), text.slice(0, 20));
  }
});

t.test('every integer is read exactly or as NaN', async () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })), (integers) => {
      const values = read(`[${integers.join(',')}]`) as number[];
      return integers.every((integer, index) =>
        Number.isNaN(values[index]) ? BigInt(Number(integer)) !== integer : BigInt(values[index] as number) === integer,
      );
    }),
  );
});

t.test('texts with inexact integers are recognised', async (t) => {
  t.ok(hasInexactIntegers('{"a":9007199254740993}'));
  for (const text of ['{"a":9007199254740992}', '{"a":"9007199254740993"}', '{}']) t.notOk(hasInexactIntegers(text), text);
});

t.test('an integer that JavaScript would write in another way is its digits, and nothing else changes', async (t) => {
  for (const [text, value] of [
    ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['[1000000000000000000000,100000000000000000000]', ['1000000000000000000000', 100000000000000000000]],
    ['{"9007199254740993":"9007199254740993","b":9007199254740991}', { '9007199254740993': '9007199254740993', b: 2 ** 53 - 1 }],
    ['[1.50,9007199254740993.5,1e21,123]', [1.5, Number('9007199254740993.5'), 1e21, 123]],
    [`[${'9'.repeat(400)}]`, ['9'.repeat(400)]],
  ] as const)
    t.strictSame(parseWithDigits(text), value, text);
  for (const text of ['{"a":9007199254740993', '[09007199254740993]', '[+9007199254740993]', '9007199254740993 1'])
    t.throws(() => parseWithDigits(text), SyntaxError, text);
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (integer) => String(parseWithDigits(`${integer}`)) === String(integer)),
  );
});
