import t from 'tap';
import { compareBytes } from '../../../shared/base/compare-bytes.js';

t.test('texts are in the order of their bytes', async (t) => {
  const texts = ['', 'A', 'a', 'aa', 'b', 'é', '\uff46', '\u{1f600}'];
  t.same(texts.toReversed().sort(compareBytes), texts);
  t.not([...texts].sort().join(), texts.join(), 'which is not the order of their units');
  t.equal(compareBytes('x', 'x'), 0);
});
