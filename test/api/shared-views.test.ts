import { scryptSync } from 'node:crypto';
import t, { type Test } from 'tap';
import { dayOf } from '../../shared/base/day-ranges.js';
import { PASSWORD_TRIES_OF_MINUTE, PASSWORDS_WAITING_MAX } from '../../shared/base/limits.js';
import { SHARED_VIEW_TRIES_OF_MINUTE } from '../../shared/base/view-limits.js';
import { connect, countLoggedClicks, logClicks, loggedClick } from '../support/click-log.js';
import { countTransactions } from '../support/transactions.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

/** Tests what strangers can do with the public link of a view, and what they cannot. */

let now = Date.now();
const api = await startApiServer(t, { clock: () => now, trustedProxyHops: 1 });
const request = { key: api.liveKey };

const spring = (
  await send(api.baseUrl, 'POST /links', { ...request, body: { path: 'spring', destinations: { web: 'https://secret.example/' } } })
).json;
const client = await connect(api.databaseUrl);
t.teardown(() => client.end());
const click = (subject: string, country: string, visitor: number) =>
  loggedClick(subject, now - 5000, { subject, country, visitor, bot: false });
const numberOf = async (id: string) =>
  (await client.query<{ number: number }>('SELECT number FROM environments WHERE id = $1', [id])).rows[0]?.number as number;
await logClicks(client, await numberOf(api.live.id), [click(spring.id, 'DE', 1), click(spring.id, 'DE', 2), click(spring.id, 'FR', 3)]);
await logClicks(client, await numberOf(api.test.id), [click(spring.id, 'IT', 4)]);
await countLoggedClicks(api.databaseUrl, now);

let names = 0;
async function share(body: object = {}, settings: object = {}, on: ApiServer = api, key = on.liveKey) {
  const view = (await send(on.baseUrl, 'POST /views', { key, body: { name: `view ${++names}`, range: 'last_7_days', ...body } })).json;
  const { json } = await send(on.baseUrl, `POST /views/${view.id}/share`, { key, body: settings });
  return { view, token: json.token as string, path: json.path as string };
}

const read = (t: Test, body: object, address = '198.51.100.1') =>
  call(t, api.baseUrl, 'POST /shared-view', { body, headers: { 'x-forwarded-for': address } });

t.test('a link shows the chart, the totals and the breakdown of its view, and ids of nothing', async (t) => {
  const { token, path } = await share({ breakdown: 'link', filters: { country: 'DE', link: spring.id }, compare: true });
  t.equal(path, `dashboard/#/shared/${token}`);
  const { status, json, text, headers } = await read(t, { token });
  t.equal(status, 200);
  t.match(json, {
    interval: 'day',
    measure: 'human',
    totals: { all: 2, human: 2, unique: 2 },
    previous: { totals: { all: 0 } },
    breakdown_by: 'link',
    breakdown: [{ value: 'spring', human: 2 }],
    filters: [
      { filter: 'link', value: 'spring' },
      { filter: 'country', value: 'DE' },
    ],
  });
  t.equal(json.series.length, 7);
  t.notMatch(text, /lnk_|view_|shr_|env_|sk_live|secret\.example/);
  t.equal(headers.get('cache-control'), 'no-store');
});

t.test('a link of another environment shows that environment alone, and keys of one do not manage links of the other', async (t) => {
  const { token, view } = await share({ breakdown: 'country' }, {}, api, api.testKey);
  t.equal((await read(t, { token })).json.totals.all, 1);
  for (const line of [
    `GET /views/${view.id}/share`,
    `POST /views/${view.id}/share`,
    `PATCH /views/${view.id}/share`,
    `DELETE /views/${view.id}/share`,
  ])
    t.equal((await call(t, api.baseUrl, line, { ...request, ...(/^(POST|PATCH)/.test(line) ? { body: {} } : {}) })).status, 404, line);
});

