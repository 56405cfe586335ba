import t from 'tap';
import { lockObjectCounts } from '../../control-plane/environment/lock.js';
import { TAGS_MAX } from '../../shared/base/limits.js';
import { within } from '../../shared/base/within.js';
import { readTreeFile } from '../support/source-tree.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

const create = (body: object) => call(t, api.baseUrl, 'POST /links', { ...request, body });
const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
const read = async (id: string) => (await call(t, api.baseUrl, `GET /links/${id}`, request)).json;

async function tagNamed(name: string): Promise<{ id: string; name: string } | undefined> {
  const { json } = await call(t, api.baseUrl, `GET /tags?search=${encodeURIComponent(name)}`, request);
  return json.data.find((tag: { name: string }) => tag.name === name);
}

async function linksWith(query: string): Promise<string[]> {
  const { json } = await call(t, api.baseUrl, `GET /links?${query}`, request);
  return json.data.map(({ id }: { id: string }) => id);
}

t.test('tags are made by their use, kept in the order given, replaced as a whole, and told of', async (t) => {
  const { json, status } = await create({ tags: ['spring', 'Print ä'] });
  t.equal(status, 201);
  t.same(json.tags, ['spring', 'Print ä']);
  t.same((await read(json.id)).tags, json.tags);
  t.match(await tagNamed('Print ä'), { name: 'Print ä', id: /^tag_[0-9a-z]{26}$/ });
  t.same((await patch(json.id, { tags: ['print', 'spring'] })).json.tags, ['print', 'spring']);
  t.same((await read(json.id)).tags, ['print', 'spring']);
  t.same((await patch(json.id, { title: 'x' })).json.tags, ['print', 'spring'], 'an absent field keeps its value');
  t.same((await patch(json.id, { tags: null })).json.tags, [], 'null clears it');
  const { rows } = await api.database.query<{ tags: string[] }>({
    text: `SELECT body::json #> '{data,tags}' AS tags FROM events WHERE body::json #>> '{data,id}' = $1 ORDER BY created_at, id`,
    values: [json.id],
  });
  t.same(
    rows.map(({ tags }) => tags),
    [['spring', 'Print ä'], ['print', 'spring'], ['print', 'spring'], []],
  );
});

t.test('links of one bulk call share their tags, and a link that is refused makes none', async (t) => {
  await create({ path: 'tags_taken' });
  const links = [
    { tags: ['bulk', 'both'] },
    { tags: ['both', 'bulk'] },
    {},
    { path: 'tags_taken', tags: ['of-a-taken-path'] },
    { tags: ['of-a-wrong-link'], path: 'no path' },
  ];
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.same(
    json.results.map(({ status, link }: { status: number; link?: { tags: string[] } }) => [status, link?.tags]),
    [
      [201, ['bulk', 'both']],
      [201, ['both', 'bulk']],
      [201, []],
      [409, undefined],
      [422, undefined],
    ],
  );
  t.equal((await create({ path: 'tags_taken', tags: ['of-a-taken-path'] })).status, 409);
  t.equal(await tagNamed('of-a-taken-path'), undefined);
  t.equal(await tagNamed('of-a-wrong-link'), undefined);
  t.same(await linksWith('tag=both'), [json.results[1].link.id, json.results[0].link.id]);
});

t.test('a tag that is renamed has its new name on every link at once, and one that is deleted is shown no more', async (t) => {
  const { json: link } = await create({ tags: ['before', 'stays'] });
  const tag = await tagNamed('before');
  const line = `/tags/${tag?.id}`;
  const renamed = await call(t, api.baseUrl, `PATCH ${line}`, { ...request, body: { name: 'after' } });
  t.match(renamed, { status: 200, json: { id: tag?.id, name: 'after' } });
  t.match(await read(link.id), { tags: ['after', 'stays'], updated_at: link.updated_at });
  t.same(await linksWith('tag=before'), []);
  t.same(await linksWith('tag=after'), [link.id]);
  const taken = await call(t, api.baseUrl, `PATCH ${line}`, { ...request, body: { name: 'stays' } });
  t.match(taken, { status: 409, json: { code: 'conflict' } });
  t.equal((await call(t, api.baseUrl, `GET ${line}`, request)).json.name, 'after');
  t.equal((await call(t, api.baseUrl, `DELETE ${line}`, request)).status, 204);
  t.same((await read(link.id)).tags, ['stays']);
  t.equal((await call(t, api.baseUrl, `GET ${line}`, request)).status, 404);
  t.same((await patch(link.id, { tags: ['after'] })).json.tags, ['after'], 'its name may be used again');
  t.not((await tagNamed('after'))?.id, tag?.id);
});

t.test('changes of names come one after the other, so that two tags that swap theirs cannot deadlock', async (t) => {
  await create({ tags: ['left'] });
  const path = `PATCH /tags/${(await tagNamed('left'))?.id}`;
  const renamed = await api.database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, api.live.id);
    const renaming = call(t, api.baseUrl, path, { ...request, body: { name: 'right' } });
    t.equal(await within(300, renaming), null);
    return { renaming };
  });
  t.equal((await renamed.renaming).status, 200);
});

