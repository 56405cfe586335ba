import t from 'tap';
import { customDataErrors } from '../../../control-plane/links/custom-data.js';

const nested = (levels: number): object => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return { a: value };
};

t.test('4,096 bytes as JSON in UTF-8 are taken and one more is not', async (t) => {
  const of = (bytes: number, character: string) => ({ a: character.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(character)) });
  for (const character of ['x', 'ü', '😀']) {
    t.equal(Buffer.byteLength(JSON.stringify(of(4096, character))), 4096);
    t.same(customDataErrors('/data', of(4096, character)), []);
    t.match(customDataErrors('/data', { ...of(4096, character), b: 1 }), [{ pointer: '/data', code: 'too_large' }]);
  }
  t.match(customDataErrors('/data', { a: '"'.repeat(2045) }), [{ code: 'too_large' }], 'escapes count');
});

t.test('keys have up to 64 characters at any depth, in objects inside lists too', async (t) => {
  const key = (characters: number) => '😀'.repeat(characters);
  t.same(customDataErrors('/data', { [key(64)]: [{ [key(64)]: 1 }] }), []);
  t.same(
    customDataErrors('/data', { 'a/b': [{ ok: 1 }, { [key(65)]: { [key(66)]: 1 } }] }).map(({ pointer, code }) => [pointer, code]),
    [
      [`/data/a~1b/1/${key(65)}`, 'key_too_long'],
      [`/data/a~1b/1/${key(65)}/${key(66)}`, 'key_too_long'],
    ],
  );
});

t.test('half a million levels are refused without a stack', async (t) => {
  t.same(customDataErrors('/data', nested(1_000)), []);
  for (const levels of [2_100, 500_000]) t.match(customDataErrors('/data', nested(levels)), [{ pointer: '/data', code: 'too_large' }]);
});

t.test('numbers that JSON cannot give back are refused', async (t) => {
  t.match(customDataErrors('/data', JSON.parse('{"a":[1e999]}') as object), [{ pointer: '/data/a/0', code: 'invalid_value' }]);
});
