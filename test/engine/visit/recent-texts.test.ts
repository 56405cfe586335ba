import t from 'tap';
import { RecentTexts } from '../../../engine/visit/recent-texts.js';

t.test('a text is new once while it is remembered, and a limited number of texts is', async (t) => {
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
    'all of them are forgotten',
  );
});
