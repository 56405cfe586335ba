import t, { type Test } from 'tap';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

async function prepared(t: Test): Promise<{ api: ApiServer; type: string; template: string }> {
  const api = await startApiServer(t);
  const make = async (path: string, body: unknown) => (await send(api.baseUrl, `POST ${path}`, { key: api.liveKey, body })).json.id;
  const type = await make('/resource-types', { key: 'product', name: 'Products' });
  const template = await make('/url-templates', {
    resource_type_id: type,
    path_pattern: '/p/{id}',
    id_format: { kind: 'charset', charset: 'a-z /ä', min_length: 1, max_length: 9 },
    deep_link_path: '/{type}/{id}',
    data: { name: '{type}: {id}' },
    redirects: { web: 'https://shop.example.com/{type}?id={id}', ios: 'https://apps.apple.com/app/id1' },
    allow_param_passthrough: true,
  });
  return { api, type, template };
}

const tryPath = (t: Test, api: ApiServer, path: string, platform?: string) =>
  call(t, api.baseUrl, 'POST /url-templates/test', { key: api.liveKey, body: { path, ...(platform === undefined ? {} : { platform }) } });
const rules = (answer: { json: { trace: { rule: string }[] } }) => answer.json.trace.map(({ rule }) => rule);

t.test('a match says what the item becomes, and which rules fired in their order', async (t) => {
  const { api, template } = await prepared(t);
  const answer = await tryPath(t, api, 'https://GO.example.com:443/p/a%20%C3%A4/?utm_source=x#top');
  const { trace, ...result } = answer.json;
  t.strictSame(result, {
    result: 'match',
    template_id: template,
    resource_type: 'product',
    id: 'a ä',
    rendered: {
      deep_link_path: '/product/a%20%C3%A4',
      data: { name: 'product: a ä' },
      redirects: {
        ios: 'https://apps.apple.com/app/id1',
        android: null,
        web: 'https://shop.example.com/product?id=a%20%C3%A4',
        desktop: null,
        fallback: null,
      },
      allow_param_passthrough: true,
    },
    detail: 'The path matches the pattern, and the id matches its format.',
  });
  t.same(rules(answer), [
    'url',
    'host',
    'pattern',
    'template_state',
    'id_format',
    'rendering',
    'platform',
    ...Array(3).fill('destination'),
    'passthrough',
    'answer',
  ]);
  t.match(trace.at(-1).inputs, {
    outcome: 'redirect',
    destination: 'https://shop.example.com/product?id=a%20%C3%A4&utm_source=x',
  });
});

t.test('the trace follows a person on the platform that is asked for, on the host that is named', async (t) => {
  const { api } = await prepared(t);
  const last = async (path: string, platform?: string) => (await tryPath(t, api, path, platform)).json.trace.at(-1).inputs.outcome;
  t.equal(await last('/p/a', 'ios'), 'to_open_page');
  t.equal(await last('https://open.go.example.com/p/a', 'ios'), 'open_page');
  t.equal(await last('https://open.go.example.com/p/a'), 'to_link');
  t.equal(await last('/p/a', 'other'), 'redirect');
  await api.database.query({ text: 'UPDATE environments SET interstitial = false', values: [] });
  t.equal(await last('/p/a', 'ios'), 'redirect');
});

