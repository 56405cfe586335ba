import t from 'tap';
import { linkOfRow } from '../source-service.js';

const read = (row: Readonly<Record<string, string>>) =>
  linkOfRow('dub', { domain: 'dub.sh', key: 'a', url: 'https://shop.example/', ...row });

t.test('Dub: destinations by country are read from its CSV, and when a link was switched off', async (t) => {
  const geo = { DE: 'https://shop.example/de' };
  t.match(read({ geo: JSON.stringify(geo) }), { lost: [], fields: { geo } });
  t.same(read({ geo: 'DE' }).lost, ['geo']);
  t.match(read({ 'disabled at': '2026-01-01T00:00:00Z' }), { disabled: true, lost: [] });
});

t.test('Dub: columns of its export that say nothing of where, when or whom a link leads are no losses', async (t) => {
  const columns = ['link id', 'updated at', 'leads', 'conversions', 'sales', 'sale amount', 'last clicked', 'tag id', 'public stats'];
  t.same(read(Object.fromEntries(columns.map((name) => [name, '7']))).lost, []);
  t.same(read({ rewrite: 'true', 'expired url': 'https://shop.example/over' }).lost, ['rewrite', 'expired url']);
  t.same(read({ rewrite: 'false' }).lost, []);
  t.same(read({ url: '' }).lost, ['destinations']);
});
