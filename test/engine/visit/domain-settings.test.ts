import t from 'tap';
import { domainRecord, linkRecord, NO_DESTINATIONS, templateRecord } from '../fixtures.js';
import { converse, request } from '../http/raw-http.js';
import { type Served, type ServedOptions, serve } from './served.js';

const HOST = 'go.brand.example';

async function started(changes: Parameters<typeof domainRecord>[0], options: ServedOptions = {}): Promise<Served> {
  const served = await serve('uws', { domains: [domainRecord(changes)], ...options });
  t.teardown(() => served.stop());
  served.links.set('spring', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/spring' } }));
  served.links.set('Autumn', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/Autumn' } }));
  served.links.set('over', linkRecord({ expires_at_ms: 1 }));
  served.links.set('off', linkRecord({ state: 'disabled' }));
  served.links.set('gone', linkRecord({ state: 'deleted' }));
  served.links.set('bad', linkRecord({ state: 'blocked' }));
  return served;
}

async function get(served: Served, path: string, host = HOST): Promise<string> {
  const answer = (await converse(served.port, request(path, { Host: host }), { answers: 1 })).answers[0];
  return answer?.headers.get('location') ?? String(answer?.status);
}

const ROOT = 'https://brand.example/';
const LOST = 'https://brand.example/404';
const OVER = 'https://brand.example/over';

t.test('a custom host sends visitors without a working link to pages of its owner', async (t) => {
  const served = await started({ root_url: ROOT, not_found_url: LOST, expired_url: OVER });
  for (const [path, answer] of [
    ['/', ROOT],
    ['/nothing', LOST],
    ['/two/segments', LOST],
    ['/off', LOST],
    ['/over', OVER],
    ['/gone', '410'],
    ['/bad', '403'],
    ['/spring', 'https://shop.example/spring'],
    ['/robots.txt', '200'],
  ] as const)
    t.equal(await get(served, path), answer, path);
  t.equal(await get(served, '/', 'go.shop.example'), '404', 'the link host has its own pages');
  t.equal(served.ledger.clicks.length, 1, 'only the visit of the link is a click');
});

t.test('each page is set separately, and without a root page the root counts as an unknown path', async (t) => {
  const lost = await started({ not_found_url: LOST });
  t.same([await get(lost, '/'), await get(lost, '/over')], [LOST, '410']);
  const root = await started({ root_url: ROOT });
  t.same([await get(root, '/'), await get(root, '/nothing')], [ROOT, '404']);
});

t.test('a page of the owner that is missing on the host itself causes no redirect loop', async (t) => {
  const at = (path: string) => `https://${HOST}${path}`;
  const itself = await started({ root_url: at('/'), not_found_url: at('/404'), expired_url: at('/over') });
  for (const [path, answer] of [
    ['/', '404'],
    ['/nothing', at('/404')],
    ['/404', '404'],
    ['/404/', '404'],
    ['/%34%304', '404'],
    ['/over', '410'],
    ['/spring', 'https://shop.example/spring'],
  ] as const)
    t.equal(await get(itself, path), answer, path);
  const chain = await started({ root_url: ROOT, not_found_url: at('/') });
  t.same([await get(chain, '/nothing'), await get(chain, '/')], [at('/'), ROOT], 'one page may lead to the other page');
  const circle = await started({ root_url: at('/home'), not_found_url: at('/'), expired_url: at('/nothing') });
  t.same([await get(circle, '/'), await get(circle, '/home')], ['404', '404']);
  t.equal(await get(circle, '/over'), at('/nothing'));
  const elsewhere = await started({ not_found_url: 'https://brand.example/404' });
  t.equal(await get(elsewhere, '/404'), 'https://brand.example/404', 'the same path on another host');
});

t.test('if case does not count, an unknown path is tried in lower case', async (t) => {
  const served = await started({ case_insensitive: true });
  served.links.set('kite', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/kite' } }));
  for (const [path, answer] of [
    ['/Spring', 'https://shop.example/spring'],
    ['/SPRING/', 'https://shop.example/spring'],
    ['/spring', 'https://shop.example/spring'],
    // U+212A, the sign of the unit kelvin, is an ordinary k in lower case.
    ['/%E2%84%AAite', 'https://shop.example/kite'],
    ['/Autumn', 'https://shop.example/Autumn'],
    ['/autumn', '404'],
    ['/Nothing', '404'],
  ] as const)
    t.equal(await get(served, path), answer, path);
  t.equal(await get(served, '/Spring', 'go.shop.example'), '404', 'on this host alone');
  t.equal(await get(await started({}), '/Spring'), '404');
});

t.test('if case does not count, a link that is not in the store yet goes before the link in lower case', async (t) => {
  const asked: string[] = [];
  const made = linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/made' } });
  const rows = new Map([
    ['AbC1234', made],
    ['Spring', made],
    ['winter', made],
  ]);
  const lookUp = async (_id: string, _number: number, path: string) => {
    asked.push(path);
    return rows.get(path) ?? null;
  };
  const served = await started({ case_insensitive: true }, { lookUp });
  for (const path of ['/AbC1234', '/Spring', '/WINTER']) t.equal(await get(served, path), 'https://shop.example/made', path);
  t.same(asked, ['AbC1234', 'Spring', 'WINTER', 'winter']);
  t.equal(await get(served, '/SPRING'), 'https://shop.example/spring', 'the store has the path in lower case');
  t.equal(await get(served, '/Autumn'), 'https://shop.example/Autumn');
  t.equal(await get(served, '/spring'), 'https://shop.example/spring');
  t.same(asked.slice(4), ['SPRING'], 'a path in the store is not looked up in the database');
});

t.test('if the database cannot be asked, the link in lower case in the store is followed', async (t) => {
  const served = await started({ case_insensitive: true }, { lookUp: () => Promise.reject(new Error('no database')) });
  t.equal(await get(served, '/Spring'), 'https://shop.example/spring');
  t.equal(await get(served, '/Nothing'), '503');
  const late = await started({ case_insensitive: true }, { lookUp: async () => undefined });
  t.equal(await get(late, '/Spring'), 'https://shop.example/spring');
  t.equal(await get(late, '/Nothing'), '404');
});

t.test('if case does not count, aliases are also tried in lower case, after every other meaning of the path', async (t) => {
  const aliases = new Map([
    [`${HOST}/easter`, 'spring'],
    [`${HOST}/sale/caf%C3%A9`, 'spring'],
    [`${HOST}/autumn`, 'spring'],
    [`${HOST}/p/a1`, 'spring'],
    [`${HOST}/Sale/Two`, 'Autumn'],
  ]);
  const options = { aliases, environment: { alias_hosts: [HOST] }, templates: [templateRecord({ path_pattern: '/p/{id}' })] };
  const served = await started({ case_insensitive: true }, options);
  for (const [path, answer] of [
    ['/Easter', 'https://shop.example/spring'],
    ['/EASTER/', 'https://shop.example/spring'],
    ['/Sale/CAF%c3%89', 'https://shop.example/spring'],
    ['/Autumn', 'https://shop.example/Autumn'],
    ['/AUTUMN', 'https://shop.example/spring'],
    ['/Sale/Two', 'https://shop.example/Autumn'],
    ['/sale/two', '404'],
    ['/p/a1', 'https://shop.example/spring'],
    ['/P/a1', 'https://shop.example/spring'],
  ] as const)
    t.equal(await get(served, path), answer, path);
  t.not(await get(served, '/p/A1'), 'https://shop.example/spring', 'the path is that of an item');
  await get(served, '/Easter');
  t.equal(served.ledger.clicks.at(-1)?.path, 'easter');
  const counting = await started({}, options);
  t.same([await get(counting, '/Easter'), await get(counting, '/Sale/CAF%c3%89')], ['404', '404']);
});

t.test('a reserved file that does not exist is a 404 of the service, never a page of the owner', async (t) => {
  const environment = { ios_apps: [], android_apps: [], brand: null };
  const served = await started({ root_url: ROOT, not_found_url: LOST, expired_url: OVER }, { environment });
  for (const path of [
    '/.well-known/apple-app-site-association',
    '/apple-app-site-association',
    '/.well-known/assetlinks.json',
    '/.well-known/brand-logo',
  ])
    t.equal(await get(served, path), '404', path);
  t.equal(await get(served, '/.well-known/other'), LOST, 'every other path may have a page of the owner');
});
