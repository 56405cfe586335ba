import { randomUUID } from 'node:crypto';
import t from 'tap';
import { writeOnlyEngine } from '../support/engine-row.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const ask = (line: string, body?: object) => call(t, api.baseUrl, line, { ...request, ...(body === undefined ? {} : { body }) });
const rows = async (text: string, values: readonly unknown[] = []) => (await api.database.query<{ id: string }>({ text, values })).rows;
const alias = (path: string) => [{ host: api.live.link_host, path }];
const made = async (line: string, body: object): Promise<string> => (await ask(line, body)).json.id;

/** Too short for a call that waits 5 seconds, and too long for one that does not wait. */
const WAITING_MS = 300;
/** Less than the 5 seconds for which a call waits for an engine. */
const WAITED_MS = 4000;

/** The status of the answer, the time it took in milliseconds, and how often engines were poked. */
async function timed(line: string, body?: object) {
  const [start, pokes] = [performance.now(), api.pokes()];
  const { status } = await ask(line, body);
  return { status, ms: performance.now() - start, pokes: api.pokes() - pokes };
}

/** Simulates an engine that follows the feed up to its present end. */
async function follow(): Promise<void> {
  await rows('UPDATE config_feed SET position = id WHERE position IS NULL');
  await rows('UPDATE engines SET applied_position = (SELECT max(position) FROM config_feed)');
}

/** A change of what visitors see, and the status of its answer. */
type Change = readonly [line: string, body: object | undefined, status: number];

async function changes(): Promise<readonly Change[]> {
  const link = await made('POST /links', {});
  const type = await made('POST /resource-types', { key: 'product', name: 'Product' });
  const id_format = { kind: 'preset', preset: 'numeric' };
  const template = { resource_type_id: type, path_pattern: '/p/{id}', id_format, deep_link_path: '/{type}/{id}' };
  const campaign = await made('POST /campaigns', { key: 'spring', name: 'Spring' });
  return [
    [`PATCH /links/${link}`, { destinations: { web: 'https://else.test/' } }, 200],
    [`PATCH /links/${link}`, { status: 'disabled' }, 200],
    [`DELETE /links/${link}`, undefined, 204],
    [`POST /links/${link}/restore`, undefined, 200],
    ['POST /links', { aliases: alias('old.html') }, 201],
    ['POST /links/bulk', { links: [{}, { aliases: alias('older.html') }] }, 200],
    ['POST /url-templates', template, 201],
    [`PATCH /resource-types/${type}`, { name: 'Products' }, 200],
    [`PUT /resource-types/${type}/metadata-api`, { url_template: 'https://api.example.com/{id}', field_mapping: { title: 'name' } }, 200],
    ['PATCH /environment', { default_destinations: { web: 'https://home.test/' } }, 200],
    [`PATCH /campaigns/${campaign}`, { name: 'Summer' }, 200],
  ];
}

t.test('a change of what visitors see is answered when engines act by it', async (t) => {
  for (const [line, body, expected] of await changes()) {
    await writeOnlyEngine(rows);
    let answered = false;
    const answer = timed(line, body).finally(() => {
      answered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, WAITING_MS));
    t.notOk(answered, `${line} waits for the engine`);
    while (!answered) await follow();
    const { status, ms, pokes } = await answer;
    t.same([line, status, pokes], [line, expected, 1]);
    t.ok(ms < WAITED_MS, `${line} waits no longer than for the engine: ${ms} ms`);
  }
});

t.test('an engine that does not follow is waited for 5 seconds, and the change is done', async (t) => {
  const gone = await made('POST /links', {});
  await writeOnlyEngine(rows);
  const { status, ms } = await timed(`DELETE /links/${gone}`);
  t.equal(status, 204);
  t.ok(ms > WAITED_MS, `it has waited: ${ms} ms`);
  t.equal((await ask(`GET /links/${gone}`)).status, 404);
});

t.test('a link that has only its own path is looked up by its first visitor: its creation waits for no engine', async (t) => {
  await writeOnlyEngine(rows);
  await follow();
  for (const [line, body] of [
    ['POST /links', {}],
    ['POST /links/bulk', { links: [{}] }],
    ['POST /imports/links', { source: 'ndjson', rows: [{ path: 'imported', destinations: { web: 'https://a.test/' } }] }],
  ] as const) {
    const { ms, pokes } = await timed(line, body);
    t.ok(ms < WAITED_MS, `${line}: ${ms} ms`);
    t.equal(pokes, 1);
  }
});

t.test('a replayed answer waits as the first one did, because its call may have ended before engines acted by the change', async (t) => {
  const headers = { 'idempotency-key': randomUUID() };
  const type = await made('POST /resource-types', { key: 'replayed', name: 'Replayed' });
  const template = {
    resource_type_id: type,
    path_pattern: '/q/{id}',
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/{id}',
  };
  const create = () => call(t, api.baseUrl, 'POST /url-templates', { ...request, body: template, headers });
  await rows('DELETE FROM engines');
  t.equal((await create()).status, 201);
  await writeOnlyEngine(rows);
  await rows('UPDATE engines SET applied_position = applied_position - 1');
  const pokes = api.pokes();
  let answered = false;
  const replayed = create().finally(() => {
    answered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, WAITING_MS));
  t.notOk(answered);
  t.equal(api.pokes(), pokes + 1, 'the rows may have no position yet');
  while (!answered) await follow();
  const { status, headers: sent } = await replayed;
  t.same([status, sent.get('idempotent-replayed')], [201, 'true']);
});

t.test('engines that have left, that are silent, or that have followed nothing yet are not waited for', async (t) => {
  const others = [{ left: true }, { heartbeatAgo: '1 hour' }, {}];
  await rows('DELETE FROM engines');
  for (const facts of others) {
    const id = await writeOnlyEngine(rows, facts);
    if (facts === others.at(-1)) await rows('UPDATE engines SET applied_epoch = NULL, applied_position = NULL WHERE id = $1', [id]);
    const { status, ms } = await timed('PATCH /environment', { default_destinations: { web: `https://home.test/${id}` } });
    t.equal(status, 200);
    t.ok(ms < WAITED_MS || facts.heartbeatAgo !== undefined, `${JSON.stringify(facts)}: ${ms} ms`);
  }
});
