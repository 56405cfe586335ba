import t from 'tap';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const records = new Map<string, string>();
const api = await startApiServer(t, {
  lookUpTxt: async (name) => (records.has(name) ? { kind: 'answered', records: [records.get(name) as string] } : { kind: 'none' }),
});
const request = { key: api.liveKey };

const create = (body: object) => call(t, api.baseUrl, 'POST /links', { ...request, body });
const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
const { json: environment } = await call(t, api.baseUrl, 'GET /environment', request);
const HOST: string = environment.link_host;
const on = (path: string, host = HOST) => ({ host, path });

async function verifiedDomain(hostname: string): Promise<string> {
  const { json } = await call(t, api.baseUrl, 'POST /domains', { ...request, body: { hostname } });
  records.set(json.dns_record.name, json.dns_record.value);
  const { json: verified } = await call(t, api.baseUrl, `POST /domains/${json.id}/verify`, request);
  t.equal(verified.status, 'verified');
  return verified.hostname;
}

/** The addresses of the link's aliases, in the form in which engines receive them. */
async function addresses(linkId: string): Promise<string[]> {
  const { rows } = await api.database.query<{ address: string }>({
    text: `SELECT host || '/' || normal_path AS address FROM link_aliases WHERE link_id = $1 ORDER BY 1`,
    values: [linkId],
  });
  return rows.map(({ address }) => address);
}

async function fed(address: string): Promise<number> {
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM config_feed WHERE kind = 'alias' AND object_key = $1`,
    values: [address],
  });
  return rowCount;
}

t.test('aliases are kept as they were given, found as clients send them, replaced as a whole and told of', async (t) => {
  const given = [on('sale/2027.html'), on('/Café au lait'), on('%C3%A9')];
  const { status, json } = await create({ aliases: given });
  t.equal(status, 201);
  t.same(json.aliases, [on('sale/2027.html'), on('Café au lait'), on('%C3%A9')]);
  t.same(await addresses(json.id), [`${HOST}/%C3%A9`, `${HOST}/Caf%C3%A9%20au%20lait`, `${HOST}/sale/2027.html`]);
  t.equal(await fed(`${HOST}/sale/2027.html`), 1);
  const changed = await patch(json.id, { aliases: [on('sale/2027.html'), on('other')] });
  t.same(changed.json.aliases, [on('sale/2027.html'), on('other')]);
  t.same(await addresses(json.id), [`${HOST}/other`, `${HOST}/sale/2027.html`]);
  t.equal(await fed(`${HOST}/%C3%A9`), 2, 'engines are told that it went');
  t.equal(await fed(`${HOST}/sale/2027.html`), 1, 'and of nothing else');
  t.same((await patch(json.id, { title: 'x' })).json.aliases, changed.json.aliases);
  t.same((await patch(json.id, { aliases: null })).json.aliases, []);
  t.same(await addresses(json.id), []);
  const { rows } = await api.database.query<{ fields: string[] }>({
    text: `SELECT body::json #> '{data,changed_fields}' AS fields FROM events WHERE type = 'link.updated' AND body::json #>> '{data,id}' = $1
           ORDER BY created_at, id`,
    values: [json.id],
  });
  t.same(
    rows.map(({ fields }) => fields),
    [['aliases'], ['title'], ['aliases']],
  );
});

t.test('an address belongs to one link, and a call that wants a taken one changes nothing', async (t) => {
  const first = (await create({ path: 'alias-owner', aliases: [on('mine')] })).json;
  const refused = await create({ path: 'alias-thief', aliases: [on('free'), on('mine/')] });
  t.match(refused, { status: 409, json: { code: 'conflict', detail: `The alias ${HOST}/mine is taken.` } });
  t.equal((await create({ path: 'alias-thief' })).status, 201, 'its path was not taken');
  const second = (await create({ aliases: [on('yours')] })).json;
  t.equal((await patch(second.id, { aliases: [on('mine')] })).status, 409);
  t.same(await addresses(second.id), [`${HOST}/yours`]);
  t.equal((await patch(first.id, { aliases: [] })).status, 200);
  t.equal((await patch(second.id, { aliases: [on('mine')] })).status, 200, 'it is free once the other gives it up');
  const own = await patch(second.id, { aliases: [on('mine'), on('more')] });
  t.equal(own.status, 200, 'a link keeps its own');
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ aliases: [on('mine')] }, { aliases: [on('b1')] }, { aliases: [on('b1')] }, { aliases: [on('b2')] }] },
  });
  t.same(
    bulk.json.results.map(({ status }: { status: number }) => status),
    [409, 201, 409, 201],
  );
  t.match(bulk.json, { created: 2, failed: 2 });
  const racing = await Promise.all(Array.from({ length: 8 }, () => create({ aliases: [on('race')] })));
  t.same(racing.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)]);
});

t.test('a custom host has addresses of its own', async (t) => {
  const host = await verifiedDomain('links.acme.org');
  const one = (await create({ aliases: [on('sale')] })).json;
  const two = await create({ aliases: [on('sale', 'LINKS.acme.org')] });
  t.equal(two.status, 201);
  t.same(two.json.aliases, [on('sale', host)]);
  t.same([await addresses(one.id), await addresses(two.json.id)], [[`${HOST}/sale`], [`${host}/sale`]]);
  const tried = async (path: string) => (await call(t, api.baseUrl, 'POST /links/test', { ...request, body: { path } })).json;
  t.equal((await tried(`https://${host}/sale`)).link_id, two.json.id);
  const answer = await tried('/sale/');
  t.equal(answer.link_id, one.id);
  t.ok(answer.trace.some(({ rule }: { rule: string }) => rule === 'alias'));
});

