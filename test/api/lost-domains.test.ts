import t from 'tap';
import { checkDueDomains } from '../../control-plane/domains/due-checks.js';
import type { TxtLookup } from '../../control-plane/domains/txt-lookup.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const records = new Map<string, string[]>();
const lookUpTxt: TxtLookup = async (name) => {
  const found = records.get(name);
  return found === undefined ? { kind: 'none' } : { kind: 'answered', records: found };
};
const api = await startApiServer(t, { lookUpTxt });
const ask = (line: string, options: object = {}) => call(t, api.baseUrl, line, { key: api.liveKey, ...options });
const LINK_HOST = api.live.link_host;
const DEFAULT = `open.${LINK_HOST}`;

interface Added {
  readonly id: string;
  readonly hostname: string;
  readonly record: string;
}

async function verifiedDomain(hostname: string, key = api.liveKey): Promise<Added> {
  const { json } = await ask('POST /domains', { key, body: { hostname } });
  records.set(json.dns_record.name, [...(records.get(json.dns_record.name) ?? []), json.dns_record.value]);
  t.match(await ask(`POST /domains/${json.id}/verify`, { key }), { json: { status: 'verified' } });
  return { id: json.id, hostname, record: json.dns_record.name };
}

const remove = ({ id }: Added) => ask(`DELETE /domains/${id}`);

/** Simulates that the record has been missing for more than 72 hours. */
async function lose({ id, record }: Added): Promise<void> {
  records.delete(record);
  await api.database.query({
    text: `UPDATE domains SET missing_since = now() - interval '73 hours', next_check_at = now() WHERE id = $1`,
    values: [id],
  });
  await checkDueDomains(api.database, lookUpTxt, Date.now);
  t.match(await ask(`GET /domains/${id}`), { json: { status: 'failed' } });
}

const openHost = async () => (await ask('GET /environment')).json.open_host;
const setOpenHost = (open_host: string, key = api.liveKey) => ask('PATCH /environment', { key, body: { open_host } });

async function feedRows(kind: string, id: string): Promise<number> {
  const { rowCount } = await api.database.query({
    text: 'SELECT 1 FROM config_feed WHERE kind = $1 AND object_id = $2',
    values: [kind, id],
  });
  return rowCount;
}

t.test('a domain is not deleted while the open host is below it', async (t) => {
  const domain = await verifiedDomain('kept.acme.org');
  t.equal((await setOpenHost('app.kept.acme.org')).status, 200);
  t.match(await remove(domain), {
    status: 409,
    json: {
      code: 'conflict',
      detail: 'The open host app.kept.acme.org of the environment is below this domain: set another `open_host` first.',
    },
  });
  t.match(await ask(`GET /domains/${domain.id}`), { status: 200, json: { status: 'verified' } });
  const above = await verifiedDomain('acme.org');
  t.equal((await remove(domain)).status, 204, 'another verified domain allows the open host too');
  t.equal((await remove(above)).status, 409);
  t.equal((await setOpenHost(DEFAULT)).status, 200);
  t.equal((await remove(above)).status, 204);
  const { json: pending } = await ask('POST /domains', { body: { hostname: 'waiting.example.com' } });
  await api.database.query({
    text: 'UPDATE environments SET open_host = $2 WHERE id = $1',
    values: [api.live.id, 'app.waiting.example.com'],
  });
  t.equal((await ask(`DELETE /domains/${pending.id}`)).status, 204, 'one that is not verified never allowed it');
  t.equal((await setOpenHost(DEFAULT)).status, 200);
});

t.test('an open host below a domain that is lost is set back, and the next owner of the domain may have it', async (t) => {
  const domain = await verifiedDomain('lost.acme.org');
  t.equal((await setOpenHost('app.lost.acme.org')).status, 200);
  const before = (await ask('GET /environment')).json;
  const fed = await feedRows('environment', api.live.id);
  await lose(domain);
  t.equal(await openHost(), DEFAULT);
  t.equal(await feedRows('environment', api.live.id), fed + 1, 'engines are told');
  t.ok((await ask('GET /environment')).json.updated_at > before.updated_at);
  t.match(await setOpenHost('app.lost.acme.org'), { status: 422, json: { errors: [{ pointer: '/open_host', code: 'host_not_allowed' }] } });
  await verifiedDomain('lost.acme.org', api.testKey);
  t.equal((await setOpenHost('app.lost.acme.org', api.testKey)).status, 200);
  const own = await verifiedDomain('app.acme.org');
  await lose(own);
  t.equal(await feedRows('environment', api.live.id), fed + 1, 'an open host elsewhere stays');
});

