import t from 'tap';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { ANDROID, DESKTOP } from '../engine/fixtures.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const patch = (body: object) => call(t, api.baseUrl, 'PATCH /environment', { ...request, body });
const ask = async (path: string, user_agent = DESKTOP) =>
  (await call(t, api.baseUrl, 'POST /links/test', { ...request, body: { path, user_agent } })).json;
const resolve = (url: string) => call(t, api.baseUrl, 'POST /sdk/resolve', { key: api.liveAppKey, body: { url } });

const { json: link } = await send(api.baseUrl, 'POST /links', {
  ...request,
  body: { path: 'long', deep_link_path: '/own', destinations: { web: 'https://own.example/' }, allow_param_passthrough: true },
});
const LINK = 'https://www.shop.example/shoes/1?size=44';
const LONG = `https://go.example.com/?link=${encodeURIComponent(LINK)}`;

t.test('long links are off until hosts and a link are named', async (t) => {
  t.match((await send(api.baseUrl, 'GET /environment', request)).json, { long_link_hosts: [], long_link_path: null });
  t.match(await ask(LONG), { result: 'no_link' });
  t.match(await resolve(LONG), { status: 404 });
  const errors = async (body: object) =>
    (await patch(body)).json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
  t.same(await errors({ long_link_hosts: ['www.shop.example'] }), ['/long_link_path required']);
  t.same(await errors({ long_link_path: 'unknown' }), ['/long_link_path unknown_link']);
  t.same(await errors({ long_link_hosts: ['https://a.example', '*.a.example', 'a.example', 'A.example', ''], long_link_path: 'long' }), [
    '/long_link_hosts/4 too_short',
    '/long_link_hosts/0 invalid_format',
    '/long_link_hosts/1 invalid_format',
    '/long_link_hosts/3 duplicate',
  ]);
  const { status, json } = await patch({ long_link_hosts: ['WWW.Shop.example', 'müller.example'], long_link_path: 'long' });
  t.equal(status, 200);
  t.match(json, { long_link_hosts: ['www.shop.example', 'xn--mller-kva.example'], long_link_path: 'long' });
  t.same(await errors({ long_link_path: null }), ['/long_link_path required'], 'not without its link');
});

t.test('the tester says what a visitor of a long link gets', async (t) => {
  t.match(await ask(`${LONG}&utm_source=mail&gclid=7`), {
    result: 'link',
    link_id: link.id,
    outcome: 'redirect',
    destination: `${LINK}&utm_source=mail&gclid=7`,
    deep_link_path: '/shoes/1?size=44',
    params: { gclid: '7' },
  });
  const refused = await ask(`${LONG}&ofl=https://evil.example/`, ANDROID);
  t.match(refused, { result: 'no_link', detail: /ofl: .*long_link_hosts/ });
  t.equal(refused.trace.at(-1).rule, 'long_link');
  t.match(await ask('/?apn=com.shop'), { result: 'no_link' });
});

async function* chunks(): AsyncGenerator<Buffer> {
  yield Buffer.from('https://www.shop.example/bad\n');
}

t.test('a long link to a listed page is blocked', async (t) => {
  await importBlocklist(api.database, { name: 'bad', format: 'plain', chunks: chunks(), strict: true });
  t.match(await ask(`/?link=${encodeURIComponent('https://www.shop.example/bad')}`), { result: 'link', outcome: 'blocked', status: 403 });
});

t.test('an app that a long link opened is handed its route', async (t) => {
  t.match((await resolve(`${LONG}&gclid=7`)).json, { link: { id: link.id }, deep_link_path: '/shoes/1?size=44', params: { gclid: '7' } });
  t.match(await resolve(`https://go.example.com/?link=https://evil.example/`), { status: 404, json: { detail: /link: / } });
});