t.test('no link is made at or moved to an address that is an alias of another one', async (t) => {
  const host = await verifiedDomain('taken.acme.org');
  await create({ path: 'taken-owner', aliases: [on('taken-a'), on('taken-b', host), on('taken-f', host)] });
  const taken = (pointer: string, address: string) => ({
    status: 409,
    json: { code: 'conflict', detail: `The address ${address} is an alias of another link.`, errors: [{ pointer, code: 'taken' }] },
  });
  t.match(await create({ path: 'taken-a', tags: ['of-no-link'] }), taken('/path', `${HOST}/taken-a`));
  t.match(await create({ path: 'taken-b', domain: host }), taken('/path', `${host}/taken-b`));
  t.equal((await create({ path: 'taken-c', aliases: [on('taken-c')] })).status, 201, 'its own address');
  const elsewhere = await create({ path: 'taken-b' });
  t.equal(elsewhere.status, 201, 'on another host the same path is free');
  t.match(await patch(elsewhere.json.id, { domain: host }), taken('/domain', `${host}/taken-b`));
  t.equal((await patch(elsewhere.json.id, { title: 'x' })).status, 200);
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ path: 'taken-a', tags: ['of-no-link'] }, { path: 'taken-d' }, { path: 'taken-b', domain: host }, {}] },
  });
  t.match(
    bulk.json.results.map(({ status, error }: { status: number; error?: object }) => error ?? status),
    [taken('/links/0/path', `${HOST}/taken-a`).json, 201, { errors: [{ pointer: '/links/2/path' }] }, 201],
  );
  const both = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ path: 'taken-f', domain: host }, { path: 'taken-f' }] },
  });
  t.match(
    both.json.results.map(({ status, error }: { status: number; error?: object }) => error ?? status),
    [taken('/links/0/path', `${host}/taken-f`).json, 201],
    'one path on two hosts is two addresses',
  );
  t.same((await call(t, api.baseUrl, 'GET /tags?search=of-no-link', request)).json.data, [], 'a link that is refused makes no tags');
});

t.test('the path of a deleted link is no alias of another one for 90 days, so that the link can be restored', async (t) => {
  const host = await verifiedDomain('kept.acme.org');
  const age = (id: string, days: number) =>
    api.database.query({ text: `UPDATE links SET deleted_at = now() - make_interval(days => $2) WHERE id = $1`, values: [id, days] });
  const kept = (await create({ path: 'kept-path' })).json;
  const other = (await create({})).json;
  t.equal((await call(t, api.baseUrl, `DELETE /links/${kept.id}`, request)).status, 204);
  const taken = {
    status: 409,
    json: { detail: `The alias ${HOST}/kept-path is taken.`, errors: [{ pointer: '/aliases/0', code: 'taken' }] },
  };
  t.match(await create({ aliases: [on('kept-path')] }), taken);
  t.match(await patch(other.id, { aliases: [on('kept-path/')] }), taken);
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: [{ aliases: [on('kept-path')] }, {}] } });
  t.match(
    bulk.json.results.map(({ status }: { status: number }) => status),
    [409, 201],
  );
  t.equal((await patch(other.id, { aliases: [on('kept-path', host)] })).status, 200, 'on another host the path is free');
  t.equal((await call(t, api.baseUrl, `POST /links/${kept.id}/restore`, request)).status, 200);
  t.equal((await call(t, api.baseUrl, `DELETE /links/${kept.id}`, request)).status, 204);
  await age(kept.id, 89);
  t.match(await patch(other.id, { aliases: [on('kept-path')] }), taken);
  await age(kept.id, 90);
  t.equal((await patch(other.id, { aliases: [on('kept-path')] })).status, 200);
});