t.test('if the open host of the beginning is somebody else’s, the number of the environment makes another one', async (t) => {
  const domain = await verifiedDomain('second.acme.org');
  t.equal((await setOpenHost('app.second.acme.org')).status, 200);
  await api.database.query({ text: 'UPDATE environments SET open_host = $2 WHERE id = $1', values: [api.test.id, DEFAULT] });
  await lose(domain);
  const { rows } = await api.database.query<{ number: number }>({
    text: 'SELECT number FROM environments WHERE id = $1',
    values: [api.live.id],
  });
  t.equal(await openHost(), `open-${rows[0]?.number}.${LINK_HOST}`);
});

const create = async (body: object) => (await ask('POST /links', { body })).json;
const urlOf = async (id: string) => (await ask(`GET /links/${id}`)).json.url;
const at = (path: string, host = LINK_HOST) => `https://${host}/${path}`;
const on = (path: string) => ({ host: LINK_HOST, path });
const patch = (id: string, body: object) => ask(`PATCH /links/${id}`, { body });

t.test('a domain is not deleted while links would get addresses that are aliases of others', async (t) => {
  const domain = await verifiedDomain('three.acme.org');
  const shown = await create({ path: 'clash1', domain: domain.hostname, aliases: [on('clash1-own')] });
  const also = await create({ path: 'clash2', domain: domain.hostname });
  await create({ path: 'clash-none', domain: domain.hostname, aliases: [on('clash-none')] });
  const owner = await create({ path: 'clash-owner', aliases: [on('clash1'), on('clash2'), on('clash3')] });
  const refused = await remove(domain);
  t.match(refused, {
    status: 409,
    json: {
      code: 'conflict',
      detail: `Without this domain 2 links would have the address of another link's alias, first ${LINK_HOST}/clash1: take such aliases away, or give the links another \`domain\` first.`,
    },
  });
  t.equal(await urlOf(shown.id), at('clash1', domain.hostname));
  t.equal((await patch(owner.id, { aliases: [on('clash2')] })).status, 200);
  t.match(
    (await remove(domain)).json.detail,
    new RegExp(`^Without this domain 1 link would .* first ${LINK_HOST}/clash2: .* give the link another`),
  );
  t.equal((await ask(`DELETE /links/${also.id}`)).status, 204);
  t.equal((await remove(domain)).status, 204, 'the address of a deleted link is in nobody’s way');
  t.equal(await urlOf(shown.id), at('clash1'));
  t.match(await ask(`POST /links/${also.id}/restore`), {
    status: 409,
    json: { detail: `The address ${LINK_HOST}/clash2 is now an alias of another link: remove that alias first.` },
  });
  t.equal((await patch(owner.id, { aliases: [] })).status, 200);
  t.equal((await ask(`POST /links/${also.id}/restore`)).json.url, at('clash2'));
});

t.test('no URL of a link of a lost domain leads to another link', async (t) => {
  const domain = await verifiedDomain('four.acme.org');
  const shown = await create({ path: 'lost1', domain: domain.hostname });
  const moved = await create({ path: 'lost2', domain: domain.hostname });
  const owner = await create({ path: 'lost-owner', aliases: [on('lost1')] });
  await lose(domain);
  t.same([await urlOf(shown.id), await urlOf(moved.id)], [at('lost1', domain.hostname), at('lost2')]);
  const { json: list } = await ask('GET /links?path=lost1');
  t.equal(list.data[0].url, at('lost1', domain.hostname));
  t.equal((await patch(shown.id, { title: 'x' })).json.url, at('lost1', domain.hostname));
  t.match(await patch(shown.id, { domain: null }), { status: 409, json: { errors: [{ pointer: '/domain', code: 'taken' }] } });
  t.equal((await patch(owner.id, { aliases: [on('lost1'), on('lost2')] })).status, 409, 'no other link gets the address');
  t.match(await remove(domain), { status: 409, json: { detail: /1 link .*lost1/ } });
  t.equal((await patch(owner.id, { aliases: [] })).status, 200);
  t.equal(await urlOf(shown.id), at('lost1'), 'it has its address once the other gives it up');
  t.equal((await patch(owner.id, { aliases: [on('lost1')] })).status, 409);
  t.equal((await remove(domain)).status, 204);
});