t.test('a breakdown is sorted by the measure of its view', async (t) => {
  const programs = Array.from({ length: 5 }, (_, visitor) =>
    loggedClick(spring.id, now - 4000, { subject: spring.id, country: 'SE', visitor: 10 + visitor, bot: true }),
  );
  await logClicks(client, await numberOf(api.test.id), programs);
  await countLoggedClicks(api.databaseUrl, now);
  const valuesBy = async (measure: string) => {
    const { token } = await share({ breakdown: 'country', measure }, {}, api, api.testKey);
    return (await read(t, { token })).json.breakdown.map(({ value }: { value: string }) => value);
  };
  t.same(await valuesBy('human'), ['IT', 'SE']);
  t.same(await valuesBy('all'), ['SE', 'IT']);
});

t.test('nothing that is sent beside the token widens what is shown', async (t) => {
  const { token } = await share({ filters: { country: 'FR' } });
  for (const more of [{ from: '2000-01-01' }, { filters: {} }, { country: 'DE' }, { breakdown: 'link' }, { view: 'view_x' }])
    t.equal((await read(t, { token, ...more })).status, 422, JSON.stringify(more));
  for (const query of ['country=DE', 'from=2000-01-01', 'breakdown=link'])
    t.equal((await call(t, api.baseUrl, `POST /shared-view?${query}`, { body: { token } })).status, 422, query);
  const { json } = await call(t, api.baseUrl, 'POST /shared-view', { body: { token }, key: api.testKey });
  t.equal(json.totals.all, 1, 'a key changes nothing');
  t.same(json.breakdown, []);
});

t.test('a token that is forged, cut short, lengthened or spelled in another way is 404, and costs no query', async (t) => {
  const { token } = await share();
  const bytes = Buffer.from(token, 'base64url');
  const flipped = (at: number) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64url');
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const respelled = token.slice(0, -1) + last[last.indexOf(token.at(-1) as string) ^ 1];
  const wrong = [
    ...Array.from(bytes, (_, at) => flipped(at)),
    ...Array.from({ length: 20 }, (_, cut) => token.slice(0, token.length - 1 - cut)),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    respelled,
    'x',
    '../views',
  ];
  const before = await countTransactions(api.databaseUrl);
  for (const forged of wrong) t.equal((await read(t, { token: forged })).status, 404, forged);
  // Autovacuum may run meanwhile.
  t.ok((await countTransactions(api.databaseUrl)) - before < 20);
  t.equal((await read(t, { token })).status, 200);
});

t.test('a link that is revoked, whose view is deleted, or that has expired is 404 at once, and none comes back', async (t) => {
  const revoked = await share();
  const deleted = await share();
  const expired = await share({}, { expires_at: new Date(now + 60_000).toISOString() });
  for (const { token } of [revoked, deleted, expired]) t.equal((await read(t, { token })).status, 200);
  await call(t, api.baseUrl, `DELETE /views/${revoked.view.id}/share`, request);
  await call(t, api.baseUrl, `DELETE /views/${deleted.view.id}`, request);
  t.equal((await call(t, api.baseUrl, `GET /views/${expired.view.id}/share`, request)).json.status, 'active');
  now += 60_000;
  const details = new Set<string>();
  for (const { token } of [revoked, deleted, expired]) {
    const { status, json } = await read(t, { token });
    t.equal(status, 404);
    details.add(json.detail);
  }
  t.equal(details.size, 1, 'nobody learns which of it');
  t.equal((await call(t, api.baseUrl, `GET /views/${expired.view.id}/share`, request)).json.status, 'expired');
  const again = await call(t, api.baseUrl, `POST /views/${revoked.view.id}/share`, { ...request, body: {} });
  t.not(again.json.token, revoked.token);
  t.equal((await read(t, { token: revoked.token })).status, 404);
  t.equal((await read(t, { token: again.json.token })).status, 200);
  t.equal((await call(t, api.baseUrl, `POST /views/${revoked.view.id}/share`, { ...request, body: {} })).status, 409);
  const past = await call(t, api.baseUrl, `PATCH /views/${revoked.view.id}/share`, {
    ...request,
    body: { expires_at: new Date(now - 1).toISOString() },
  });
  t.match(past.json.errors, [{ pointer: '/expires_at' }]);
});