t.test('a link is not restored to an address that has become an alias of another one', async (t) => {
  const deleted = (await create({ path: 'given-away' })).json;
  const owner = (await create({})).json;
  await call(t, api.baseUrl, `DELETE /links/${deleted.id}`, request);
  await api.database.query({
    text: `INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path) VALUES (new_id('als_', now()), $1, $2, $3, 'given-away')`,
    values: [api.live.id, owner.id, HOST],
  });
  t.match(await call(t, api.baseUrl, `POST /links/${deleted.id}/restore`, request), {
    status: 409,
    json: { detail: `The address ${HOST}/given-away is now an alias of another link: remove that alias first.` },
  });
});

t.test('no link gets the address of another one as an alias', async (t) => {
  const host = await verifiedDomain('shown.acme.org');
  const one = (await create({ path: 'shown-one' })).json;
  await create({ path: 'shown-two', domain: host });
  const taken = (pointer: string, address: string) => ({
    status: 409,
    json: { detail: `The alias ${address} is taken.`, errors: [{ pointer, code: 'taken' }] },
  });
  t.match(await create({ aliases: [on('free-one'), on('shown-one/')] }), taken('/aliases/1', `${HOST}/shown-one`));
  t.match(await create({ aliases: [on('shown-two', host)] }), taken('/aliases/0', `${host}/shown-two`));
  const other = await create({ aliases: [on('shown-two'), on('shown-one', host)] });
  t.equal(other.status, 201, 'a path on a host that its link is not shown on');
  t.match(await patch(other.json.id, { aliases: [on('shown-two'), on('shown-one')] }), taken('/aliases/1', `${HOST}/shown-one`));
  t.same(await addresses(other.json.id), [`${HOST}/shown-two`, `${host}/shown-one`].toSorted());
  await api.database.query({
    text: `INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
           SELECT 'als_old', environment_id, $1, $2, 'shown-one' FROM links WHERE id = $1`,
    values: [other.json.id, HOST],
  });
  const old = [on('shown-two'), on('shown-one')];
  await api.database.query({ text: 'UPDATE links SET aliases = $2::json WHERE id = $1', values: [other.json.id, JSON.stringify(old)] });
  t.equal((await patch(other.json.id, { aliases: [...old, on('free-two')] })).status, 200, 'what a link has from before it keeps');
  const links = [
    { path: 'shown-three' },
    { aliases: [on('shown-three')] },
    { aliases: [on('shown-four')] },
    { path: 'shown-four', aliases: [on('free-three')] },
    { aliases: [on('shown-one')] },
    { aliases: [on('free-three')] },
  ];
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.same(
    bulk.json.results.map(({ status, error }: { status: number; error?: { errors: { pointer: string }[] } }) =>
      error === undefined ? status : error.errors[0]?.pointer,
    ),
    [201, '/links/1/aliases/0', 201, '/links/3/path', '/links/4/aliases/0', 201],
  );
  t.equal(
    (await call(t, api.baseUrl, 'POST /links/test', { ...request, body: { path: '/shown-three' } })).json.link_id,
    bulk.json.results[0].link.id,
  );
  t.equal(one.status, 'active');
});

t.test('an app is handed the link whose alias opened it', async (t) => {
  const { json } = await create({ deep_link_path: '/item/1', aliases: [on('open/me')] });
  const resolved = await call(t, api.baseUrl, 'POST /sdk/resolve', { key: api.liveAppKey, body: { url: `https://${HOST}/open/me` } });
  t.match(resolved, { status: 200, json: { link: { id: json.id }, deep_link_path: '/item/1' } });
});