t.test('another environment neither sees the tags nor shares them', async (t) => {
  await create({ tags: ['live-only'] });
  const tag = await tagNamed('live-only');
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const)
    t.equal((await call(t, api.baseUrl, `${method} /tags/${tag?.id}`, { key: api.testKey, body })).status, 404, method);
  const made = await call(t, api.baseUrl, 'POST /links', { key: api.testKey, body: { tags: ['live-only'] } });
  t.equal(made.status, 201);
  const { json } = await call(t, api.baseUrl, 'GET /tags', { key: api.testKey });
  t.same(
    json.data.map(({ name, id }: { name: string; id: string }) => [name, id === tag?.id]),
    [['live-only', false]],
  );
});

t.test('what is no tag is refused with its place', async (t) => {
  for (const [tags, pointer, code] of [
    ['spring', '/tags', 'wrong_type'],
    [['a', 'a'], '/tags', 'duplicate'],
    [Array.from({ length: 21 }, (_, index) => `t${index}`), '/tags', 'too_many'],
    [['ok', ''], '/tags/1', 'too_short'],
    [['x'.repeat(65)], '/tags/0', 'too_long'],
    [['a\u0000b'], '/tags/0', 'control_character'],
    [['a,b'], '/tags/0', 'invalid_format'],
    [['ok', ' lead'], '/tags/1', 'invalid_format'],
    [['trail '], '/tags/0', 'invalid_format'],
    [['   '], '/tags/0', 'invalid_format'],
    [[' '], '/tags/0', 'invalid_format'],
    [['a\u00a0'], '/tags/0', 'invalid_format'],
    [[7], '/tags/0', 'wrong_type'],
  ] as const) {
    const { status, json } = await create({ tags });
    t.equal(status, 422);
    t.match(json.errors, [{ pointer, code }]);
  }
});

/** Tags get names with blanks, as could be given once, and the migration that trims them runs. */
async function migrateBlanks(names: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, stored] of Object.entries(names))
    await api.database.query({ text: 'UPDATE tags SET name = $2 WHERE name = $1', values: [name, stored] });
  await api.database.query({ text: readTreeFile('control-plane/migrations/0060_names_of_tags.sql'), values: [] });
}

const viewOf = (tag: string) => call(t, api.baseUrl, 'POST /views', { ...request, body: { name: `of ${tag}.`, filters: { tag } } });

t.test('stored names with blanks at an end are trimmed, and tags whose names become one are one', async (t) => {
  const ids: string[] = [];
  for (const tags of [
    ['kept', 'to trim', 'merged'],
    ['merged', 'middle', 'first variant', 'second variant'],
    ['second variant', 'only blanks'],
  ]) {
    const { json } = await create({ tags });
    ids.push(json.id);
  }
  const trimmed = await tagNamed('to trim');
  const { json: view } = await viewOf('kept ');
  const { json: other } = await viewOf('kept');
  await migrateBlanks({
    'to trim': ' to trim\t',
    merged: 'kept ',
    'first variant': '\nvariant',
    'second variant': 'variant  ',
    'only blanks': '  ',
  });
  const links = await Promise.all(ids.map(read));
  t.same(
    links.map(({ tags }) => tags),
    [
      ['kept', 'to trim'],
      ['kept', 'middle', 'variant'],
      ['variant', '-'],
    ],
  );
  for (const { id, tags } of links) t.equal((await patch(id, { tags })).status, 200, 'the tags of a link can be sent back');
  t.same(await linksWith('tag=kept'), [ids[1], ids[0]]);
  t.same(await linksWith('tag=variant&sort=clicks&order=asc'), [ids[1], ids[2]], 'clicks of links have the same tags');
  t.equal((await tagNamed('to trim'))?.id, trimmed?.id);
  t.equal((await call(t, api.baseUrl, `GET /views/${view.id}`, request)).json.filters.tag, 'kept');
  t.same((await call(t, api.baseUrl, `GET /views/${other.id}`, request)).json, other);
});

t.test('an environment has so many tags at most', async (t) => {
  // In parts, because one statement would take longer than it may on a busy machine.
  for (let from = 1; from <= TAGS_MAX; from += 1000)
    await api.database.query({
      text: `INSERT INTO tags (id, environment_id, name, created_at, updated_at)
             SELECT new_id('tag_', now()), $1, 'many-' || n, now(), now() FROM generate_series($2::integer, $2::integer + 999) AS n`,
      values: [api.live.id, from],
    });
  const { status, json } = await create({ tags: ['one-too-many'] });
  t.equal(status, 422);
  t.match(json.errors, [{ pointer: '/tags', code: 'too_many' }]);
  t.equal((await create({})).status, 201, 'a link without tags is made');
  t.equal((await create({ tags: ['many-1', 'many-2'] })).status, 201, 'tags that exist need no room');
  await api.database.query({
    text: `DELETE FROM tags WHERE id IN (
             SELECT id FROM tags WHERE environment_id = $1 ORDER BY name = 'many-1', name LIKE 'many-%' DESC
             LIMIT (SELECT count(*) - $2::integer FROM tags WHERE environment_id = $1))`,
    values: [api.live.id, TAGS_MAX - 2],
  });
  const links = [['many-1'], ['new-1'], ['new-2', 'new-3'], ['many-1', 'new-2'], ['new-4'], ['new-1'], []].map((tags) => ({ tags }));
  const { json: made } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.same(
    made.results.map(
      ({ status, error }: { status: number; error?: { errors: [{ pointer: string }] } }) => error?.errors[0].pointer ?? status,
    ),
    [201, 201, '/links/2/tags', 201, '/links/4/tags', 201, 201],
    'each link of a call is refused for its own tags alone',
  );
});
