import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const ask = (line: string, body: object) => call(t, api.baseUrl, line, { ...request, body });
const { json: environment } = await send(api.baseUrl, 'GET /environment', request);
const { json: type } = await send(api.baseUrl, 'POST /resource-types', { ...request, body: { key: 'videos', name: 'Videos' } });
const alias = (path: string) => ({ host: environment.link_host, path });

/** Sends the same request twice. The second one is refused, and the answer names the field whose value is taken. */
for (const [line, body, pointer] of [
  ['POST /links', { path: 'spring' }, '/path'],
  ['POST /links', { aliases: [alias('sale')] }, '/aliases/0'],
  ['POST /campaigns', { key: 'summer', name: 'Summer' }, '/key'],
  ['POST /resource-types', { key: 'songs', name: 'Songs' }, '/key'],
  [
    'POST /url-templates',
    {
      resource_type_id: type.id,
      path_pattern: '/videos/{id}',
      id_format: { kind: 'preset', preset: 'numeric' },
      deep_link_path: '/videos/{id}',
    },
    '/path_pattern',
  ],
  ['POST /domains', { hostname: 'links.acme.org' }, '/hostname'],
  ['POST /webhooks', { url: 'https://hooks.example.com/a', events: ['link.created'] }, '/url'],
  ['POST /views', { name: 'Week' }, '/name'],
] as const)
  t.test(`${line} names ${pointer} if what it holds is taken`, async (t) => {
    const first = await ask(line, body);
    t.equal(first.status, 201, first.text);
    const { status, json } = await ask(line, body);
    t.match(
      { status, json },
      { status: 409, json: { code: 'conflict', errors: [{ pointer, in: 'body', code: 'taken', detail: 'is taken' }] } },
    );
    t.match(json.detail, /^[A-Z].*\.$/, 'the whole sentence');
  });

t.test('a path that is taken is told apart from an address that is an alias', async (t) => {
  const { json: link } = await ask('POST /links', { path: 'told-apart', aliases: [alias('told-too')] });
  const details = async () => {
    const { json: bulk } = await ask('POST /links/bulk', { links: [{ path: 'told-apart' }, { path: 'told-too' }] });
    return [
      (await ask('POST /links', { path: 'told-apart' })).json.detail,
      (await ask('POST /links', { path: 'told-too' })).json.detail,
      ...bulk.results.map(({ error }: { error: { detail: string } }) => error.detail),
    ];
  };
  const path = 'The path "told-apart" is taken.';
  const address = `The address ${environment.link_host}/told-too is an alias of another link.`;
  t.same(await details(), [path, address, path, address]);
  await call(t, api.baseUrl, `DELETE /links/${link.id}`, request);
  t.same(await details(), [path, address, path, address], 'nor is this another thing once the link is deleted');
});

t.test('a change to what something else has names the field', async (t) => {
  await ask('POST /links', { tags: ['one', 'two'], aliases: [alias('first')] });
  const { json: tags } = await call(t, api.baseUrl, 'GET /tags?search=one', request);
  t.match(await ask(`PATCH /tags/${tags.data[0].id}`, { name: 'two' }), { status: 409, json: { errors: [{ pointer: '/name' }] } });
  const { json: other } = await ask('POST /links', {});
  const changed = await ask(`PATCH /links/${other.id}`, { aliases: [alias('free'), alias('first')] });
  t.match(changed, { status: 409, json: { errors: [{ pointer: '/aliases/1' }] } });
});

t.test('of many links the pointer leads into the one whose value is taken', async (t) => {
  await ask('POST /links', { path: 'a', aliases: [alias('b')] });
  const links = [{ path: 'a' }, { aliases: [alias('free-too'), alias('b')] }, { path: 'c' }, { path: 'c' }];
  const { json } = await ask('POST /links/bulk', { links });
  const pointers = json.results.map((result: { error?: { errors: { pointer: string }[] } }) => result.error?.errors[0]?.pointer ?? null);
  t.same(pointers, ['/links/0/path', '/links/1/aliases/1', null, '/links/3/path']);
});

t.test('a limit is no value: no field is named', async (t) => {
  const blocked = await ask(`PATCH /resource-types/${type.id}`, { status: 'archived' });
  t.equal(blocked.status, 200);
  const { status, json } = await ask(`PATCH /resource-types/${type.id}`, { name: 'Other' });
  t.match([status, json.code, json.errors], [409, 'conflict', undefined]);
});