t.test('a password is asked for, stored as a hash, changed and taken away', async (t) => {
  const { view, token } = await share({}, { password: 'öffne dich' });
  t.match((await read(t, { token })).json, { status: 401, code: 'password_required' });
  t.match((await read(t, { token, password: '' })).json, { code: 'password_required' });
  t.equal((await read(t, { token, password: 'offne dich' })).status, 401);
  t.equal((await read(t, { token, password: 'öffne dich'.normalize('NFD') })).status, 200);
  const { rows } = await api.database.query<{ password: string }>({
    text: 'SELECT password FROM view_shares WHERE view_id = $1',
    values: [view.id],
  });
  t.match(rows[0]?.password, /^scrypt\$/);
  const dump = await api.database.query<{ row: string }>({
    text: 'SELECT row_to_json(view_shares)::text AS row FROM view_shares',
    values: [],
  });
  t.notOk(
    dump.rows.some(({ row }) => row.includes(token) || row.includes('dich')),
    'neither the token nor the password is stored',
  );
  const path = `/views/${view.id}/share`;
  t.equal((await call(t, api.baseUrl, `PATCH ${path}`, { ...request, body: { password: 'other' } })).json.has_password, true);
  t.equal((await read(t, { token, password: 'öffne dich' })).status, 401, 'what was read with the old one is not shown again');
  t.equal((await call(t, api.baseUrl, `PATCH ${path}`, { ...request, body: { expires_at: null } })).json.has_password, true);
  t.equal((await call(t, api.baseUrl, `PATCH ${path}`, { ...request, body: { password: null } })).json.has_password, false);
  t.equal((await read(t, { token })).status, 200);
});

/** A hash that takes only milliseconds to compare with a password. */
function cheapHash(password: string): string {
  const salt = Buffer.alloc(16, 7);
  return `scrypt$10$8$1$${salt.toString('base64url')}$${scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 }).toString('base64url')}`;
}

