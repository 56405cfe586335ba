import { scryptSync } from 'node:crypto';
import t from 'tap';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { NOBODY } from '../../../engine/pages/brand.js';
import { passwordPagePolicy } from '../../../engine/pages/password-page.js';
import { PASSWORD_TRIES_OF_MINUTE } from '../../../shared/base/limits.js';
import type { LinkRules } from '../../../shared/records/link-rules.js';
import { hashPassword } from '../../../shared/secrets/password-hash.js';
import { domainRecord, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW, templateRecord } from '../fixtures.js';
import { converse, request } from '../http/raw-http.js';
import { type Served, type ServedOptions, serve } from './served.js';

const SECRET = 'öffne dich';
/** A hash takes a fifth of a second of CPU time. */
const PASSWORD = await hashPassword(SECRET);
/** A hash of the same format that takes no time to compare, for tests that make dozens of comparisons. */
const CHEAP_PASSWORD = `scrypt$4$1$1$c2FsdA$${scryptSync(SECRET.normalize('NFKC'), 'salt', 32, { N: 16, r: 1, p: 1 }).toString('base64url')}`;
const WEB = 'https://shop.example/secret';
const APP_STORE = 'https://apps.apple.com/app/id1';

function rules(changes: Partial<LinkRules>): string {
  return JSON.stringify({ active_from_ms: 0, max_clicks: null, used_up: false, password: null, geo: null, interstitial: null, ...changes });
}

async function started(options: ServedOptions = {}): Promise<Served> {
  const served = await serve('uws', options);
  t.teardown(() => served.stop());
  const destinations = { ...NO_DESTINATIONS, ios: APP_STORE, web: WEB };
  const link = { destinations, deep_link_path: '/secret-route' };
  served.links.set('open', linkRecord(link));
  served.links.set('closed', linkRecord({ ...link, rules: rules({ password: PASSWORD }) }));
  served.links.set('guessed', linkRecord({ ...link, rules: rules({ password: CHEAP_PASSWORD }) }));
  served.links.set('few', linkRecord({ ...link, rules: rules({ max_clicks: 3 }) }));
  served.links.set('both', linkRecord({ ...link, rules: rules({ password: PASSWORD, max_clicks: 3 }) }));
  served.links.set('later', linkRecord({ ...link, rules: rules({ active_from_ms: Number.MAX_SAFE_INTEGER }) }));
  served.links.set('over', linkRecord({ ...link, rules: rules({ max_clicks: 3, used_up: true }) }));
  served.links.set('countries', linkRecord({ ...link, rules: rules({ geo: { DE: 'https://shop.example/de' } }) }));
  return served;
}

