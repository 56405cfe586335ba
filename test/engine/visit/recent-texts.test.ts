import t from 'tap';
import { RecentTexts } from '../../../engine/visit/recent-texts.js';

t.test('a text is new once, as long as it is remembered, and a bounded number is', async (t) => {
  const texts = new RecentTexts(3);
  t.same(
    ['a', 'b', 'a', 'b', 'c'].map((text) => texts.isNew(text)),
    [true, true, false, false, true],
  );
  t.same(
    ['d', 'a', 'e'].map((text) => texts.isNew(text)),
    [true, false, true],
    'the older half is still known',
  );
  t.same(
    ['f', 'g', 'a'].map((text) => texts.isNew(text)),
    [true, true, true],
    'and then forgotten',
  );
});