t.test('what is no alias is refused with its place, and nothing is made', async (t) => {
  for (const [aliases, pointer, code] of [
    [{}, '/aliases', 'wrong_type'],
    [['x'], '/aliases/0', 'wrong_type'],
    [[{ host: HOST }], '/aliases/0/path', 'required'],
    [[{ ...on('x'), status: 1 }], '/aliases/0/status', 'unknown_field'],
    [[on('')], '/aliases/0/path', 'too_short'],
    [[on('/')], '/aliases/0/path', 'invalid_format'],
    [[on('x'.repeat(513))], '/aliases/0/path', 'too_long'],
    [[on('ok'), on('a?b=1')], '/aliases/1/path', 'invalid_format'],
    [[on('a#b')], '/aliases/0/path', 'invalid_format'],
    [[on('a\\b')], '/aliases/0/path', 'invalid_format'],
    [[on('a/../b')], '/aliases/0/path', 'invalid_format'],
    [[on('a/%2e%2E')], '/aliases/0/path', 'invalid_format'],
    [[on('a//b')], '/aliases/0/path', 'invalid_format'],
    [[on('//a')], '/aliases/0/path', 'invalid_format'],
    [[on('//')], '/aliases/0/path', 'invalid_format'],
    [[on('a//')], '/aliases/0/path', 'invalid_format'],
    [[on('100%')], '/aliases/0/path', 'invalid_format'],
    [[on('\u{1f600}'.repeat(200))], '/aliases/0/path', 'invalid_format'],
    [[on('a\u0000')], '/aliases/0/path', 'control_character'],
    [[on('.well-known/apple-app-site-association')], '/aliases/0/path', 'reserved'],
    [[on('robots.txt')], '/aliases/0/path', 'reserved'],
    [[on('same'), on('/s%61me/')], '/aliases/1', 'duplicate'],
    [[on('x', 'elsewhere.example')], '/aliases/0/host', 'unknown_domain'],
    [[on('x', 'not a host')], '/aliases/0/host', 'unknown_domain'],
    [Array.from({ length: 21 }, (_, index) => on(`n${index}`)), '/aliases', 'too_many'],
  ] as const) {
    const { status, json } = await create({ path: 'alias-refused', aliases });
    t.equal(status, 422, JSON.stringify(aliases).slice(0, 60));
    t.match(json.errors, [{ pointer, code }], JSON.stringify(aliases).slice(0, 60));
  }
  t.equal((await create({ path: 'alias-refused' })).status, 201);
});

t.test('aliases go with their link, once its path is free again, and engines are told', async (t) => {
  const { json } = await create({ path: 'alias-over', aliases: [on('over')] });
  t.equal((await call(t, api.baseUrl, `DELETE /links/${json.id}`, request)).status, 204);
  t.same(await addresses(json.id), [`${HOST}/over`], 'it stays taken as long as the path');
  t.equal((await create({ aliases: [on('over')] })).status, 409);
  await api.database.query({ text: `UPDATE links SET deleted_at = now() - interval '91 days' WHERE id = $1`, values: [json.id] });
  t.equal((await create({ path: 'alias-over' })).status, 201);
  t.equal(await fed(`${HOST}/over`), 2);
  t.equal((await create({ aliases: [on('over')] })).status, 201);
});

t.test('an alias of a link whose path is free again is free too, for every call that takes addresses', async (t) => {
  const other = (await create({ path: 'alias-taker' })).json.id;
  const calls: Readonly<Record<string, (path: string) => Promise<{ status: number }>>> = {
    'an alias of a new link': (path) => create({ aliases: [on(path)] }),
    'an alias of a link': (path) => patch(other, { aliases: [on(path)] }),
    'the path of a new link': (path) => create({ path }),
    'an alias in a bulk call': async (path) => (await bulk({ aliases: [on(path)] })).json.results[0],
    'a path in a bulk call': async (path) => (await bulk({ path })).json.results[0],
  };
  const bulk = (link: object) => call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: [link] } });
  for (const [index, [what, take]] of Object.entries(calls).entries()) {
    const path = `freed-${index}`;
    const { json } = await create({ aliases: [on(path)] });
    await call(t, api.baseUrl, `DELETE /links/${json.id}`, request);
    t.equal((await take(path)).status, 409, what);
    await api.database.query({ text: `UPDATE links SET deleted_at = now() - interval '91 days' WHERE id = $1`, values: [json.id] });
    t.match([200, 201].includes((await take(path)).status), true, what);
    t.same(await addresses(json.id), []);
  }
});

t.test('addresses on a domain that was lost stay with the link, whatever else of it is changed', async (t) => {
  const hostname = await verifiedDomain('lost.example.com');
  const { json: link } = await create({ path: 'lost', domain: hostname, aliases: [on('Sale', hostname)] });
  t.match(link.url, /lost\.example\.com/);
  const { json: domains } = await call(t, api.baseUrl, 'GET /domains', request);
  const { id } = domains.data.find((domain: { hostname: string }) => domain.hostname === hostname);
  t.equal((await call(t, api.baseUrl, `DELETE /domains/${id}`, request)).status, 204);
  const more = [on('Sale', hostname), on('lost/more')];
  const changed = await patch(link.id, { aliases: more, domain: hostname });
  t.match(changed, { status: 200, json: { aliases: more, domain: hostname } });
  t.notMatch(changed.json.url, /lost\.example\.com/, 'which is shown on the link host meanwhile');
  for (const [body, pointer] of [
    [{ aliases: [...more, on('sale', hostname)] }, '/aliases/2/host'],
    [{ domain: 'other.example.com' }, '/domain'],
  ] as const)
    t.match(await patch(link.id, body), { status: 422, json: { errors: [{ pointer, code: 'unknown_domain' }] } });
});
