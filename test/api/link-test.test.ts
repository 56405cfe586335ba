import t from 'tap';
import { ANDROID, IPHONE, PREVIEW } from '../engine/fixtures.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { contentHash } from './examples.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const ask = (body: object, key = api.liveKey) => call(t, api.baseUrl, 'POST /links/test', { key, body });

await send(api.baseUrl, 'POST /campaigns', {
  ...request,
  body: { key: 'spring', name: 'Spring', utm_source: 'newsletter', utm_medium: 'email' },
});
await send(api.baseUrl, 'PATCH /environment', {
  ...request,
  body: { default_destinations: { web: 'https://shop.acme.org{deep_link_path}' } },
});
const { json: link } = await send(api.baseUrl, 'POST /links', {
  ...request,
  body: {
    path: 'spring',
    deep_link_path: '/p/1',
    data: { product: 1 },
    campaign: 'spring',
    utm_medium: 'print',
    allow_param_passthrough: true,
    destinations: { ios: 'https://apps.apple.com/app/id1', android: 'https://shop.acme.org/android' },
  },
});

t.test('what a visitor gets is told with all that the app is handed', async (t) => {
  const { status, json } = await ask({ path: `${link.url}?ref=mail#x` });
  t.equal(status, 200);
  t.match(json, {
    result: 'link',
    link_id: link.id,
    outcome: 'redirect',
    status: 302,
    destination: 'https://shop.acme.org/p/1?utm_source=newsletter&utm_medium=print&ref=mail',
    deep_link_path: '/p/1',
    data: { product: 1 },
    params: { ref: 'mail' },
    params_dropped: false,
  });
  t.equal(json.detail, json.trace.at(-1).detail);
  t.same(
    json.trace.slice(0, 4).map(({ rule }: { rule: string }) => rule),
    ['url', 'host', 'short_path', 'link'],
  );
});

t.test('the platform, or the user agent, decides as on a visit', async (t) => {
  t.match((await ask({ path: '/spring', platform: 'ios' })).json, {
    outcome: 'to_open_page',
    status: 302,
    destination: 'https://apps.apple.com/app/id1?utm_source=newsletter&utm_medium=print',
  });
  t.match((await ask({ path: '/spring', user_agent: ANDROID })).json, {
    outcome: 'redirect',
    destination: /^https:\/\/shop.acme.org\/android/,
  });
  t.match((await ask({ path: '/spring', user_agent: PREVIEW })).json, {
    outcome: 'preview_redirect',
    status: 302,
    destination: /^https:\/\/shop.acme.org\/p\/1/,
  });
  t.match((await ask({ path: '/spring', user_agent: IPHONE, platform: 'desktop' })).json, {
    outcome: 'redirect',
    destination: /^https:\/\/shop.acme.org\/p\/1/,
  });
  t.match((await ask({ path: '/spring', user_agent: PREVIEW, platform: 'ios' })).json, { outcome: 'to_open_page' }, 'a person');
  t.match((await ask({ path: 'https://open.go.example.com/spring', platform: 'ios' })).json, { outcome: 'open_page', status: 200 });
  t.match((await ask({ path: 'https://open.go.example.com/spring', platform: 'desktop' })).json, { outcome: 'to_link', status: 302 });
});

t.test("the store page of the environment's first app is told where neither link nor environment sets a destination", async (t) => {
  const environment = { key: api.testKey };
  const ios_apps = [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: 'https://apps.apple.com/app/id9' }];
  await send(api.baseUrl, 'PATCH /environment', { ...environment, body: { ios_apps } });
  await send(api.baseUrl, 'POST /links', { ...environment, body: { path: 'bare' } });
  t.match((await ask({ path: '/bare', platform: 'ios' }, api.testKey)).json, {
    outcome: 'to_open_page',
    status: 302,
    destination: 'https://apps.apple.com/app/id9',
  });
  t.match((await ask({ path: '/bare', platform: 'android' }, api.testKey)).json, {
    outcome: 'no_destination',
    status: 200,
    destination: null,
  });
});

t.test('states are told: disabled, expired, deleted, blocked, and no link at all', async (t) => {
  const { json: other } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'states' } });
  const set = (text: string) => api.database.query({ text: `UPDATE links SET ${text} WHERE id = $1`, values: [other.id] });
  const told = async () => (await ask({ path: '/states' })).json;
  t.match(await told(), { outcome: 'redirect' });
  await set(`expires_at = now() - interval '1 second'`);
  t.match(await told(), { outcome: 'expired', status: 410, link_id: other.id, destination: null, deep_link_path: null });
  await set(`state = 'disabled'`);
  t.match(await told(), { outcome: 'disabled', status: 404 });
  await set(`state = 'blocked'`);
  t.match(await told(), { outcome: 'blocked', status: 403 });
  await set(`state = 'deleted', deleted_at = now()`);
  t.match(await told(), { outcome: 'deleted', status: 410, link_id: other.id });
  t.match((await ask({ path: '/nobody' })).json, { result: 'link', link_id: null, outcome: 'not_found', status: 404 });
});