async function ask(served: Served, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const said = await converse(served.port, request(path, headers, method), { answers: 1, heads: method === 'HEAD' });
  const [answer] = said.answers;
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const basic = (password: string) => ({ Authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}` });
const byPage = (password: string) => ({ Authorization: `Link-Password ${Buffer.from(password).toString('base64')}` });

t.test('a link with a password asks for it, and shows nothing of the link before', async (t) => {
  const served = await started();
  for (const [name, headers] of [
    ['nobody asked', {}],
    ['no scheme that is known', { Authorization: 'Bearer x' }],
    ['a phone', { 'User-Agent': IPHONE }],
  ] as const) {
    const answer = await ask(served, '/closed', headers);
    t.equal(answer.status, 401, name);
    t.equal(answer.headers.get('www-authenticate'), 'Link-Password realm="link"', 'the browser shows no password dialog of its own');
    t.equal(answer.headers.get('cache-control'), 'no-store');
    t.equal(answer.headers.get('content-security-policy'), passwordPagePolicy(NOBODY));
    t.match(String(answer.body), /<input name="password" type="password"/);
    t.notMatch(String(answer.body), /secret/, name);
  }
  t.equal((await ask(served, '/closed', basic('wrong'))).status, 401);
  t.match(String((await ask(served, '/closed', byPage('wrong'))).body), /role="alert"/);
  t.equal((await ask(served, '/closed', {}, 'HEAD')).status, 401);
  t.equal((await ask(served, '/closed', basic(SECRET), 'HEAD')).headers.get('location'), WEB, 'HEAD with the password is answered as GET');
  t.equal(served.ledger.clicks.length, 0, 'none of these requests is a click');
  const card = await ask(served, '/closed', { 'User-Agent': PREVIEW });
  t.equal(card.status, 200, 'a preview bot gets a card');
  t.notMatch(String(card.body), /secret/);
});

t.test('a visitor with the right password is led on, and that is the click', async (t) => {
  const served = await started();
  const redirect = await ask(served, '/closed', basic(SECRET));
  t.same([redirect.status, redirect.headers.get('location')], [302, WEB]);
  const told = await ask(served, '/closed', byPage(SECRET));
  t.same([told.status, told.headers.get('content-type'), String(told.body)], [200, 'application/json', JSON.stringify({ location: WEB })]);
  const phone = await ask(served, '/closed', { ...byPage(SECRET), 'User-Agent': IPHONE });
  t.same(JSON.parse(String(phone.body)), { location: APP_STORE }, 'a phone goes directly to the store');
  t.equal(served.ledger.clicks.length, 3);
  t.same((await ask(served, '/open')).headers.get('location'), WEB, 'another link asks for no password');
});

t.test('an address that guesses too often is stopped, and other addresses are not', async (t) => {
  const served = await started({ trustedProxyHops: 1 });
  const from = (address: string, password: string) => ask(served, '/guessed', { ...basic(password), 'X-Forwarded-For': address });
  for (let n = 0; n < PASSWORD_TRIES_OF_MINUTE; n++) t.equal((await from('192.0.2.1', `guess ${n}`)).status, 401);
  const throttled = await from('192.0.2.1', SECRET);
  t.same([throttled.status, throttled.headers.get('retry-after')], [429, '60'], 'even the right password is refused');
  t.equal((await from('192.0.2.2', SECRET)).status, 302);
});

t.test('all addresses of one IPv6 network count as one guesser', async (t) => {
  const served = await started({ trustedProxyHops: 1 });
  const from = (address: string) => ask(served, '/guessed', { ...basic('guess'), 'X-Forwarded-For': address });
  for (let n = 0; n < PASSWORD_TRIES_OF_MINUTE; n++) t.equal((await from(`2001:db8::${n}:1`)).status, 401);
  t.equal((await from('2001:db8::ffff')).status, 429);
  t.equal((await from('2001:db8:0:1::1')).status, 401, 'another network');
});

t.test('a link that changes while a password is compared is answered in its new state', async (t) => {
  const served = await started();
  const destinations = { ...NO_DESTINATIONS, web: WEB };
  const other = 'https://shop.example/other';
  for (const [name, after, expected] of [
    ['disabled', linkRecord({ destinations, state: 'disabled', rules: rules({ password: PASSWORD }) }), [404, undefined]],
    ['another password', linkRecord({ destinations, rules: rules({ password: await hashPassword('another') }) }), [401, undefined]],
    ['no password', linkRecord({ destinations }), [302, WEB]],
    [
      'another destination',
      linkRecord({ destinations: { ...NO_DESTINATIONS, web: other }, rules: rules({ password: PASSWORD }) }),
      [302, other],
    ],
  ] as const) {
    served.links.set('closed', linkRecord({ destinations, rules: rules({ password: PASSWORD }) }));
    const before = served.ledger.clicks.length;
    const asked = ask(served, '/closed', basic(SECRET));
    // A comparison takes a fifth of a second, so that the change happens during it.
    await new Promise((resolve) => setTimeout(resolve, 60));
    served.links.set('closed', after);
    const answer = await asked;
    t.same([answer.status, answer.headers.get('location')], expected, name);
    t.equal(served.ledger.clicks.length - before, expected[0] === 302 ? 1 : 0, name);
  }
});

t.test('with a click limit a click is taken from the limit before the visit is answered', async (t) => {
  let left = 2;
  const served = await started({ clickLimits: { take: async () => left-- > 0 } });
  const head = await ask(served, '/few', {}, 'HEAD');
  t.same([head.status, head.headers.get('location')], [302, WEB], 'HEAD is answered as GET, and takes no click');
  t.equal((await ask(served, '/few', { 'Sec-Purpose': 'prefetch' })).status, 503, 'a browser that loads ahead has to ask again');
  t.equal((await ask(served, '/few', { 'User-Agent': PREVIEW })).status, 200);
  t.equal(left, 2);
  t.equal((await ask(served, '/few')).headers.get('location'), WEB);
  t.equal((await ask(served, '/few', { 'User-Agent': IPHONE })).headers.get('location'), APP_STORE);
  t.equal((await ask(served, '/few')).status, 410);
  t.equal(served.ledger.clicks.length, 2);
});

t.test('a wrong password takes no click from the limit', async (t) => {
  let taken = 0;
  const served = await started({ clickLimits: { take: async () => ++taken > 0 } });
  t.equal((await ask(served, '/both', basic('wrong'))).status, 401);
  t.equal(taken, 0);
  t.equal((await ask(served, '/both', basic(SECRET))).status, 302);
  t.equal(taken, 1);
});

t.test('while the click limit cannot be checked, visitors are asked to try again', async (t) => {
  const away = { take: () => Promise.reject(new LookupUnavailableError('away')) };
  const served = await started({ clickLimits: away });
  const answer = await ask(served, '/few');
  t.same([answer.status, answer.headers.get('retry-after')], [503, '1']);
  t.equal((await ask(served, '/open')).status, 302);
  t.equal(served.host.stats().figures.of('unavailable'), 1);
});

t.test('a link with a later start does not exist yet, and one without clicks left has expired', async (t) => {
  const served = await started({ clickLimits: { take: () => Promise.reject(new Error('not asked')) } });
  t.equal((await ask(served, '/later')).status, 404);
  t.equal((await ask(served, '/over')).status, 410);
  t.equal(served.ledger.clicks.length, 0);
});

t.test('the country comes from a trusted proxy, otherwise from the operator’s file', async (t) => {
  const countries = { countryOf: (address: string) => (address === '192.0.2.9' ? 'DE' : '') };
  const served = await started({ countries, trustedProxyHops: 1, countryHeader: 'x-country' });
  const led = async (headers: Readonly<Record<string, string>>) => (await ask(served, '/countries', headers)).headers.get('location');
  t.equal(await led({ 'X-Forwarded-For': '192.0.2.1', 'X-Country': 'DE' }), 'https://shop.example/de');
  t.equal(await led({ 'X-Forwarded-For': '192.0.2.9', 'X-Country': 'FR' }), WEB);
  t.equal(await led({ 'X-Forwarded-For': '192.0.2.9' }), 'https://shop.example/de');
  t.equal(await led({ 'X-Country': 'DE' }), WEB, 'a visitor cannot name a country');
});

t.test('the script of an open password page gets an address to go to, even if the link has changed', async (t) => {
  const domain = domainRecord({ not_found_url: 'https://brand.example/404', expired_url: 'https://brand.example/over' });
  const templates = [templateRecord({ path_pattern: '/p/{id}', redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/{id}' } })];
  const served = await started({ domains: [domain], templates });
  served.links.set('disabled', linkRecord({ state: 'disabled' }));
  const headers = { ...byPage(SECRET), Host: domain.hostname };
  for (const [path, agent, location] of [
    ['/open', '', WEB],
    ['/open', IPHONE, /^https:\/\/open\.go\.shop\.example\/open\?click_id=/],
    ['/countries', '', WEB],
    ['/few', '', WEB],
    ['/over', '', 'https://brand.example/over'],
    ['/later', '', 'https://brand.example/404'],
    ['/disabled', '', 'https://brand.example/404'],
    ['/nothing', '', 'https://brand.example/404'],
    ['/p/1', '', 'https://shop.example/1'],
  ] as const) {
    const answer = await ask(served, path, { ...headers, 'User-Agent': agent });
    t.same([answer.status, answer.headers.get('content-type')], [200, 'application/json'], path);
    t.match(JSON.parse(String(answer.body)), { location }, path);
  }
  t.equal(served.ledger.clicks.length, 5, 'each visit that leads on is a click');
  const elsewhere = await ask(served, '/over', byPage(SECRET));
  t.same([elsewhere.status, elsewhere.headers.get('content-language')], [410, 'en'], 'a page of the service replaces the password page');
  t.equal((await ask(served, '/open', basic(SECRET))).status, 302, 'a program gets a redirect');
});
