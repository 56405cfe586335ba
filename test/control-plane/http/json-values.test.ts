import t from 'tap';
import { hasMoreValues } from '../../../control-plane/http/json-values.js';

const COUNTED: readonly (readonly [string, number])[] = [
  ['{}', 2],
  ['[1]', 2],
  ['[1, 2, [3, {"a": 4}]]', 7],
  ['{"a": {"b": [1, 2]}, "c": null}', 6],
  ['{"[,{\\"[,": "{,\\\\"}', 2],
  ['["\\\\", "\\\\\\"", ",é["]', 4],
  ['[[[[0]]]]', 5],
];

t.test('values at every depth are counted, and nothing within texts', async (t) => {
  for (const [text, values] of COUNTED) {
    JSON.parse(text);
    t.ok(hasMoreValues(Buffer.from(text), values - 1), text);
    t.notOk(hasMoreValues(Buffer.from(text), values), text);
  }
});

t.test('a text that is not JSON is read to its end', async (t) => {
  for (const text of ['', '"', '"\\', '[1,2', '"a,b,c,d', '}}]]::']) t.notOk(hasMoreValues(Buffer.from(text), 4), text);
});
