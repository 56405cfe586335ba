import t from 'tap';
import { linkOfRow } from '../source-service.js';

t.test('flags and states are read in any case, and other words are named as lost', async (t) => {
  const words = { archived: 'oui', interstitial: 'oui', allow_param_passthrough: 'oui' };
  t.same(linkOfRow('csv', { path: 'a', ...words }).lost.toSorted(), Object.keys(words).toSorted());
  t.match(linkOfRow('csv', { path: 'a', archived: ' YES', interstitial: 'No' }), {
    lost: [],
    fields: { archived: true, interstitial: false },
  });
  t.match(linkOfRow('csv', { path: 'a', status: 'Disabled ' }), { lost: [], disabled: true });
  for (const status of ['Active', 'scheduled', '']) t.match(linkOfRow('csv', { path: 'a', status }), { lost: [], disabled: undefined });
  t.match(linkOfRow('csv', { path: 'a', status: 'paused' }), { lost: ['status'] });
});

t.test('times are read as those of other sources, and handed on as they are where the API reads them', async (t) => {
  const read = (created_at: string) => linkOfRow('csv', { path: 'a', created_at, expires_at: created_at }).fields;
  t.match(read('2021-03-04 05:06:07'), { created_at: '2021-03-04T05:06:07.000Z', expires_at: '2021-03-04T05:06:07.000Z' });
  t.match(read('1614834367'), { created_at: '2021-03-04T05:06:07.000Z' });
  t.match(read('2021-03-04T05:06:07+01'), { created_at: '2021-03-04T05:06:07+01' });
  t.match(read('04/03/2021'), { created_at: '04/03/2021' });
});
