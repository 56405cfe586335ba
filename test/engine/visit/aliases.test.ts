import t from 'tap';
import { CLICK_ID, DESKTOP, domainRecord, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW, templateRecord } from '../fixtures.js';
import { converse, request } from '../http/raw-http.js';
import { type Served, type ServedOptions, serve } from './served.js';

const HOST = 'go.shop.example';

const ALIASES = new Map([
  [`${HOST}/sale/2027.html`, 'spring'],
  [`${HOST}/caf%C3%A9`, 'spring'],
  [`${HOST}/taken`, 'spring'],
  [`${HOST}/p/7`, 'spring'],
  [`${HOST}/gone`, 'no-such-link'],
  [`${HOST}/robots.txt`, 'spring'],
]);

async function started(options: ServedOptions = {}): Promise<Served> {
  const served = await serve('uws', { aliases: ALIASES, environment: { alias_hosts: [HOST] }, ...options });
  t.teardown(() => served.stop());
  served.links.set('spring', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/spring' } }));
  served.links.set('taken', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/taken' } }));
  return served;
}

async function get(served: Served, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = (await converse(served.port, request(path, { 'User-Agent': DESKTOP, ...headers }), { answers: 1 })).answers[0];
  return { status: answer?.status, location: answer?.headers.get('location') };
}

const SPRING = { status: 302, location: 'https://shop.example/spring' };

t.test('an alias leads to its link in any escaping, and the click has the path of the alias', async (t) => {
  const served = await started();
  for (const [path, named] of [
    ['/sale/2027.html', 'sale/2027.html'],
    ['/sale/2027.html/', 'sale/2027.html'],
    ['/caf%c3%a9', 'caf%C3%A9'],
    ['/taken', 'taken'],
    ['/spring', 'spring'],
  ] as const) {
    t.match(await get(served, path), SPRING, path);
    const click = served.ledger.clicks.at(-1);
    t.match(
      { host: click?.host, path: click?.path, subject: click?.subject_id },
      { host: HOST, path: named, subject: linkRecord().id },
      path,
    );
  }
  t.equal((await get(served, '/Sale/2027.html')).status, 404, 'upper and lower case differ');
  t.equal((await get(served, '/gone')).status, 404, 'the link of the alias does not exist');
});

t.test('an alias goes before paths and templates, and after the addresses that the host itself answers', async (t) => {
  const served = await started({ templates: [templateRecord({ path_pattern: '/p/{id}' })] });
  t.match(await get(served, '/taken'), SPRING);
  t.match(await get(served, '/p/7'), SPRING);
  t.not((await get(served, '/p/8')).location, SPRING.location);
  t.equal((await get(served, '/robots.txt')).status, 200);
});

t.test('there are no aliases on the open host and on hosts without aliases', async (t) => {
  const served = await started({ environment: { alias_hosts: [] } });
  t.equal((await get(served, '/sale/2027.html')).status, 404);
  t.equal((await get(served, '/taken')).location, 'https://shop.example/taken');
  const aliased = await started();
  t.equal((await get(aliased, '/sale/2027.html', { Host: 'open.go.shop.example' })).status, 404);
});

t.test('the page that opens the app has the path of the link, since the open host knows no aliases', async (t) => {
  const served = await started();
  served.links.set('spring', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'https://apps.apple.com/app/id99' } }));
  const { status, location } = await get(served, '/sale/2027.html', { 'User-Agent': IPHONE });
  t.same([status, location], [302, `https://open.go.shop.example/spring?click_id=${CLICK_ID}`]);
  t.equal(served.ledger.clicks.at(-1)?.path, 'sale/2027.html');
});

t.test('no open page is shown whose way back on the link host is an alias of another link', async (t) => {
  const BRAND = 'go.brand.example';
  const STORE = 'https://apps.apple.com/app/id1';
  const destinations = { ...NO_DESTINATIONS, ios: STORE };
  const options = { domains: [domainRecord()], templates: [templateRecord({ path_pattern: '/p/{id}', redirects: destinations })] };
  const served = await started({ ...options, aliases: new Map([...ALIASES, [`${BRAND}/x`, 'taken'], [`${HOST}/own`, 'own']]) });
  for (const path of ['taken', 'free', 'own']) served.links.set(path, linkRecord({ destinations }));
  const visit = async (path: string) => (await get(served, path, { Host: BRAND, 'User-Agent': IPHONE })).location;
  const open = (path: string) => `https://open.go.shop.example/${path}?click_id=${CLICK_ID}`;
  t.equal(await visit('/taken'), STORE, 'a link, whose path on the link host is an alias');
  t.equal(await visit('/p/7'), STORE, 'an item');
  t.equal(served.ledger.clicks.length, 2);
  t.equal(await visit('/free'), open('free'));
  t.equal(await visit('/own'), open('own'), 'it is an alias of the link itself');
  t.equal(await visit('/p/8'), open('p/8'));
  const aliased = await started({
    ...options,
    environment: { alias_hosts: [HOST, BRAND] },
    aliases: new Map([...ALIASES, [`${BRAND}/x`, 'taken']]),
  });
  aliased.links.set('taken', linkRecord({ destinations }));
  t.equal((await get(aliased, '/x', { Host: BRAND, 'User-Agent': IPHONE })).location, STORE, 'an alias of such a link');
});

t.test('the card of an alias names the address that was shared, since the path of its link may be an alias of another link', async (t) => {
  const served = await started({ aliases: new Map([...ALIASES, [`${HOST}/mine`, 'taken']]) });
  const card = JSON.stringify({ title: 'Taken', description: null, image_url: null });
  served.links.set('taken', linkRecord({ card }));
  const urlOf = async (path: string) => {
    const { answers } = await converse(served.port, request(path, { 'User-Agent': PREVIEW }), { answers: 1 });
    return /<meta property="og:url" content="([^"]*)">/.exec(String(answers[0]?.body))?.[1];
  };
  t.equal(await urlOf('/mine'), `https://${HOST}/mine`);
  served.links.set('alone', linkRecord({ card }));
  t.equal(await urlOf('/alone'), `https://${HOST}/alone`);
});
