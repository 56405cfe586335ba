import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import t from 'tap';
import { checkDueDomains } from '../../control-plane/domains/due-checks.js';
import { createHostLookup } from '../../control-plane/domains/host-lookup.js';
import { createTxtLookup } from '../../control-plane/domains/txt-lookup.js';
import { createDomainChecks } from '../../control-plane/jobs/due-jobs.js';
import { startDnsServer } from '../support/dns-server.js';
import { until } from '../support/until.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const dns = await startDnsServer();
t.teardown(() => dns.stop());
const lookUpTxt = createTxtLookup([dns.address]);
const api = await startApiServer(t, {
  lookUpTxt,
  lookUpHost: createHostLookup([dns.address]),
  outboundAllow: ['https://connected.acme.org'],
});
const request = { key: api.liveKey };

async function events(domainId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await api.database.query<{ type: string; body: string }>({
    text: `SELECT type, body FROM events WHERE type LIKE 'domain.%' AND body::json #>> '{data,id}' = $1 ORDER BY created_at, id`,
    values: [domainId],
  });
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
}

async function feedRows(domainId: string): Promise<number> {
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM config_feed WHERE kind = 'domain' AND object_id = $1`,
    values: [domainId],
  });
  return rowCount;
}

const create = (hostname: string, key = api.liveKey) => call(t, api.baseUrl, 'POST /domains', { key, body: { hostname } });
const verify = (id: string, key = api.liveKey) => call(t, api.baseUrl, `POST /domains/${id}/verify`, { key });
const read = async (id: string) => (await call(t, api.baseUrl, `GET /domains/${id}`, request)).json;

t.test('a domain is added pending, with the record to set, in one spelling', async (t) => {
  const { status, json, headers, text } = await create('Links.BÜCHER.de');
  t.equal(status, 201);
  t.match(json, {
    hostname: 'links.xn--bcher-kva.de',
    status: 'pending',
    failure_reason: null,
    dns_record: { type: 'TXT', name: '_link-verification.links.xn--bcher-kva.de', value: /^link-verification=[0-9A-Za-z]{32}$/ },
    last_checked_at: null,
  });
  t.equal(headers.get('location'), `/v1/domains/${json.id}`);
  t.equal((await call(t, api.baseUrl, `GET /domains/${json.id}`, request)).text, text);
  t.match(await create('links.xn--bcher-kva.de'), { status: 409, json: { code: 'conflict' } });
  t.equal(await feedRows(json.id), 0, 'link hosts know verified domains alone');
});

t.test('names that are not public hosts, or the service’s own, are refused', async (t) => {
  for (const [hostname, code] of [
    ['127.0.0.1', 'host_not_public'],
    ['2130706433', 'host_not_public'],
    ['[::1]', 'invalid_format'],
    ['localhost', 'host_not_public'],
    ['shop.local', 'host_not_public'],
    ['intranet', 'host_not_public'],
    ['links.acme.invalid', 'host_not_public'],
    ['links.acme.test', 'host_not_public'],
    ['example', 'host_not_public'],
    ['co.uk', 'host_not_public'],
    ['https://links.acme.org', 'invalid_format'],
    ['links.acme.org/', 'invalid_format'],
    ['links.acme.org:443', 'invalid_format'],
    ['links.acme.org.', 'invalid_format'],
    ['*.acme.org', 'invalid_format'],
    ['li\u200bnks.acme.org', 'invalid_format'],
    ['li\u00adnks.acme.org', 'invalid_format'],
    ['a_b.acme.org', 'invalid_format'],
    ['-a.acme.org', 'invalid_format'],
    [`${'a'.repeat(64)}.acme.org`, 'invalid_format'],
    [`${`${'a'.repeat(57)}.`.repeat(4)}org`, 'too_long'],
    ['GO.example.com', 'reserved'],
    ['open.test.example.com', 'reserved'],
  ] as const)
    t.match(await create(hostname), { status: 422, json: { errors: [{ in: 'body', pointer: '/hostname', code }] } }, hostname);
});

t.test('a check that is asked for says at once what DNS says, and tells it', async (t) => {
  const { json: domain } = await create('shop.acme.org');
  t.match(await verify(domain.id), { status: 200, json: { status: 'failed', failure_reason: 'record_missing', last_checked_at: /Z$/ } });
  await verify(domain.id);
  dns.zone.set(domain.dns_record.name, [['v=spf1']]);
  t.match((await verify(domain.id)).json, { status: 'failed', failure_reason: 'record_differs' });
  dns.zone.set(domain.dns_record.name, [['v=spf1'], [domain.dns_record.value]]);
  const pokes = api.pokes();
  const { json: verified, text } = await verify(domain.id);
  t.match(verified, { status: 'verified', failure_reason: null });
  t.ok(api.pokes() > pokes);
  t.equal((await call(t, api.baseUrl, `GET /domains/${domain.id}`, request)).text, text);
  dns.zone.set(domain.dns_record.name, 'servfail');
  t.match((await verify(domain.id)).json, { status: 'verified', failure_reason: 'dns_error' }, 'nobody knows better than before');
  const told = await events(domain.id);
  t.same(
    told.map(({ type }) => type),
    ['domain.failed', 'domain.failed', 'domain.failed', 'domain.verified', 'domain.verified'],
  );
  t.same(told[3]?.data, verified);
  t.equal(await feedRows(domain.id), 1);
});

t.test('a verified host shows links and is theirs alone; without it they are shown on the link host', async (t) => {
  const { json: domain } = await create('go.acme.org');
  const body = { path: 'custom', domain: 'go.acme.org' };
  const early = await call(t, api.baseUrl, 'POST /links', { ...request, body });
  t.match(early, { status: 422, json: { errors: [{ pointer: '/domain', code: 'unknown_domain' }] } });
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  await verify(domain.id);
  const { status, json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body });
  t.equal(status, 201);
  t.match(link, { domain: 'go.acme.org', url: 'https://go.acme.org/custom' });
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ path: 'custom-2', domain: 'go.acme.org' }] },
  });
  t.equal(bulk.json.results[0].link.url, 'https://go.acme.org/custom-2');
  const other = await call(t, api.baseUrl, 'POST /links', { key: api.testKey, body: { domain: 'go.acme.org' } });
  t.match(other, { status: 422, json: { errors: [{ pointer: '/domain' }] } }, 'not of another environment');
  const shown = async () => (await call(t, api.baseUrl, `GET /links/${link.id}`, request)).json.url;
  t.equal(await shown(), 'https://go.acme.org/custom');
  const { json: moved } = await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { domain: null } });
  t.equal(moved.url, 'https://go.example.com/custom');
  await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { domain: 'go.acme.org' } });
  t.equal((await call(t, api.baseUrl, `DELETE /domains/${domain.id}`, request)).status, 204);
  t.equal(await shown(), 'https://go.example.com/custom');
  t.equal((await call(t, api.baseUrl, `GET /links/${link.id}/qr`, request)).status, 200);
  t.equal((await call(t, api.baseUrl, `DELETE /domains/${domain.id}`, request)).status, 404);
  t.equal(await feedRows(domain.id), 2, 'link hosts were told of the host, and of its end');
});

t.test('a host is claimed by many and verified by one, who gives it up by deleting it', async (t) => {
  const { json: first } = await create('shared.acme.org');
  const { json: second } = await create('shared.acme.org', api.testKey);
  t.not(first.dns_record.value, second.dns_record.value);
  dns.zone.set(first.dns_record.name, [[first.dns_record.value], [second.dns_record.value]]);
  const [one, two] = await Promise.all([verify(first.id), verify(second.id, api.testKey)]);
  t.same([one.json.status, two.json.status].sort(), ['failed', 'verified']);
  const [winner, loser] = one.json.status === 'verified' ? [first, second] : [second, first];
  const [winnerKey, loserKey] = winner === first ? [api.liveKey, api.testKey] : [api.testKey, api.liveKey];
  t.match((await verify(loser.id, loserKey)).json, { status: 'failed', failure_reason: 'taken' });
  await call(t, api.baseUrl, `DELETE /domains/${winner.id}`, { key: winnerKey });
  t.match((await verify(loser.id, loserKey)).json, { status: 'verified', failure_reason: null });
});

t.test('a host that became the service’s own cannot be verified', async (t) => {
  const { json: domain } = await create('becomes.acme.org');
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  await api.database.query({ text: `UPDATE environments SET open_host = 'becomes.acme.org' WHERE id = $1`, values: [api.test.id] });
  t.match((await verify(domain.id)).json, { status: 'failed', failure_reason: 'taken' });
});

t.test('a check with an Idempotency-Key is made once', async (t) => {
  const { json: domain } = await create('once.acme.org');
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(t, api.baseUrl, `POST /domains/${domain.id}/verify`, { ...request, headers });
  const asked = dns.asked.length;
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  const again = await call(t, api.baseUrl, `POST /domains/${domain.id}/verify`, { ...request, headers });
  t.equal(again.text, first.text);
  t.equal(dns.asked.length, asked);
});

/** Simulates that every next check is due. */
const allAreDue = () =>
  api.database.query({ text: 'UPDATE domains SET next_check_at = now() WHERE next_check_at IS NOT NULL', values: [] });

t.test('a check that leaves the state as it is leaves the ETag, too', async (t) => {
  const { json: domain, headers } = await create('unchanged.acme.org');
  await allAreDue();
  while ((await checkDueDomains(api.database, lookUpTxt, () => Date.now() + 61_000)) > 0);
  t.match(await read(domain.id), { status: 'pending', failure_reason: 'record_missing' });
  const ifMatch = { 'if-match': headers.get('etag') as string };
  t.equal((await call(t, api.baseUrl, `DELETE /domains/${domain.id}`, { ...request, headers: ifMatch })).status, 204);
});

t.test('what is due is checked once, whatever number of servers look, and again when its time comes', async (t) => {
  await api.database.query({ text: 'UPDATE domains SET next_check_at = NULL', values: [] });
  const { json: found } = await create('due-1.acme.org');
  const { json: missing } = await create('due-2.acme.org');
  dns.zone.set(found.dns_record.name, [[found.dns_record.value]]);
  t.equal(await checkDueDomains(api.database, lookUpTxt, Date.now), 0, 'not before a minute has passed');
  await allAreDue();
  const later = () => Date.now() + 61_000;
  const checked = await Promise.all([checkDueDomains(api.database, lookUpTxt, later), checkDueDomains(api.database, lookUpTxt, later)]);
  t.equal(checked[0] + checked[1], 2);
  t.match(await read(found.id), { status: 'verified' });
  t.match(await read(missing.id), { status: 'pending', failure_reason: 'record_missing' }, 'nobody asked, so it goes on waiting');
  t.same((await events(missing.id)).length, 0);
  const after72Hours = () => Date.now() + 73 * 3_600_000;
  await api.database.query({
    text: `SELECT ensure_day_partition('events', (now() + interval '73 hours')::date + n) FROM generate_series(-1, 1) AS n`,
    values: [],
  });
  await allAreDue();
  while ((await checkDueDomains(api.database, lookUpTxt, after72Hours)) > 0);
  t.match(await read(missing.id), { status: 'failed' });
  t.same(
    (await events(missing.id)).map(({ type }) => type),
    ['domain.failed'],
  );
});

t.test('what a server is checking is left to it, whatever the clocks of both', async (t) => {
  await api.database.query({ text: 'UPDATE domains SET next_check_at = NULL', values: [] });
  await create('apart.acme.org');
  await allAreDue();
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slowly: typeof lookUpTxt = async (name) => {
    await asked;
    return lookUpTxt(name);
  };
  const behind = checkDueDomains(api.database, slowly, () => Date.now() - 31_000);
  await until(async () => {
    const { rows } = await api.database.query({ text: 'SELECT 1 FROM domains WHERE next_check_at > now()', values: [] });
    return rows.length === 1;
  }, 'the first server to take it');
  t.equal(await checkDueDomains(api.database, lookUpTxt, () => Date.now() + 31_000), 0);
  answer();
  t.equal(await behind, 1);
});

t.test('the job checks what is due and tells link hosts and dispatcher', async (t) => {
  const { json: domain } = await create('by-job.acme.org');
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  await allAreDue();
  let told = 0;
  const job = createDomainChecks({
    database: api.database,
    lookUpTxt,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    changed: () => told++,
    intervalMs: 20,
  });
  job.start();
  await until(async () => (await read(domain.id)).status === 'verified', 'the domain to be verified');
  await job.stop();
  t.ok(told >= 1);
  t.equal(job.health().part, 'domain-checks');
});

t.test('the list has a filter and pages; a hundred domains are the limit', async (t) => {
  const { json } = await call(t, api.baseUrl, 'GET /domains?status=verified&limit=100', request);
  t.ok(json.data.length >= 2);
  t.ok(json.data.every((domain: { status: string }) => domain.status === 'verified'));
  const { json: page } = await call(t, api.baseUrl, 'GET /domains?limit=1', request);
  const { json: next } = await call(t, api.baseUrl, `GET /domains?limit=1&cursor=${page.next_cursor}`, request);
  t.ok(next.data[0].id < page.data[0].id);
  await create('search-one.acme.org');
  await create('search-two.acme.org');
  const hosts = async (query: string) =>
    (await call(t, api.baseUrl, `GET /domains?${query}`, request)).json.data.map(({ hostname }: { hostname: string }) => hostname);
  t.same(await hosts('search=Search-'), ['search-two.acme.org', 'search-one.acme.org']);
  t.same(await hosts('search=search-&status=verified'), []);
  t.same(await hosts('search=search%25one'), [], 'no pattern');
  await create('hüte.search-three.org');
  for (const text of ['hüte', 'HÜTE.Search-th', 'xn--hte-hoa'])
    t.same(await hosts(`search=${encodeURIComponent(text)}`), ['xn--hte-hoa.search-three.org'], text);
  t.match(await call(t, api.baseUrl, 'GET /domains?search=', request), { status: 422, json: { errors: [{ pointer: '/search' }] } });
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, txt_value, created_at, updated_at)
           SELECT new_id('dom_', now()), $1, 'n' || n || '.acme.org', 'v', now(), now() FROM generate_series(1, 100) AS n ON CONFLICT DO NOTHING`,
    values: [api.live.id],
  });
  t.match(await create('one-too-many.acme.org'), { status: 409, json: { code: 'conflict', detail: /100/ } });
});

