import t from 'tap';
import { ofObject } from '../../../../control-plane/imports/sources/own.js';
import { linkOfRow } from '../source-service.js';

/** Links that have a place for destinations, but no destination in it. */
const ROW = { path: 'a', web: '' };
const OBJECT = { path: 'a', destinations: {} };

t.test('flags and statuses are read case-insensitively, and other words are reported as lost', async (t) => {
  const words = { archived: 'oui', interstitial: 'oui', allow_param_passthrough: 'oui' };
  t.same(linkOfRow('csv', { ...ROW, ...words }).lost.toSorted(), Object.keys(words).toSorted());
  t.match(linkOfRow('csv', { ...ROW, archived: ' YES', interstitial: 'No' }), {
    lost: [],
    fields: { archived: true, interstitial: false },
  });
  t.match(linkOfRow('csv', { ...ROW, status: 'Disabled ' }), { lost: [], disabled: true });
  for (const [status, active_from] of [['Active'], ['Scheduled', '2999-01-01'], ['']] as const)
    t.match(linkOfRow('csv', { ...ROW, status, active_from: active_from ?? '' }), { lost: [], disabled: undefined });
  t.match(linkOfRow('csv', { ...ROW, status: 'paused' }), { lost: ['status'], disabled: true });
});

t.test('times are read as in other sources, and passed on unchanged otherwise', async (t) => {
  const read = (created_at: string) => linkOfRow('csv', { ...ROW, created_at, expires_at: created_at }).fields;
  t.match(read('2021-03-04 05:06:07'), { created_at: '2021-03-04T05:06:07.000Z', expires_at: '2021-03-04T05:06:07.000Z' });
  t.match(read('1614834367'), { created_at: '2021-03-04T05:06:07.000Z' });
  t.match(read('2021-03-04T05:06:07+01'), { created_at: '2021-03-04T05:06:07+01' });
  t.match(read('04/03/2021'), { created_at: '04/03/2021' });
});

t.test('a link without its exported password or without clicks left is disabled, and the loss is reported', async (t) => {
  const off = (link: Readonly<Record<string, string>>, lost: string) => {
    const { disabled, lost: named, fields } = linkOfRow('csv', { ...ROW, ...link });
    t.same([disabled, named, fields.max_clicks, fields.password], [true, [lost], undefined, undefined], JSON.stringify(link));
  };
  off({ has_password: 'true' }, 'password');
  off({ has_password: 'true', password: 'x'.repeat(129) }, 'password');
  off({ status: 'blocked' }, 'status');
  off({ status: 'expired' }, 'status');
  off({ status: 'expired', max_clicks: '7' }, 'max_clicks');
  off({ status: 'expired', max_clicks: '7', expires_at: '2999-01-01T00:00:00Z' }, 'max_clicks');
  off({ status: 'expired', max_clicks: '7', clicks_left: '0' }, 'max_clicks');
  off({ status: 'active', max_clicks: '7', clicks_left: 'many' }, 'max_clicks');
  for (const max_clicks of ['1,000', '10.0', '-1', '0', '1000000001']) off({ max_clicks }, 'max_clicks');
  const on = (link: Readonly<Record<string, string>>, fields: object) =>
    t.match(linkOfRow('csv', { ...ROW, ...link }), { disabled: undefined, lost: [], fields });
  on({ has_password: 'true', password: 'sesame' }, { password: 'sesame' });
  on({ has_password: 'false' }, { password: undefined });
  on({ status: 'active', max_clicks: '7', clicks_left: '2' }, { max_clicks: 2 });
  on({ status: 'active', max_clicks: '7' }, { max_clicks: 7 });
  on({ status: 'expired', max_clicks: '7', clicks_left: '2', expires_at: '2020-01-01T00:00:00Z' }, { max_clicks: 2 });
  on({ clicks_left: '2' }, { max_clicks: undefined });
  t.match(ofObject({ ...OBJECT, has_password: 'true' }, 1), { disabled: true, lost: ['password'] });
  t.match(ofObject({ ...OBJECT, max_clicks: 7, clicks_left: 0 }, 1), { disabled: true, lost: ['max_clicks'] });
  t.match(ofObject({ ...OBJECT, max_clicks: 7, clicks_left: 3 }, 1), { disabled: undefined, lost: [], fields: { max_clicks: 3 } });
  t.match(ofObject({ ...OBJECT, max_clicks: null, clicks_left: null, has_password: false }, 1), { disabled: undefined, lost: [] });
});

