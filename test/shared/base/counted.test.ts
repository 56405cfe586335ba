import t from 'tap';
import { counted } from '../../../shared/base/counted.js';

t.test('one is singular, all other counts are plural', async (t) => {
  t.strictSame(
    [0, 1, 2].map((count) => counted(count, 'link')),
    ['0 links', '1 link', '2 links'],
  );
});
