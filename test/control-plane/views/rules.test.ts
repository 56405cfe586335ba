import t from 'tap';
import { clicksQueryOf, newViewRow, patchedViewRow } from '../../../control-plane/views/rules.js';
import type { ViewCreate } from '../../../shared/contract/schemas/view.js';

const NOON = Date.parse('2026-11-24T12:00:00Z');
const queryOf = (body: Omit<ViewCreate, 'name'>) => clicksQueryOf(newViewRow({ name: 'x', ...body }, 'view_x', 0).query, 'UTC', NOON);

t.test('a change without new days keeps the range', async (t) => {
  const row = newViewRow({ name: 'x', range: 'last_7_days' }, 'view_x', 0);
  for (const patch of [{}, { from: null }, { from: null, to: null }, { range: 'last_7_days' }] as const)
    t.equal(patchedViewRow(row, patch).query.range, 'last_7_days', JSON.stringify(patch));
  t.equal(patchedViewRow(row, { range: null }).query.range, 'last_30_days');
  const days = { from: '2026-11-01', to: '2026-11-02' };
  t.match(patchedViewRow(row, days).query, { range: null, ...days });
  t.match(patchedViewRow(patchedViewRow(row, days), { from: null }).query, { range: 'last_30_days', from: null, to: null });
});

t.test('a view is queried for its days as of now, with an interval that fits them unless it has its own', async (t) => {
  t.same(queryOf({ range: 'today' }), { from: '2026-11-24', to: '2026-11-24', interval: 'hour', compare: false });
  t.match(queryOf({}), { from: '2026-10-26', to: '2026-11-24', interval: 'day' });
  t.match(queryOf({ range: 'last_90_days' }), { from: '2026-08-27', interval: 'week' });
  t.match(queryOf({ from: '2025-01-01', to: '2026-11-01', breakdown: 'link' }), { interval: 'month', breakdown: 'link', limit: 1000 });
  t.match(queryOf({ from: '2026-11-01', to: '2040-01-31' }), { from: '2026-11-01', to: '2026-11-24', interval: 'day' });
  t.match(queryOf({ from: '2026-11-24', to: '2027-11-24' }), { to: '2026-11-24', interval: 'hour' });
  t.match(queryOf({ from: '2026-11-25', to: '2027-11-24' }), { from: '2026-11-25', to: '2026-11-24' }, 'its days have not begun');
  t.match(queryOf({ range: 'last_90_days', interval: 'day', filters: { country: '', tag: 'x' } }), {
    interval: 'day',
    country: '',
    tag: 'x',
  });
});