t.test('hosts of the environment are its own and its verified domains', async (t) => {
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES (new_id('dom_', now()), $1, 'links.acme.org', 'verified', 'v', now(), now()), (new_id('dom_', now()), $1, 'wait.acme.org', 'pending', 'v', now(), now())`,
    values: [api.live.id],
  });
  t.match((await ask({ path: 'http://Links.ACME.org:8080/spring' })).json, { result: 'link', link_id: link.id });
  for (const host of ['wait.acme.org', 'test.example.com', 'go.example.com.evil.org'])
    t.match(
      (await ask({ path: `https://${host}/spring` })).json,
      { result: 'unknown_host', link_id: null, outcome: null, status: null },
      host,
    );
  t.match(
    (await ask({ path: '/spring' }, api.testKey)).json,
    { link_id: null, outcome: 'not_found' },
    'the other environment has no such link',
  );
  t.match((await ask({ path: '/robots.txt' })).json, { result: 'reserved' });
  t.match((await ask({ path: '/a/b' })).json, { result: 'no_link' });
});

t.test('nothing is counted or stored, and what is not a URL is refused', async (t) => {
  const before = await contentHash(api.database);
  await ask({ path: '/spring' });
  for (const path of ['spring', 'ftp://go.example.com/spring', 'https://'])
    t.match(await ask({ path }), { status: 422, json: { errors: [{ pointer: '/path', code: 'invalid_format' }] } }, path);
  t.equal(await contentHash(api.database), before);
});

t.test('a key that may read links may test them', async (t) => {
  const { key } = await api.makeKey('live', ['links:read']);
  t.equal((await ask({ path: '/spring' }, key)).status, 200);
});

t.test('the settings of a custom host hold for testers and for apps as for visitors', async (t) => {
  const host = 'any.acme.org';
  const pages = { root: 'https://acme.org/', not_found: 'https://acme.org/404', expired: 'https://acme.org/over' };
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, case_insensitive, redirects, created_at, updated_at)
           VALUES (new_id('dom_', now()), $1, $2, 'verified', 'v', true, $3, now(), now())`,
    values: [api.live.id, host, JSON.stringify(pages)],
  });
  const make = async (line: string, body: object) => {
    const { status, json } = await send(api.baseUrl, line, { ...request, body });
    t.equal(status, 201, line);
    return json;
  };
  const aliases = [
    { host, path: 'sale/any' },
    { host, path: 'item/a1' },
  ];
  const winter = await make('POST /links', { path: 'winter', aliases, destinations: { web: 'https://shop.acme.org/winter' } });
  const capital = await make('POST /links', { path: 'Summer' });
  await make('POST /links', { path: 'summer' });
  const type = await make('POST /resource-types', { key: 'item', name: 'Items' });
  const id_format = { kind: 'charset', charset: 'a-zA-Z0-9', min_length: 1, max_length: 9 };
  await make('POST /url-templates', { resource_type_id: type.id, path_pattern: '/item/{id}', id_format, deep_link_path: '/{id}' });

  const tried = async (path: string, on = host) => (await ask({ path: `https://${on}${path}` })).json;
  const opened = (path: string, on = host) =>
    call(t, api.baseUrl, 'POST /sdk/resolve', { key: api.liveAppKey, body: { url: `https://${on}${path}` } });
  const traced = ({ trace }: { trace: { rule: string }[] }) => trace.map(({ rule }) => rule);

  await t.test('a path that leads nowhere is followed in lower case', async (t) => {
    for (const [path, id] of [
      ['/Winter', winter.id],
      ['/WINTER/', winter.id],
      ['/Sale/ANY', winter.id],
      ['/ITEM/a1', winter.id],
      ['/Summer', capital.id],
    ]) {
      t.match(await tried(path), { result: 'link', link_id: id, outcome: 'redirect' }, path);
      t.match(await opened(path), { status: 200, json: { link: { id } } }, path);
    }
    t.same(traced(await tried('/Winter')).slice(0, 4), ['url', 'host', 'lower_case', 'short_path']);
    t.same(traced(await tried('/Sale/ANY')).slice(0, 4), ['url', 'host', 'lower_case', 'alias']);
    t.notOk(traced(await tried('/Summer')).includes('lower_case'));
    t.match(await tried('/item/A1'), { result: 'no_link', status: null }, 'it is an item');
    t.match(await opened('/item/A1'), { json: { link: null, resource: { id: 'A1' } } });
    t.match(await tried('/Winter', 'go.example.com'), { link_id: null, outcome: 'not_found', status: 404 }, 'on this host alone');
    t.equal((await opened('/Winter', 'go.example.com')).status, 404);
  });

  await t.test('visitors whom no link leads anywhere are sent to pages of its owner', async (t) => {
    const set = (text: string) => api.database.query({ text: `UPDATE links SET ${text} WHERE id = $1`, values: [capital.id] });
    t.match(await tried('/nobody'), { link_id: null, outcome: 'not_found', status: 302, destination: pages.not_found });
    t.match(await tried('/'), { result: 'no_link', outcome: null, status: 302, destination: pages.root });
    t.match(await tried('/a/b'), { result: 'no_link', status: 302, destination: pages.not_found });
    await set(`expires_at = now() - interval '1 second'`);
    const expired = await tried('/Summer');
    t.match(expired, { outcome: 'expired', status: 302, destination: pages.expired, deep_link_path: null });
    t.same(traced(expired).slice(-2), ['own_page', 'answer']);
    await set(`expires_at = NULL, active_from = now() + interval '1 day'`);
    t.match(await tried('/Summer'), { outcome: 'scheduled', status: 302, destination: pages.not_found });
    await set(`state = 'blocked'`);
    t.match(await tried('/Summer'), { outcome: 'blocked', status: 403, destination: null });
    t.match(await tried('/nobody', 'go.example.com'), { outcome: 'not_found', status: 404, destination: null });
  });
});
