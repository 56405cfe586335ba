import t from 'tap';
import { domainRecord, linkRecord, NO_DESTINATIONS } from '../fixtures.js';
import { converse, request } from '../http/raw-http.js';
import { type Served, serve } from './served.js';

const HOST = 'go.brand.example';

async function started(changes: Parameters<typeof domainRecord>[0]): Promise<Served> {
  const served = await serve('uws', { domains: [domainRecord(changes)] });
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

t.test('a custom host sends visitors whom no link leads anywhere to pages of its owner', async (t) => {
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
  t.equal(served.ledger.clicks.length, 1, 'nothing but the link is a click');
});

t.test('each page is set by itself, and the root is a path of nothing where it has none', async (t) => {
  const lost = await started({ not_found_url: LOST });
  t.same([await get(lost, '/'), await get(lost, '/over')], [LOST, '410']);
  const root = await started({ root_url: ROOT });
  t.same([await get(root, '/'), await get(root, '/nothing')], [ROOT, '404']);
});

t.test('where case does not count, a path that leads nowhere is tried in lower case', async (t) => {
  const served = await started({ case_insensitive: true });
  for (const [path, answer] of [
    ['/Spring', 'https://shop.example/spring'],
    ['/SPRING/', 'https://shop.example/spring'],
    ['/spring', 'https://shop.example/spring'],
    ['/Autumn', 'https://shop.example/Autumn'],
    ['/autumn', '404'],
    ['/Nothing', '404'],
  ] as const)
    t.equal(await get(served, path), answer, path);
  t.equal(await get(served, '/Spring', 'go.shop.example'), '404', 'on this host alone');
  t.equal(await get(await started({}), '/Spring'), '404');
});
