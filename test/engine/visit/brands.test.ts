import t from 'tap';
import { NOBODY } from '../../../engine/pages/brand.js';
import { passwordPagePolicy } from '../../../engine/pages/password-page.js';
import { hashPassword } from '../../../shared/secrets/password-hash.js';
import { environmentRecord, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW } from '../fixtures.js';
import { converse, request } from '../http/raw-http.js';
import { type Served, serve } from './served.js';

const LOGO = Buffer.from('89504e470d0a1a0a', 'hex');
const BRAND = { name: 'Acme', color: '#0d3b66', logo: LOGO.toString('base64'), support_url: 'https://acme.example/help' };
const OTHER = environmentRecord({ id: 'env_2', number: 2, link_host: 'go.other.example', open_host: 'open.go.other.example' });

async function started(kind: 'uws' | 'node'): Promise<Served> {
  const served = await serve(kind, { environments: [environmentRecord({ brand: BRAND }), OTHER] });
  t.teardown(() => served.stop());
  const rules = { active_from_ms: 0, max_clicks: null, used_up: false, geo: null, interstitial: null };
  const web = { ...NO_DESTINATIONS, web: 'https://shop.example/' };
  served.links.set('web', linkRecord({ destinations: web }));
  served.links.set('scheme', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://item' } }));
  served.links.set('closed', linkRecord({ destinations: web, rules: JSON.stringify({ ...rules, password: await hashPassword('x') }) }));
  served.links.set(
    'card',
    linkRecord({ destinations: web, card: JSON.stringify({ title: 'Spring', description: null, image_url: null }) }),
  );
  return served;
}

async function get(served: Served, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const [answer] = (await converse(served.port, request(path, headers, method), { answers: 1, heads: method === 'HEAD' })).answers;
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

for (const kind of ['uws', 'node'] as const) {
  t.test(`pages show the brand of their environment, and their policy allows it (${kind})`, async (t) => {
    const served = await started(kind);
    for (const [path, headers, status] of [
      ['/nothing/here', {}, 404],
      ['/nothing', {}, 404],
      ['/closed', {}, 401],
      ['/scheme', { 'User-Agent': IPHONE, Host: 'open.go.shop.example' }, 200],
    ] as const) {
      const { status: answered, body, headers: answer } = await get(served, path, headers);
      t.equal(answered, status, path);
      const html = String(body);
      for (const part of ['Acme', 'href="https://acme.example/help"', '--fill:#0d3b66']) t.ok(html.includes(part), `${path}: ${part}`);
      t.match(answer.get('content-security-policy'), "; img-src 'self'; ");
      t.equal(answer.get('cache-control'), 'no-store');
      const logo = await get(served, /src="(\/[^"]+)"/.exec(html)?.[1] ?? '/none');
      t.equal(logo.status, 200, path);
    }
  });

  t.test(`the logo is served on every host of its environment, and on no other host (${kind})`, async (t) => {
    const served = await started(kind);
    for (const host of ['go.shop.example', 'open.go.shop.example']) {
      const { status, body, headers } = await get(served, '/.well-known/brand-logo', { Host: host });
      t.equal(status, 200, host);
      t.same(Buffer.from(body), LOGO);
      t.match(Object.fromEntries(headers), {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      });
    }
    t.equal((await get(served, '/.well-known/brand-logo', {}, 'HEAD')).headers.get('content-length'), String(LOGO.length));
    for (const host of ['go.other.example', 'nobody.example'])
      t.equal((await get(served, '/.well-known/brand-logo', { Host: host })).status, 404, host);
    t.equal(served.ledger.clicks.length, 0);
  });
}

t.test('pages of another environment, redirects and cards are the same as without a brand', async (t) => {
  const served = await started('uws');
  const other = await get(served, '/nothing', { Host: 'go.other.example' });
  t.notMatch(String(other.body), /Acme|acme|<img/);
  t.notMatch(other.headers.get('content-security-policy'), 'img-src');
  const redirect = await get(served, '/web');
  t.same([redirect.status, redirect.headers.get('location')], [302, 'https://shop.example/']);
  const card = await get(served, '/card', { 'User-Agent': PREVIEW });
  t.notMatch(String(card.body), /<img|--fill/);
  t.notMatch(card.headers.get('content-security-policy'), 'img-src');
  t.not((await get(served, '/closed')).headers.get('content-security-policy'), passwordPagePolicy(NOBODY));
});
