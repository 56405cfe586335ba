import t from 'tap';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { PASSTHROUGH_BYTES_MAX } from '../../../shared/base/limits.js';
import type { LinkRules } from '../../../shared/records/link-rules.js';
import type { EnvironmentRecord } from '../../../shared/records/records.js';
import { hashPassword } from '../../../shared/secrets/password-hash.js';
import { ANDROID, CLICK_ID, DESKTOP, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW } from '../fixtures.js';
import { started } from '../http/conformance.js';
import { converse, type RawAnswer, request } from '../http/raw-http.js';
import type { Served, ServedOptions } from './served.js';

const LINK = 'https://www.shop.example/shoes/1?size=44';
const LONG = `link=${encodeURIComponent(LINK)}`;
const PLAY = 'https://play.google.com/store/apps/details?id=com.shop';
const environment: Partial<EnvironmentRecord> = {
  long_link_hosts: ['www.shop.example'],
  long_link_path: 'long',
  android_apps: [{ package_name: 'com.shop', sha256_cert_fingerprints: ['AA'], play_store_url: null, uri_scheme: null }],
};
const unjudged = (isAnyListed: NonNullable<ServedOptions['blockList']>['isAnyListed']) => ({ remembered: () => undefined, isAnyListed });

async function startedLong(t: Tap, options: ServedOptions = {}): Promise<Served> {
  const served = await started(t, 'uws', { environment, ...options });
  served.links.set('long', linkRecord({ id: 'lnk_long', destinations: { ...NO_DESTINATIONS, web: 'https://own.example/' } }));
  return served;
}
type Tap = Parameters<typeof started>[0];

async function get(served: Served, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  const answer = (await converse(served.port, request(path, { 'User-Agent': DESKTOP, ...headers }), { answers: 1 })).answers[0];
  if (answer === undefined) throw new Error(`no answer to ${path}`);
  return answer;
}
const led = (answer: RawAnswer) => [answer.status, answer.headers.get('location')];

t.test('a long link leads to its own destination, and its click counts for the configured link', async (t) => {
  for (const blockList of [undefined, unjudged(async () => false)]) {
    const served = await startedLong(t, blockList === undefined ? {} : { blockList });
    const query = `${LONG}&utm_source=mail`;
    t.same(led(await get(served, `/?${query}&qr=1`)), [302, `${LINK}&utm_source=mail`]);
    t.match(served.ledger.clicks, [
      { subject_id: 'lnk_long', path: 'long', query, qr: true, utm: 'utm_source=mail', destination: `${LINK}&utm_source=mail` },
    ]);
    t.same(led(await get(served, `/?${LONG}`, { 'User-Agent': PREVIEW })), [302, LINK], 'chats show the card of the destination');
    const card = await get(served, `/?${LONG}&st=Red+shoes`, { 'User-Agent': PREVIEW });
    t.match(card.body.toString(), /Red shoes/);
    t.match(card.body.toString(), `go.shop.example/?${LONG}`, 'the card names the long link as its URL');
    t.equal(served.ledger.clicks.length, 1, 'previews are no clicks');
    t.same(led(await get(served, '/long')), [302, 'https://own.example/'], 'the configured link itself still leads to its own destination');
  }
});

t.test('a phone goes over the open host and on to the store with the whole long link', async (t) => {
  const served = await startedLong(t);
  const query = `${LONG}&apn=com.shop`;
  const phone = { 'User-Agent': ANDROID };
  t.same(led(await get(served, `/?${query}`, phone)), [302, `https://open.go.shop.example/?click_id=${CLICK_ID}&${query}`]);
  const page = await get(served, `/?click_id=${CLICK_ID}&${query}`, { ...phone, Host: 'open.go.shop.example' });
  t.equal(page.status, 200);
  t.match(page.body.toString(), 'id=com.shop');
  t.match(page.body.toString(), 'go.shop.example/?click_id=');
  const back = await get(served, `/?click_id=${CLICK_ID}&${query}`, phone);
  t.same(led(back), [302, `${PLAY}&referrer=click_id%3D${CLICK_ID}`]);
  t.equal(served.ledger.clicks.length, 1);
  t.same(led(await get(served, `/?${query}&efr=1`, phone)), [302, `${PLAY}&referrer=click_id%3D${CLICK_ID}`], 'efr skips the open page');
});