t.test('the owner of a host says what visitors get whom no link leads anywhere, and whether case counts', async (t) => {
  await api.database.query({ text: 'DELETE FROM domains', values: [] });
  const { json: domain } = await create('pages.acme.org');
  t.match(domain, { case_insensitive: false, redirects: { root: null, not_found: null, expired: null } });
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /domains/${domain.id}`, { ...request, body });
  const pending = await patch({ redirects: { root: 'https://ACME.org', not_found: 'https://acme.org/\u00e4' } });
  t.match(pending, {
    status: 200,
    json: { redirects: { root: 'https://acme.org/', not_found: 'https://acme.org/%C3%A4', expired: null } },
  });
  t.equal(await feedRows(domain.id), 0, 'link hosts know verified domains alone');
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  await verify(domain.id);
  const before = await feedRows(domain.id);
  const changed = await patch({ case_insensitive: true, redirects: { root: null, expired: 'https://acme.org/over' } });
  t.match(changed.json, {
    case_insensitive: true,
    redirects: { root: null, not_found: 'https://acme.org/%C3%A4', expired: 'https://acme.org/over' },
  });
  t.equal(await feedRows(domain.id), before + 1);
  const same = await patch({ case_insensitive: true, redirects: { root: null } });
  t.same(same.json, changed.json, 'a change of nothing is none');
  t.equal(await feedRows(domain.id), before + 1);
  t.match((await patch({ redirects: null })).json.redirects, { root: null, not_found: null, expired: null });
  for (const [body, pointer, code] of [
    [{ redirects: { root: 'javascript:alert(1)' } }, '/redirects/root', 'scheme_not_allowed'],
    [{ redirects: { root: 'shop.example.com/x' } }, '/redirects/root', 'invalid_url'],
    [{ redirects: { expired: 'app://x' } }, '/redirects/expired', 'scheme_not_allowed'],
    [{ redirects: { other: 'https://acme.org/' } }, '/redirects/other', 'unknown_field'],
    [{ case_insensitive: 'yes' }, '/case_insensitive', 'wrong_type'],
    [{ hostname: 'other.org' }, '/hostname', 'unknown_field'],
  ] as const) {
    const { status, json } = await patch(body);
    t.equal(status, 422);
    t.match(json.errors, [{ pointer, code }]);
  }
  t.equal((await call(t, api.baseUrl, `PATCH /domains/${domain.id}`, { key: api.testKey, body: { case_insensitive: false } })).status, 404);
});

t.test('an owner sees which addresses differ in case alone, before case is switched off', async (t) => {
  await api.database.query({ text: 'DELETE FROM domains', values: [] });
  const { json: domain } = await create('case.acme.org');
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  await verify(domain.id);
  const on = (path: string, host = 'case.acme.org') => ({ host, path });
  for (const body of [
    ...['Spring', 'spring', 'SPRING', 'Summer', 'SUMMER', 'autumn'].map((path) => ({ path })),
    { path: 'aliased', aliases: [on('Autumn'), on('Caf\u00e9/x'), on('caf\u00c9/X'), on('caf\u00e9/x'), on('Winter')] },
    { path: 'elsewhere', aliases: [on('winter', api.live.link_host)] },
    {
      path: 'kelvin',
      aliases: [on('x/\u00c9'), on('x/\u00e9'), on('\u212aelvin'), on('\u00c4'), on('x/\u0416.html'), on('X/\u0436.html')],
    },
  ])
    t.equal((await call(t, api.baseUrl, 'POST /links', { ...request, body })).status, 201);
  const { json: gone } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'AUTUMN' } });
  await call(t, api.baseUrl, `DELETE /links/${gone.id}`, request);
  await call(t, api.baseUrl, 'POST /links', { key: api.testKey, body: { path: 'SUMMER' } });
  const { json } = await call(t, api.baseUrl, `GET /domains/${domain.id}/case-pairs`, request);
  const pair = (path: string, lower_case_path: string) => ({ path, lower_case_path });
  t.same(json, {
    pairs: [
      pair('/Autumn', '/autumn'),
      pair('/Caf%C3%A9/x', '/caf%C3%A9/x'),
      pair('/caf%C3%89/X', '/caf%C3%A9/x'),
      pair('/%E2%84%AAelvin', '/kelvin'),
      pair('/SPRING', '/spring'),
      pair('/Spring', '/spring'),
      pair('/x/%C3%89', '/x/%C3%A9'),
    ],
    more: false,
  });
  t.equal((await call(t, api.baseUrl, `GET /domains/${domain.id}/case-pairs`, { key: api.testKey })).status, 404);
  await api.database.query({
    text: `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
           SELECT new_id('lnk_', now()), $1, path || n, '/', now(), now() FROM generate_series(1, 101) AS n, (VALUES ('p'), ('P')) AS of (path)`,
    values: [api.live.id],
  });
  const many = await call(t, api.baseUrl, `GET /domains/${domain.id}/case-pairs`, request);
  t.match(many.json, { pairs: { length: 100 }, more: true });
  await api.database.query({
    text: `INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
           SELECT new_id('als_', now()), $1, (SELECT min(id) FROM links WHERE environment_id = $1), 'case.acme.org', letter || n
           FROM generate_series(1, 2500) AS n, (VALUES ('%C3%84'), ('%C3%A4')) AS of (letter)`,
    values: [api.live.id],
  });
  const escaped = await call(t, api.baseUrl, `GET /domains/${domain.id}/case-pairs`, request);
  t.match(escaped.json, { pairs: { 0: pair('/%C3%841', '/%C3%A41'), length: 100 }, more: true });
  const numbers = Array.from({ length: 2500 }, (_, index) => String(index + 1)).sort();
  t.same(escaped.json.pairs.at(-1), pair(`/%C3%84${numbers[99]}`, `/%C3%A4${numbers[99]}`), 'the first ones of all');
});

t.test('an owner sees what is to be set for a host, and what is there', async (t) => {
  await api.database.query({ text: 'DELETE FROM domains', values: [] });
  const { json: domain } = await create('connected.acme.org');
  const connection = (key = api.liveKey) => call(t, api.baseUrl, `GET /domains/${domain.id}/connection`, { key });
  dns.zone.set('go.example.com', { addresses: ['127.0.0.3'] });
  const nothing = {
    dns_records: [
      { type: 'CNAME', name: 'connected.acme.org', value: 'go.example.com' },
      { type: 'A', name: 'connected.acme.org', value: '127.0.0.3' },
    ],
    dns: { status: 'missing', cname: null, addresses: [] },
    route: { status: 'unreachable', error: 'no_address' },
    certificate: null,
  };
  t.match(await connection(), { status: 200, json: nothing });
  dns.zone.set('connected.acme.org', { cname: 'go.example.com', addresses: ['127.0.0.3'] });
  t.match((await connection()).json, {
    dns: { status: 'correct', cname: 'go.example.com', addresses: ['127.0.0.3'] },
    route: { status: 'unreachable', error: 'connection_failed' },
  });
  t.equal((await read(domain.id)).last_checked_at, null, 'nothing is kept');
  t.equal((await connection(api.testKey)).status, 404);
  t.equal((await call(t, api.baseUrl, 'GET /domains/dom_x/connection', request)).status, 404);
});