t.test('readers at one address who enter the right password at the same time are not told that it was wrong', async (t) => {
  const { token } = await share({}, { password: 'right' });
  const answers = await Promise.all(
    Array.from({ length: PASSWORDS_WAITING_MAX }, () => read(t, { token, password: 'right' }, '203.0.113.9')),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  t.not(refused.length, 0);
  for (const { status, headers, json } of refused) {
    t.match([status, json.code, Number(headers.get('retry-after')) <= 5], [429, 'rate_limited', true]);
    t.notMatch(json.detail, /wrong/);
  }
  t.equal((await read(t, { token, password: 'right' }, '203.0.113.9')).status, 200, 'each of them may try again in a moment');
});

t.test('somebody who guesses passwords is stopped, by address and over all addresses, and closes no other view', async (t) => {
  const { token, view } = await share({}, { password: 'right' });
  await api.database.query({ text: 'UPDATE view_shares SET password = $2 WHERE view_id = $1', values: [view.id, cheapHash('right')] });
  const guess = async (address: string, password = 'wrong') => (await read(t, { token, password }, address)).status;
  for (let index = 0; index < PASSWORD_TRIES_OF_MINUTE; index++) t.equal(await guess('203.0.113.1'), 401);
  for (let index = 0; index < SHARED_VIEW_TRIES_OF_MINUTE; index++) t.equal(await guess('203.0.113.1'), 429);
  const right = await read(t, { token, password: 'right' }, '203.0.113.1');
  t.match([right.status, right.headers.get('retry-after')], [429, String], 'not even the right one is looked at');
  t.equal(await guess('203.0.113.2', 'right'), 200, 'one address does not close the view to others');
  for (let index = PASSWORD_TRIES_OF_MINUTE; index < SHARED_VIEW_TRIES_OF_MINUTE; index++) t.equal(await guess(`192.0.2.${index}`), 401);
  t.equal(await guess('203.0.113.3', 'right'), 429, 'many addresses do, for a minute');
  const other = await share();
  t.equal((await read(t, { token: other.token }, '203.0.113.1')).status, 200);
  now += 60_000;
  t.equal(await guess('203.0.113.1', 'right'), 200);
});

t.test('of several control planes, each counts its part of the wrong passwords for a view', async (t) => {
  const part = SHARED_VIEW_TRIES_OF_MINUTE / 2;
  const { token, view } = await share({}, { password: 'right' });
  await api.database.query({ text: 'UPDATE view_shares SET password = $2 WHERE view_id = $1', values: [view.id, cheapHash('right')] });
  for (const rank of [0, 1]) {
    const one = await startApiServer(t, { databaseUrl: api.databaseUrl, trustedProxyHops: 1, share: () => ({ rank, count: 2 }) });
    const guess = async (address: string) => {
      const request = { body: { token, password: 'wrong' }, headers: { 'x-forwarded-for': address } };
      return (await send(one.baseUrl, 'POST /shared-view', request)).status;
    };
    for (let index = 0; index < part; index++) t.equal(await guess(`192.0.2.${index}`), 401);
    t.equal(await guess('203.0.113.9'), 429);
  }
});

t.test('an address has so many requests a minute, counted before anything else', async (t) => {
  const limited = await startApiServer(t, { databaseUrl: api.databaseUrl, keylessRateLimitPerMinute: 3 });
  const { token } = await share({}, {}, limited);
  const ask = () => send(limited.baseUrl, 'POST /shared-view', { body: { token } });
  for (const status of [200, 200, 200, 429]) t.equal((await ask()).status, status);
  const before = await countTransactions(api.databaseUrl);
  for (let index = 0; index < 60; index++) t.equal((await ask()).status, 429);
  t.equal((await send(limited.baseUrl, 'POST /shared-view', { rawBody: '{' })).status, 429, 'before the body is looked at');
  t.ok((await countTransactions(api.databaseUrl)) - before < 20);
});

t.test('many readers at once are answered by one count, and a changed view shows at once', async (t) => {
  const { token, view } = await share({ breakdown: 'country' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(t, { token })));
  t.same(new Set(answers.map(({ status, json }) => `${status} ${json.as_of}`)).size, 1);
  t.same(
    answers[0]?.json.breakdown.map(({ value }: { value: string }) => value),
    ['DE', 'FR'],
  );
  await call(t, api.baseUrl, `PATCH /views/${view.id}`, { ...request, body: { name: 'Changed', filters: { country: 'FR' } } });
  t.match((await read(t, { token })).json, { name: 'Changed', totals: { all: 1 } });
});

t.test('days in the future are not counted, and make no chart coarser', async (t) => {
  const today = Date.parse(dayOf(now, 'Europe/Berlin'));
  const day = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10);
  const begun = await share({ range: null, from: day(-9), to: '2140-01-31' });
  const { status, json } = await read(t, { token: begun.token });
  t.match([status, json.interval, json.to], [200, 'day', day(0)]);
  t.equal(json.series.length, 10);
  const later = await share({ range: null, from: day(2), to: day(9) });
  const refused = await read(t, { token: later.token });
  t.same([refused.status, refused.json.code], [409, 'conflict']);
  const asked = await call(t, api.baseUrl, `GET /stats/clicks?from=${day(2)}&to=${day(9)}`, request);
  t.match(asked.json.errors, [{ pointer: '/from', detail: 'must not be in the future' }]);
  t.match(refused.json.detail, new RegExp(`first day of this view, ${day(2)}, is in the future`));
});

t.test('days that cannot be counted are told without a word of the query', async (t) => {
  const { token } = await share({ range: null, from: '2020-01-01', to: '2020-01-02' });
  const { status, json } = await read(t, { token });
  t.same([status, json.code, json.errors], [409, 'conflict', undefined]);
});

t.test('an Idempotency-Key keeps no answer: what was revoked stays so', async (t) => {
  const { token, view } = await share();
  const headers = { 'idempotency-key': '0190b7f2-0000-7000-8000-000000000001' };
  t.equal((await send(api.baseUrl, 'POST /shared-view', { body: { token }, headers })).status, 200);
  await call(t, api.baseUrl, `DELETE /views/${view.id}/share`, request);
  t.equal((await send(api.baseUrl, 'POST /shared-view', { body: { token }, headers })).status, 404);
});
