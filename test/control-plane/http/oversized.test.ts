import t from 'tap';
import { withoutOversized } from '../../../control-plane/http/oversized.js';
import { fieldError } from '../../../control-plane/http/problems.js';

const tooLong = (pointer: string) => fieldError('body', pointer, 'too_long', '');

t.test('values that are too long are left out, and the body itself is not changed', async (t) => {
  const body = { a: 'long', b: { c: ['short', 'long'], 'd/e~f': 'long' }, g: [{ h: 'long' }] };
  const before = structuredClone(body);
  const errors = ['/a', '/b/c/1', '/b/d~1e~0f', '/g/0/h'].map(tooLong);
  t.strictSame(withoutOversized(body, errors), {
    a: undefined,
    b: { c: ['short', undefined], 'd/e~f': undefined },
    g: [{ h: undefined }],
  });
  t.strictSame(body, before);
});

t.test('a list that is too long is left out with all that is in it, whatever the order of the errors', async (t) => {
  const list = fieldError('body', '/a', 'too_many', '');
  for (const errors of [
    [list, tooLong('/a/0/b')],
    [tooLong('/a/0/b'), list],
  ])
    t.strictSame(withoutOversized({ a: [{ b: 'long' }], c: 1 }, errors), { a: undefined, c: 1 });
});

t.test('other errors, and errors of the query, leave the body as it is', async (t) => {
  const body = { a: 1 };
  t.equal(withoutOversized(body, [fieldError('body', '/a', 'wrong_type', ''), fieldError('query', '/a', 'too_long', '')]), body);
  t.equal(withoutOversized(body, [tooLong('/x/y')]).a, 1);
});