t.test(
  'a phone goes over the open host also if the path of the configured link is an alias of another link, to which no long link leads',
  async (t) => {
    const aliases = new Map([['go.shop.example/long', 'other']]);
    const served = await startedLong(t, { environment: { ...environment, alias_hosts: ['go.shop.example'] }, aliases });
    const query = `${LONG}&apn=com.shop`;
    const answer = await get(served, `/?${query}`, { 'User-Agent': ANDROID });
    t.same(led(answer), [302, `https://open.go.shop.example/?click_id=${CLICK_ID}&${query}`]);
  },
);

t.test('a long link that may not be followed gets a status page, and is no click', async (t) => {
  const served = await startedLong(t, { blockList: unjudged(async (urls) => urls.includes('https://www.shop.example/bad')) });
  for (const [path, status] of [
    ['/?link=https://evil.example/', 404],
    [`/?${LONG}&ofl=https://evil.example/`, 404],
    ['/?link=javascript:alert(1)', 404],
    ['/?apn=com.shop', 404],
    ['/', 404],
    ['/?link=https://www.shop.example/bad', 403],
  ] as const)
    t.same(led(await get(served, path)), [status, undefined], path);
  t.equal(served.ledger.clicks.length, 0);
  served.links.set('long', linkRecord({ state: 'disabled' }));
  t.equal((await get(served, `/?${LONG}`)).status, 404, 'disabling the link disables long links');
  served.links.delete('long');
  t.equal((await get(served, `/?${LONG}`)).status, 404);
  const plain = await started(t, 'uws');
  t.equal((await get(plain, `/?${LONG}`)).status, 404, 'an environment without hosts for long links has none');
});

t.test('while the block list cannot be asked a long link is answered 503, and other links work', async (t) => {
  const served = await startedLong(t, { blockList: unjudged(() => Promise.reject(new LookupUnavailableError('away'))) });
  t.equal((await get(served, `/?${LONG}`)).status, 503);
  t.same(led(await get(served, '/long')), [302, 'https://own.example/']);
  const silent = await startedLong(t, { blockList: unjudged(() => new Promise(() => {})) });
  t.equal((await get(silent, `/?${LONG}`)).status, 503, 'the wait of a visitor has a deadline');
  t.equal(silent.host.stats().figures.of('unavailable'), 1);
});

t.test('parameters that are not part of the long link are passed on if the configured link does so', async (t) => {
  const served = await startedLong(t);
  t.same(led(await get(served, `/?${LONG}&gclid=7`)), [302, LINK]);
  served.links.set('long', linkRecord({ allow_param_passthrough: true }));
  t.same(led(await get(served, `/?${LONG}&gclid=7&ibi=com.shop`)), [302, `${LINK}&gclid=7`]);
});

t.test('a query beyond the limit for clicks is left out of the click', async (t) => {
  const served = await startedLong(t);
  t.equal((await get(served, `/?${LONG}&sd=${'a'.repeat(PASSTHROUGH_BYTES_MAX)}`)).status, 302);
  t.match(served.ledger.clicks, [{ query: '', params_dropped: true }]);
});

t.test('the browser link on the open page of a long link leaves out the parameters of the long link', async (t) => {
  const ios_apps = [{ team_id: 'TEAM', bundle_id: 'com.shop', app_store_url: 'https://apps.apple.com/app/id1', uri_scheme: null }];
  const served = await startedLong(t, { environment: { ...environment, ios_apps } });
  const open = { 'User-Agent': IPHONE, Host: 'open.go.shop.example' };
  const ways = async () => (await get(served, `/?${LONG}&isi=1&ref=a`, open)).body.toString();
  t.match(await ways(), `href="${LINK}"`);
  served.links.set('long', linkRecord({ id: 'lnk_long', allow_param_passthrough: true }));
  t.match(await ways(), `href="${LINK}&#38;ref=a"`, 'parameters of the visitor are added if the link passes them on');
});