t.test('the recent clicks of a link as the API lists it are not imported as earlier clicks', async (t) => {
  const listed = { ...OBJECT, environment: 'live', clicks: 7, daily_clicks: [3, 4] };
  t.match(ofObject(listed, 1), { lost: [], clicks: undefined });
  t.match(ofObject({ ...listed, imported_clicks: [{ source: 'bitly', day: null, clicks: 5 }] }, 1), { clicks: [{ clicks: 5 }] });
  t.match(ofObject({ ...OBJECT, clicks: 7 }, 1), { clicks: [{ clicks: 7 }] });
});

t.test('a path may begin with a slash, or be the whole short URL', async (t) => {
  for (const [path, domain, id, host] of [
    ['/spring', '', '/spring', null],
    ['/spring', 'go.example.com', 'go.example.com/spring', 'go.example.com'],
    ['https://Go.example.com/spring', '', 'go.example.com/spring', 'go.example.com'],
    ['http://go.example.com/spring?a=1', 'to.example.com', 'to.example.com/spring', 'to.example.com'],
  ] as const) {
    t.match(linkOfRow('csv', { ...ROW, path, domain }), { id, addresses: [{ host, path: 'spring' }], lost: [] }, path);
    t.match(ofObject({ ...OBJECT, path, domain: domain || null }, 1), { id, addresses: [{ host, path: 'spring' }] }, path);
  }
  t.match(linkOfRow('csv', { ...ROW, path: 'a/b/' }).addresses, [{ host: null, path: 'a/b/' }]);
});

t.test('blanks around paths, hosts and destinations do not count, and destinations that are empty are none', async (t) => {
  const web = 'https://shop.example/';
  t.match(linkOfRow('csv', { path: ' spring ', domain: ' go.example.com ', web: ` ${web} `, ios: ' ', title: ' T ' }), {
    id: 'go.example.com/spring',
    addresses: [{ host: 'go.example.com', path: 'spring' }],
    fields: { destinations: { web, ios: undefined }, title: ' T ' },
    lost: [],
  });
  const object = { path: 'a', destinations: { web: `${web}\n`, ios: '', android: null }, geo: { DE: ` ${web}`, FR: '' } };
  t.same(ofObject(object, 1).fields, { destinations: { web }, geo: { DE: web } });
  t.match(ofObject({ path: 'a', destinations: { web: 7 } }, 1).fields, { destinations: { web: 7 } }, 'anything else is left to the API');
});

t.test('a link with only aliases is identified by its first alias', async (t) => {
  const aliases = [
    { host: 'b.co', path: 'sale' },
    { host: 'c.co', path: 'x' },
  ];
  t.equal(ofObject({ ...OBJECT, path: null, aliases }, 1).id, 'b.co/sale');
  t.equal(linkOfRow('csv', { web: '', aliases: 'a.co/sale, c.co/x' }).id, 'a.co/sale');
  t.equal(linkOfRow('csv', { web: '', aliases: 'a.co' }).id, 'number 1', 'an alias without a path does not identify a link');
  t.equal(linkOfRow('csv', { ...ROW, aliases: 'b.co/sale' }).id, '/a');
});

t.test('destinations are reported as lost if the file has no column or member for them', async (t) => {
  t.same(linkOfRow('csv', { path: 'a', url: 'https://shop.example/' }).lost, ['destinations']);
  t.same(linkOfRow('csv', { path: 'a', url: 'https://shop.example/', ios: '' }).lost, []);
  t.same(ofObject({ path: 'a', web: 'https://shop.example/' }, 1).lost, ['web', 'destinations']);
  t.same(linkOfRow('csv', { path: 'a', target: 'shop://item/1' }).lost, ['target', 'destinations']);
  t.same(ofObject(OBJECT, 1).lost, []);
});

t.test('a row that says nothing of destinations loses none', async (t) => {
  t.same(linkOfRow('csv', { path: 'a', title: 'A' }).lost, []);
  t.same(linkOfRow('csv', { path: 'a', title: 'A', url: '', note: 'see page 3: 1/2' }).lost, ['note']);
  for (const object of [{ path: 'x' }, { path: 'x', destinations: null }, { path: 'x', destinations: {} }, { path: 'x', url: null }])
    t.same(ofObject(object, 1).lost, [], JSON.stringify(object));
});

t.test('names of tags are read without blanks at either end, each of them once', async (t) => {
  t.match(linkOfRow('csv', { ...ROW, tags: ' lead, trail ,dd, dd ,, one two' }), {
    lost: [],
    fields: { tags: ['lead', 'trail', 'dd', 'one two'] },
  });
  t.match(ofObject({ ...OBJECT, tags: [' lead', 'trail ', 'dd', 'dd ', '  '] }, 1), {
    lost: [],
    fields: { tags: ['lead', 'trail', 'dd'] },
  });
  t.match(ofObject({ ...OBJECT, tags: 'a' }, 1), { lost: ['tags'], fields: { tags: undefined } });
});
