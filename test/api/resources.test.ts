import t from 'tap';
import { forgetOldAnswers, forgetReplacedAnswers } from '../../control-plane/resources/invalidate.js';
import { insertResourceType } from '../support/resource-type.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const putBody = { url_template: 'https://api.example.com/{id}', field_mapping: { title: 'name' } };

async function typeWithApi(key: string): Promise<string> {
  const type = await insertResourceType(api.database, api.live.id, key);
  await call(t, api.baseUrl, `PUT /resource-types/${type}/metadata-api`, { key: api.liveKey, body: putBody });
  return type;
}

interface Remembered {
  readonly outcome?: 'ok' | 'missing';
  readonly generation?: number;
  /** In seconds from now. */
  readonly keepFor?: number;
}

async function remember(type: string, item: string, { outcome = 'ok', generation = 1, keepFor = 60 }: Remembered = {}): Promise<void> {
  await api.database.query({
    text: `INSERT INTO metadata_answers (resource_type_id, generation, item_id, outcome, meaning, metadata, fetched_at, expires_at, keep_until)
           VALUES ($1, $2, $3, $4, $5, $6, now(), now(), now() + make_interval(secs => $7))
           ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET outcome = excluded.outcome, meaning = excluded.meaning,
             metadata = excluded.metadata, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, keep_until = excluded.keep_until`,
    values: [type, generation, item, outcome, outcome === 'ok' ? 'published' : null, outcome === 'ok' ? '{"title":"x"}' : null, keepFor],
  });
}

async function invalidate(resource_type: string, ids: unknown, key = api.liveKey) {
  return call(t, api.baseUrl, 'POST /resources/invalidate', { key, body: { resource_type, ids } });
}

t.test('removed counts the ids that had a usable answer, requested those that were sent', async (t) => {
  const type = await typeWithApi('counted');
  await remember(type, 'a');
  await remember(type, 'b', { outcome: 'missing' });
  await remember(type, 'past', { keepFor: -1 });
  await remember(type, 'replaced', { generation: 0 });
  await remember(type, 'other');
  const ids = ['a', 'b', 'a', 'past', 'replaced', 'never', 'ü/?#'];
  t.strictSame((await invalidate('counted', ids)).json, { resource_type: 'counted', requested: 7, removed: 2 });
  t.strictSame((await invalidate('counted', ids)).json, { resource_type: 'counted', requested: 7, removed: 0 }, 'gone is gone');
  t.strictSame((await invalidate('counted', ['other'])).json.removed, 1, 'other items are left alone');
});

t.test('engines are told of every item once, after the commit', async (t) => {
  const type = await typeWithApi('told');
  const pokes = api.pokes();
  await invalidate('told', ['1', '2', '2']);
  t.equal(api.pokes(), pokes + 1);
  const { rows } = await api.database.query({
    text: `SELECT environment_id, object_id, object_key FROM config_feed WHERE kind = 'metadata_answer' AND object_id LIKE $1 || '/%' ORDER BY object_key`,
    values: [type],
  });
  t.strictSame(
    rows,
    ['1', '2'].map((item) => ({ environment_id: api.live.id, object_id: `${type}/${item}`, object_key: item })),
  );
});

t.test('a call that had begun before an invalidation cannot put its answer back, also for an item that was not remembered', async (t) => {
  const type = await typeWithApi('fenced');
  const numberOf = async (item: string): Promise<string> => {
    const { rows } = await api.database.query<{ invalidation: string }>({
      text: 'SELECT invalidation FROM metadata_answers WHERE resource_type_id = $1 AND generation = 1 AND item_id = $2',
      values: [type, item],
    });
    return rows[0]?.invalidation ?? '0';
  };
  /** Runs the statement with which an engine stores the answer to a call that began when the item had this invalidation number. */
  const store = async (item: string, known: string): Promise<number> =>
    (
      await api.database.query({
        text: `INSERT INTO metadata_answers AS stored (resource_type_id, generation, item_id, invalidation, outcome, fetched_at, expires_at, keep_until)
               VALUES ($1, 1, $2, $3, 'missing', now(), now(), now() + interval '1 hour')
               ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET outcome = excluded.outcome, meaning = NULL, metadata = NULL,
                 fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, keep_until = excluded.keep_until
               WHERE stored.invalidation = excluded.invalidation`,
        values: [type, item, known],
      })
    ).rowCount;
  await remember(type, 'known');
  for (const item of ['known', 'new']) {
    const before = await numberOf(item);
    await invalidate('fenced', [item]);
    t.equal(await store(item, before), 0, `${item}: the late answer is thrown away`);
    const between = await numberOf(item);
    t.equal(await store(item, between), 1, `${item}: one to a call begun since is kept`);
    await invalidate('fenced', [item]);
    t.equal(await store(item, between), 0, `${item}: until the next invalidation`);
  }
});

