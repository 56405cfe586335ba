import t from 'tap';
import { type ComparedClicks, changeOf } from '../../../../../control-plane/dashboard/screens/analytics/change.js';

const OVER: ComparedClicks = {
  totals: { all: 15, human: 12, unique: 10 },
  previous: { from: '2026-11-27', to: '2026-11-27', totals: { all: 12, human: 24, unique: 10 }, series: [] } as ComparedClicks['previous'],
  to: '2026-11-28',
  as_of: '2026-11-29T08:00:00.000Z',
  timezone: 'UTC',
};

t.test('days that are over are compared by percentage', async (t) => {
  t.same(changeOf(OVER, 'all'), { words: '+25% on before', direction: 'up' });
  t.same(changeOf(OVER, 'human'), { words: '-50% on before', direction: 'down' });
  t.same(changeOf(OVER, 'unique'), { words: '0% on before', direction: null });
});

t.test('a day that is not over is compared by number, and neither rises nor falls', async (t) => {
  const today = { ...OVER, to: '2026-11-29' };
  t.same(changeOf(today, 'human'), { words: 'so far; 24 the day before', direction: null });
  const previous = { ...OVER.previous, from: '2026-11-16', to: '2026-11-22', totals: { all: 1, human: 1234, unique: 1 } };
  t.same(changeOf({ ...today, previous } as ComparedClicks, 'human').words, 'so far; 1,234 in the 7 days before');
});

t.test('over a period of more than a week, the day that is not over matters little, and the comparison is by percentage', async (t) => {
  const previous = { ...OVER.previous, from: '2026-11-14', to: '2026-11-21' } as ComparedClicks['previous'];
  t.same(changeOf({ ...OVER, to: '2026-11-29', previous }, 'human'), { words: '-50% on before', direction: 'down' });
});

t.test('nothing is compared with days that were not counted or had no clicks', async (t) => {
  t.same(changeOf({ ...OVER, previous: null }, 'human'), { words: '', direction: null });
  const previous = { ...OVER.previous, totals: { all: 0, human: 0, unique: 0 } };
  t.same(changeOf({ ...OVER, previous } as ComparedClicks, 'human'), { words: 'none before', direction: null });
});
