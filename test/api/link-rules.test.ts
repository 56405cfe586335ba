import t from 'tap';
import { call as request } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const WEB = 'https://example.com/';

interface Made {
  readonly id: string;
  readonly path: string;
  readonly status: string;
  readonly has_password: boolean;
}

async function call<Body = Made>(method: string, path: string, body?: object) {
  const answer = await request(t, api.baseUrl, `${method} ${path}`, { key: api.liveKey, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: answer.json as Body };
}

interface Refused {
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

t.test('rules are set, shown, changed and cleared', async (t) => {
  const rules = {
    active_from: '2020-01-01T00:00:00.000Z',
    max_clicks: 5,
    geo: { FR: 'https://example.fr/', DE: 'https://example.de/' },
    interstitial: false,
  };
  const { status, body } = await call('POST', '/links', { destinations: { web: WEB }, ...rules, password: 'open' });
  t.equal(status, 201);
  t.match(body, { ...rules, has_password: true, status: 'active' });
  t.notOk('password' in body, 'it is never shown');
  const cleared = { active_from: null, max_clicks: null, geo: null, interstitial: null };
  t.match((await call('PATCH', `/links/${body.id}`, { ...cleared, password: null })).body, { ...cleared, has_password: false });
  const [plain] = (await call<{ data: Made[] }>('GET', '/links?limit=1')).body.data;
  t.match(plain, { ...cleared, has_password: false });
});

t.test('a link that works later is scheduled, and lists know it', async (t) => {
  const { body } = await call('POST', '/links', { active_from: '2999-01-01T00:00:00Z', title: 'later' });
  t.equal(body.status, 'scheduled');
  const listed = async (status: string) =>
    (await call<{ data: Made[] }>('GET', `/links?status=${status}&limit=100`)).body.data.map(({ id }) => id);
  t.ok((await listed('scheduled')).includes(body.id));
  for (const other of ['active', 'expired', 'disabled']) t.notOk((await listed(other)).includes(body.id), other);
});

t.test('what is wrong is refused with its pointer', async (t) => {
  for (const [body, pointer, code] of [
    [{ max_clicks: 0 }, '/max_clicks', 'too_small'],
    [{ max_clicks: 1.5 }, '/max_clicks', 'wrong_type'],
    [{ max_clicks: '5' }, '/max_clicks', 'wrong_type'],
    [{ password: '' }, '/password', 'too_short'],
    [{ password: 'x'.repeat(129) }, '/password', 'too_long'],
    [{ active_from: 'soon' }, '/active_from', 'invalid_format'],
    [{ geo: [] }, '/geo', 'wrong_type'],
    [{ geo: { DE: 'nope' } }, '/geo/DE', 'invalid_url'],
    [{ geo: { DE: 'shop://x' } }, '/geo/DE', 'scheme_not_allowed'],
    [{ geo: { Germany: WEB } }, '/geo/Germany', 'invalid_format'],
    [{ geo: { UK: WEB } }, '/geo/UK', 'invalid_value'],
    [{ geo: { EU: WEB } }, '/geo/EU', 'invalid_value'],
    [{ interstitial: 'no' }, '/interstitial', 'wrong_type'],
  ] as const) {
    const answer = await call<Refused>('POST', '/links', body);
    t.equal(answer.status, 422, JSON.stringify(body));
    const [error] = answer.body.errors;
    t.ok(error?.pointer.startsWith(pointer), `${JSON.stringify(body)}: ${error?.pointer}`);
    t.equal(error?.code, code, JSON.stringify(body));
  }
});

t.test('names in geo that are no countries, and wrong URLs, are refused at once, each with its pointer', async (t) => {
  const { body: link } = await call('POST', '/links', {});
  const geo = { de: WEB, D1: 'nope', FR: 'nope', IT: WEB, 'a/b~': WEB, '': 5 };
  const isRefused = ({ errors }: Refused, parent: string) => {
    t.same(
      errors.map(({ pointer }) => pointer).sort(),
      ['', 'D1', 'FR', 'a~1b~0', 'de'].map((name) => `${parent}/geo/${name}`),
    );
    const detail = /^the name must be an ISO 3166-1 country code of two capital letters/;
    t.match(
      errors.find(({ pointer }) => pointer === `${parent}/geo/de`),
      { code: 'invalid_format', detail },
    );
  };
  for (const [method, path] of [
    ['POST', '/links'],
    ['PATCH', `/links/${link.id}`],
  ] as const) {
    const { status, body } = await call<Refused>(method, path, { geo });
    t.equal(status, 422);
    isRefused(body, '');
  }
  const bulk = await call<{ results: { error: Refused }[] }>('POST', '/links/bulk', { links: [{}, { geo }] });
  isRefused(bulk.body.results[1]?.error as Refused, '/links/1');
});

t.test('the tester names each rule', async (t) => {
  const { body } = await call('POST', '/links', {
    destinations: { web: WEB },
    max_clicks: 5,
    password: 'open',
    geo: { DE: 'https://example.de/' },
  });
  interface Tested {
    readonly destination: string;
    readonly trace: readonly { readonly rule: string; readonly inputs: object }[];
  }
  const tested = (await call<Tested>('POST', '/links/test', { path: `/${body.path}`, country: 'DE' })).body;
  t.equal(tested.destination, 'https://example.de/');
  const rules = tested.trace.map(({ rule }) => rule);
  for (const rule of ['password', 'max_clicks', 'geo', 'link_interstitial']) t.ok(rules.includes(rule), rule);
  t.equal((await call<Tested>('POST', '/links/test', { path: `/${body.path}` })).body.destination, WEB);
});

t.test('the tester says that visitors are asked for the password, and where those are led who know it', async (t) => {
  interface Tested {
    readonly detail: string;
    readonly trace: readonly { readonly rule: string; readonly inputs: object }[];
  }
  const tested = async (path: string) => (await call<Tested>('POST', '/links/test', { path: `/${path}` })).body;
  const { body } = await call('POST', '/links', { destinations: { web: WEB }, password: 'open' });
  const asked = await tested(body.path);
  t.match(asked, { result: 'link', outcome: 'password_page', status: 401, destination: WEB });
  t.equal(
    asked.detail,
    'The visitor gets the page that asks for the password (401). With the right password: The visitor is redirected to the destination (302).',
  );
  t.match(asked.trace.at(-1), {
    rule: 'answer',
    inputs: { outcome: 'password_page', status: 401, after: { outcome: 'redirect', destination: WEB } },
  });
  await call('PATCH', `/links/${body.id}`, { status: 'disabled' });
  t.match(await tested(body.path), { outcome: 'disabled', status: 404 }, 'the state goes first');
  const { body: counted } = await call('POST', '/links', { destinations: { web: WEB }, max_clicks: 5 });
  t.match(await tested(counted.path), { outcome: 'redirect', status: 302 }, 'a bound on clicks asks nobody for anything');
});

t.test('the tester says what a preview bot gets of a link that not everybody may follow', async (t) => {
  const user_agent = 'WhatsApp/2.24.1 A';
  for (const [rule, more] of [
    ['password', { password: 'open' }],
    ['max_clicks', { max_clicks: 5 }],
  ] as const)
    for (const card of [null, { title: 'Secret' }]) {
      const { body } = await call('POST', '/links', { destinations: { web: WEB }, card, ...more });
      interface Tested {
        readonly outcome: string;
        readonly status: number;
        readonly trace: readonly { readonly rule: string; readonly detail: string }[];
      }
      const tested = (await call<Tested>('POST', '/links/test', { path: `/${body.path}`, user_agent })).body;
      t.match(tested, { outcome: 'card', status: 200 });
      const said = (name: string) => tested.trace.find((step) => step.rule === name)?.detail;
      t.match(said('card'), /generic card that reveals nothing about the link/);
      t.match(said(rule), /A preview (?:bot is not asked for the password|does not use up a click)/);
    }
});

t.test('a bulk call takes links with passwords, up to a bound', async (t) => {
  const links = Array.from({ length: 22 }, (_, n) => (n === 0 ? {} : { password: `open ${n}` }));
  interface Bulk {
    readonly created: number;
    readonly results: readonly { readonly status: number; readonly link?: Made }[];
  }
  const { body } = await call<Bulk>('POST', '/links/bulk', { links });
  t.equal(body.created, 21);
  t.equal(body.results[0]?.link?.has_password, false);
  t.equal(body.results[20]?.link?.has_password, true);
  t.match(body.results[21], { status: 422, error: { errors: [{ pointer: '/links/21/password', code: 'too_many' }] } });
});
