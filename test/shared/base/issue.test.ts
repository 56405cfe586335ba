import t from 'tap';
import { characterCount, isObject, isStorable, pointerTo, unknownMembers } from '../../../shared/base/issue.js';
import fc from '../../support/properties.js';

t.test('characters are code points, and half of a surrogate pair counts as one', async () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', 'a', '😀') })),
      (text) => characterCount(text) === [...text].length,
    ),
  );
});

t.test('a pointer is split into the names that it was made of', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01', ''))), (names) => {
      const pointer = names.reduce((parent: string, name) => pointerTo(parent, name), '');
      const back = pointer
        .split('/')
        .slice(1)
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
      return JSON.stringify(back) === JSON.stringify(names);
    }),
  );
  t.equal(pointerTo('/links', 3), '/links/3');
});

t.test('a text that cannot be stored is recognised', async (t) => {
  for (const [text, wanted] of [
    ['ä😀 \u2028', true],
    ['', true],
    ['a\u0000', false],
    ['\n', false],
    ['\u0085', false],
    ['\ud83d', false],
  ] as const)
    t.equal(isStorable(text), wanted, JSON.stringify(text));
});

t.test('an object is neither null nor a list, and its unknown members are named', async (t) => {
  for (const value of [null, [], 'x', 1, undefined]) t.notOk(isObject(value));
  t.ok(isObject({}));
  t.same(
    unknownMembers({ a: 1, 'b/c': 2, constructor: 3 }, ['a'], '/x').map((issue) => `${issue.pointer} ${issue.code}`),
    ['/x/b~1c unknown_field', '/x/constructor unknown_field'],
  );
});