t.test('a path without a template, on another host, or of a short link says so', async (t) => {
  const { api } = await prepared(t);
  for (const [path, detail] of [
    ['/q/a', /^No template has a pattern/],
    ['/p', /^No template has a pattern/],
    ['/P/a', /^No template has a pattern/],
    ['https://elsewhere.example/p/a', /host of the URL does not belong/],
    ['https://go.example.com.evil.example/p/a', /host of the URL does not belong/],
  ] as const) {
    const answer = await tryPath(t, api, path);
    t.match(answer.json, { result: 'no_template', template_id: null, resource_type: null, id: null, rendered: null, detail }, path);
  }
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES ('dom_1', $1, 'shop.example', 'verified', 'x', now(), now()), ('dom_2', $1, 'claimed.example', 'pending', 'x', now(), now())`,
    values: [api.live.id],
  });
  t.equal((await tryPath(t, api, 'https://shop.example/p/a')).json.result, 'match', 'a verified domain is a host of the environment');
  t.equal((await tryPath(t, api, 'https://claimed.example/p/a')).json.result, 'no_template');
});

t.test('an alias of a link goes before a template, and says so', async (t) => {
  const { api } = await prepared(t);
  const aliases = [{ host: 'go.example.com', path: 'p/a' }];
  const { json: link } = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'spring', aliases } });
  for (const path of ['/p/a', '/p/a/', 'https://go.example.com/p/a?x=1']) {
    const answer = await tryPath(t, api, path);
    const detail = /^The address is an alias of a link/;
    t.match(answer.json, { result: 'no_template', template_id: null, resource_type: null, id: null, rendered: null, detail }, path);
    t.match(answer.json.trace.at(-1), { rule: 'alias', inputs: { link_path: link.path }, detail });
  }
  t.equal((await tryPath(t, api, '/p/b')).json.result, 'match');
  t.equal((await tryPath(t, api, 'https://open.go.example.com/p/a')).json.result, 'match', 'the open host knows no alias');
});

t.test('an invalid id names its template, and why it does not fit', async (t) => {
  const { api, template } = await prepared(t);
  for (const [path, id, detail] of [
    ['/p/A', 'A', /character/],
    ['/p/aaaaaaaaaa', 'aaaaaaaaaa', /longer/],
    ['/p/%zz', null, /hexadecimal/],
    ['/p/%C3', null, /UTF-8/],
  ] as const) {
    const answer = await tryPath(t, api, path);
    t.match(answer.json, { result: 'invalid_id', template_id: template, resource_type: 'product', id, rendered: null, detail }, path);
    t.same(rules(answer).at(-1), 'id_format');
  }
});

t.test('a disabled or archived template, and one of an archived type, are told apart from none', async (t) => {
  const { api, type, template } = await prepared(t);
  const set = (path: string, status: string) => send(api.baseUrl, `PATCH ${path}`, { key: api.liveKey, body: { status } });
  await set(`/url-templates/${template}`, 'disabled');
  const disabled = await tryPath(t, api, '/p/a');
  t.match(disabled.json, { result: 'no_template', template_id: null, id: null, rendered: null, detail: /disabled/ });
  t.match(disabled.json.trace.at(-1), { rule: 'template_state', inputs: { status: 'disabled', resource_type_status: 'active' } });
  await set(`/url-templates/${template}`, 'active');
  await set(`/resource-types/${type}`, 'archived');
  t.match((await tryPath(t, api, '/p/a')).json, { result: 'no_template', template_id: null, detail: /archived resource type/ });
  await set(`/url-templates/${template}`, 'archived');
  t.match((await tryPath(t, api, '/p/a')).json, { result: 'no_template', template_id: null, detail: /archived template/ });
});

t.test('on a custom host with a page for what leads nowhere, visitors of an item that does not resolve are sent there', async (t) => {
  const { api, template } = await prepared(t);
  const redirects = { not_found: 'https://acme.org/404' };
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, redirects, created_at, updated_at)
           VALUES (new_id('dom_', now()), $1, 'any.acme.org', 'verified', 'v', $2, now(), now())`,
    values: [api.live.id, JSON.stringify(redirects)],
  });
  const redirected = /redirected to it instead/;
  const ownPage = { rule: 'own_page', inputs: { page_url: redirects.not_found } };
  const tried = async (path: string) => (await tryPath(t, api, `https://any.acme.org${path}`)).json;
  const invalid = await tried('/p/A');
  t.match(invalid, { result: 'invalid_id', detail: redirected });
  t.match(invalid.trace.at(-1), ownPage);
  t.match(await tried('/p/a'), { result: 'match', detail: /matches its format\.$/ });
  await send(api.baseUrl, `PATCH /url-templates/${template}`, { key: api.liveKey, body: { status: 'disabled' } });
  const disabled = await tried('/p/a');
  t.match(disabled, { result: 'no_template', detail: redirected });
  t.match(disabled.trace.at(-1), ownPage);
  t.match((await tryPath(t, api, '/p/a')).json, { result: 'no_template', detail: /get a status page\.$/ }, 'on the link host');
});

t.test('what is neither a URL nor a path is refused, and nothing is stored', async (t) => {
  const { api } = await prepared(t);
  const counts = () =>
    api.database.query({
      text: 'SELECT (SELECT count(*) FROM config_feed), (SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM clicks)',
      values: [],
    });
  const before = (await counts()).rows;
  for (const path of ['p/a', 'javascript:alert(1)', 'shop://p/a', 'https://'])
    t.match(
      (await tryPath(t, api, path)).json,
      { code: 'validation_failed', errors: [{ pointer: '/path', code: 'invalid_format' }] },
      path,
    );
  await send(api.baseUrl, 'POST /url-templates/test', {
    key: api.liveKey,
    body: { path: '/p/a' },
    headers: { 'idempotency-key': '0190b7f2-0000-7000-8000-000000000001' },
  });
  t.same((await counts()).rows, before);
});