const NO_UTM = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };
const SECRET = 'sesame';
const byPage = { Authorization: `Link-Password ${Buffer.from(SECRET).toString('base64')}` };
const byProgram = { Authorization: `Basic ${Buffer.from(`:${SECRET}`).toString('base64')}` };

function limited(changes: Partial<LinkRules>): string {
  return JSON.stringify({ active_from_ms: 0, max_clicks: null, used_up: false, password: null, geo: null, interstitial: null, ...changes });
}

t.test('with a click limit or a password on the configured link a long link still leads to its own destination', async (t) => {
  const password = await hashPassword(SECRET);
  for (const blockList of [undefined, unjudged(async () => false)]) {
    const served = await startedLong(t, blockList === undefined ? {} : { blockList });
    const own = {
      id: 'lnk_long',
      destinations: { ...NO_DESTINATIONS, web: 'https://own.example/', ios: 'https://apps.apple.com/app/id1' },
    };
    for (const [name, rules] of [
      ['click limit', limited({ max_clicks: 1000 })],
      ['password', limited({ password })],
      ['both', limited({ max_clicks: 1000, password, geo: { DE: 'https://own.example/de' } })],
    ] as const) {
      served.ledger.clicks.splice(0);
      served.links.set('long', linkRecord({ ...own, allow_param_passthrough: true, rules }));
      const query = `${LONG}&utm_source=mail&ref=a`;
      const location = `${LINK}&utm_source=mail&ref=a`;
      t.same(led(await get(served, `/?${query}`, byProgram)), [302, location], name);
      t.same(led(await get(served, `/?${query}`, { ...byProgram, 'User-Agent': IPHONE })), [302, location], `${name}, iPhone`);
      t.match(
        served.ledger.clicks,
        [{ subject_id: 'lnk_long', path: 'long', query, utm: 'utm_source=mail', destination: location }, {}],
        name,
      );
      const told = await get(served, `/?${query}`, byPage);
      t.equal(told.body.toString(), JSON.stringify({ location }), `${name}, the script of the page`);
    }
    t.same(led(await get(served, `/?${LONG}`)), [401, undefined], 'the password is asked for');
  }
});

t.test('a long link is answered by the configured link as that is after the wait for the password', async (t) => {
  const served = await startedLong(t, { blockList: unjudged(async (urls) => urls.includes('https://www.shop.example/bad')) });
  const rules = limited({ password: await hashPassword(SECRET) });
  const before = linkRecord({ rules, utm: { ...NO_UTM, utm_medium: 'a' } });
  for (const [name, after, expected] of [
    ['unchanged', before, [302, `${LINK}&utm_medium=a`]],
    ['other UTM fields', linkRecord({ rules, utm: { ...NO_UTM, utm_medium: 'b' } }), [302, `${LINK}&utm_medium=b`]],
    ['no rules', linkRecord({}), [302, LINK]],
    ['disabled', linkRecord({ rules, state: 'disabled' }), [404, undefined]],
    ['expired', linkRecord({ rules, expires_at_ms: 1 }), [410, undefined]],
  ] as const) {
    served.links.set('long', before);
    const asked = get(served, `/?${LONG}`, byProgram);
    // A comparison of passwords takes a fifth of a second, so that the change happens during it.
    await new Promise((resolve) => setTimeout(resolve, 60));
    served.links.set('long', after);
    t.same(led(await asked), expected, name);
  }
  served.links.set('long', linkRecord({ rules }));
  t.same(led(await get(served, '/?link=https://www.shop.example/bad', byProgram)), [403, undefined], 'a listed URL');
});
