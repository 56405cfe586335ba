import t from 'tap';
import { canonicalJson, isSameJson } from '../../../control-plane/http/canonical-json.js';
import fc from '../../support/properties.js';

/** The same value, with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

t.test('the canonical text is independent of the order of members and parses to the same value', async (t) => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const text = canonicalJson(value);
    t.same(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    return text === canonicalJson(reversed(value));
  });
  fc.assert(property, { numRuns: 500 });
  t.equal(canonicalJson({ b: [1, { d: null, c: 'é"' }], a: {} }), '{"a":{},"b":[1,{"c":"é\\"","d":null}]}');
});

t.test('different values have different texts', async (t) => {
  const numbers = [0, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((a) => ({ a }));
  const values = [
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: {} },
    { a: null },
    {},
    [],
    { b: 1 },
    'a',
    null,
    ...numbers,
  ];
  t.equal(new Set(values.map(canonicalJson)).size, values.length);
});

t.test('values that differ in the order of members alone are the same', async (t) => {
  const at = new Date(0);
  for (const [one, other] of [
    [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ],
    [{ at, a: undefined }, { at: at.toISOString() }],
    [undefined, undefined],
    [{ a: -0 }, { a: 0 }],
  ])
    t.ok(isSameJson(one, other), JSON.stringify([one, other]));
  for (const [one, other] of [
    [
      [1, 2],
      [2, 1],
    ],
    [at, new Date(1)],
    [null, undefined],
    [null, {}],
    [{ a: null }, {}],
    ['1', 1],
  ])
    t.notOk(isSameJson(one, other), JSON.stringify([one, other]));
});

t.test('a value of any width is written', async (t) => {
  const text = `[${new Array(500_000).fill(0).join(',')}]`;
  t.ok(canonicalJson(JSON.parse(text)) === text);
});

t.test('a value of any depth is written', async (t) => {
  const depth = 200_000;
  const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  t.ok(canonicalJson(JSON.parse(text)) === text);
});
