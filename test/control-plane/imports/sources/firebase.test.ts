import t from 'tap';
import { linkOfRow } from '../source-service.js';

const read = (row: Readonly<Record<string, string>>) =>
  linkOfRow('firebase', { 'short link': 'https://a.page.link/a', link: 'https://shop.example/p', ...row });

t.test('the number of an app is read with its prefix or without, and what is none is named as lost', async (t) => {
  for (const isi of ['123', 'id123', 'ID123'])
    t.match(read({ isi }), { lost: [], fields: { destinations: { ios: 'https://apps.apple.com/app/id123' } } });
  const { lost, fields } = read({ isi: 'com.shop' });
  t.same([lost, fields.destinations], [['isi'], { web: 'https://shop.example/p' }]);
});

t.test('a bundle id is named as lost where nothing else leads to the app on iOS', async (t) => {
  t.same(read({ ibi: 'com.shop' }).lost, ['ibi']);
  t.same(read({ ibi: 'com.shop', isi: '123' }).lost, []);
  t.same(read({ ibi: 'com.shop', ifl: 'https://shop.example/ios' }).lost, []);
});

t.test('clicks are carried over, and a row without a deep link is told', async (t) => {
  t.match(read({ clicks: '1,234' }), { lost: [], clicks: [{ day: null, clicks: 1234 }] });
  t.same(read({ clicks: 'many' }).lost, ['clicks']);
  t.same(read({ link: '' }).lost, ['link']);
});