t.test('a new configuration remembers nothing of the old one', async (t) => {
  const type = await typeWithApi('renewed');
  await remember(type, 'a');
  await call(t, api.baseUrl, `PUT /resource-types/${type}/metadata-api`, { key: api.liveKey, body: putBody });
  t.strictSame((await invalidate('renewed', ['a'])).json.removed, 0);
  await remember(type, 'a', { generation: 2 });
  t.strictSame((await invalidate('renewed', ['a'])).json.removed, 1);
});

t.test('what no longer says anything is deleted in batches', async (t) => {
  const type = await typeWithApi('swept');
  await api.database.query({ text: 'DELETE FROM metadata_answers', values: [] });
  for (let at = 0; at < 5; at++) await remember(type, `past ${at}`, { keepFor: -1 });
  for (let at = 0; at < 3; at++) await remember(type, `replaced ${at}`, { generation: 0 });
  await remember(type, 'kept');
  t.equal(await forgetOldAnswers(api.database, 3), 3);
  t.equal(await forgetOldAnswers(api.database, 3), 2);
  t.equal(await forgetReplacedAnswers(api.database, 2), 2);
  t.equal(await forgetReplacedAnswers(api.database, 2), 1);
  const { rows } = await api.database.query({ text: 'SELECT item_id FROM metadata_answers', values: [] });
  t.strictSame(rows, [{ item_id: 'kept' }]);
});

t.test('a type without a metadata API remembers nothing, and an unknown one is named', async (t) => {
  await insertResourceType(api.database, api.live.id, 'plain');
  t.strictSame((await invalidate('plain', ['1'])).json, { resource_type: 'plain', requested: 1, removed: 0 });
  for (const [key, keyOfCaller] of [
    ['unknown', api.liveKey],
    ['plain', api.testKey],
    ['Plain', api.liveKey],
  ] as const)
    t.match(await invalidate(key, ['1'], keyOfCaller), {
      status: 422,
      json: { errors: [{ in: 'body', pointer: '/resource_type', code: 'unknown_resource_type' }] },
    });
});

t.test('a thousand ids go in one call and one more does not; each wrong id is named', async (t) => {
  const type = await typeWithApi('many');
  const ids = Array.from({ length: 1000 }, (_, at) => `item ${at}`);
  for (const item of ids.slice(0, 10)) await remember(type, item);
  t.strictSame((await invalidate('many', ids)).json, { resource_type: 'many', requested: 1000, removed: 10 });
  t.match(await invalidate('many', [...ids, 'x']), { status: 422, json: { errors: [{ pointer: '/ids', code: 'too_many' }] } });
  const wrong = await invalidate('none', ['ok', '', '..', 7, 'a\u0000', 'x'.repeat(257), null]);
  t.strictSame(wrong.json.errors.map((error: { pointer: string }) => error.pointer).sort(), [
    '/ids/1',
    '/ids/2',
    '/ids/3',
    '/ids/4',
    '/ids/5',
    '/ids/6',
    '/resource_type',
  ]);
});

t.test('invalidations of the same items in any order, at once and beside writers, all succeed', async (t) => {
  const type = await typeWithApi('crowded');
  const ids = Array.from({ length: 50 }, (_, at) => `i${at}`);
  for (const item of ids) await remember(type, item);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => invalidate('crowded', at % 2 === 0 ? ids : ids.toReversed())));
  t.ok(answers.every((answer) => answer.status === 200));
  t.equal(
    answers.reduce((sum, answer) => sum + answer.json.removed, 0),
    50,
    'each is removed once',
  );
});
