import t from 'tap';
import { dataIssues, textsIn } from '../../../shared/resolve/data-rules.js';

const issues = (data: unknown) => dataIssues(data, '/data');

const nested = (levels: number): object => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return { a: value };
};

t.test('data of 4,096 bytes as JSON in UTF-8 is accepted, and of one more is not', async (t) => {
  const of = (bytes: number, character: string) => ({ a: character.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(character)) });
  for (const character of ['x', 'ü', '😀']) {
    t.equal(Buffer.byteLength(JSON.stringify(of(4096, character))), 4096);
    t.same(issues(of(4096, character)), []);
    t.match(issues({ ...of(4096, character), b: 1 }), [{ pointer: '/data', code: 'too_large' }]);
  }
  t.match(issues({ a: '"'.repeat(2045) }), [{ code: 'too_large' }], 'escapes count');
});

t.test('keys have up to 64 characters at any depth, also in objects inside lists', async (t) => {
  const key = (characters: number) => '😀'.repeat(characters);
  t.same(issues({ [key(64)]: [{ [key(64)]: 1 }] }), []);
  t.same(
    issues({ 'a/b': [{ ok: 1 }, { [key(65)]: { [key(66)]: 1 } }] }).map(({ pointer, code }) => [pointer, code]),
    [
      [`/data/a~1b/1/${key(65)}`, 'key_too_long'],
      [`/data/a~1b/1/${key(65)}/${key(66)}`, 'key_too_long'],
    ],
  );
});

t.test('half a million levels are refused without a stack overflow', async (t) => {
  t.same(issues(nested(1_000)), []);
  for (const levels of [2_100, 500_000]) t.match(issues(nested(levels)), [{ pointer: '/data', code: 'too_large' }]);
});

t.test('numbers that JSON cannot represent are refused', async (t) => {
  t.match(issues(JSON.parse('{"a":[1e999]}') as object), [{ pointer: '/data/a/0', code: 'invalid_value' }]);
});

t.test('any text is accepted in the customer’s data', async (t) => {
  t.same(issues({ a: ['line\nbreak', '\u0000'], 'b\ud800': 'c' }), []);
});

t.test('data must be an object, and its texts are found with their pointers, without its keys', async (t) => {
  for (const value of [null, [], 'x', 7, undefined]) t.match(issues(value), [{ pointer: '/data', code: 'wrong_type' }]);
  t.same(textsIn({ a: ['x', { 'b/c': 'y' }], d: 1 }, '/data'), [
    { text: 'x', pointer: '/data/a/0' },
    { text: 'y', pointer: '/data/a/1/b~1c' },
  ]);
});
