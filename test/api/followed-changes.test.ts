import t from 'tap';
import { writeOnlyEngine } from '../support/engine-row.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const ask = (line: string, body?: object) => call(t, api.baseUrl, line, { ...request, ...(body === undefined ? {} : { body }) });
const rows = async (text: string, values: readonly unknown[] = []) => (await api.database.query<{ id: string }>({ text, values })).rows;
const create = async (): Promise<string> => (await ask('POST /links', {})).json.id;

/** The answer in milliseconds, and how often engines were told. */
async function timed(line: string, body?: object) {
  const [start, pokes] = [performance.now(), api.pokes()];
  const { status } = await ask(line, body);
  return { status, ms: performance.now() - start, pokes: api.pokes() - pokes };
}

/** An engine follows the feed up to its end, as it is by now. */
async function follow(): Promise<void> {
  await rows('UPDATE config_feed SET position = id WHERE position IS NULL');
  await rows('UPDATE engines SET applied_position = (SELECT max(position) FROM config_feed)');
}

const STOPPING = [
  ['DELETE', undefined, 204],
  ['PATCH', { status: 'disabled' }, 200],
] as const;

t.test('a deletion and a disabling are answered when engines show the link no more', async (t) => {
  for (const [method, body, expected] of STOPPING) {
    const id = await create();
    await writeOnlyEngine(rows);
    let answered = false;
    const answer = timed(`${method} /links/${id}`, body).finally(() => {
      answered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    t.notOk(answered, `${method} waits for the engine`);
    await follow();
    const { status, ms, pokes } = await answer;
    t.same([status, pokes], [expected, 1]);
    t.ok(ms < 4000, `${method} waits no longer than for the engine: ${ms} ms`);
  }
});

t.test('an engine that does not follow is waited for 5 seconds, and the change is done', async (t) => {
  for (const [method, body, expected] of STOPPING) {
    const id = await create();
    await writeOnlyEngine(rows);
    const { status, ms } = await timed(`${method} /links/${id}`, body);
    t.equal(status, expected);
    t.ok(ms > 4000, `${method} has waited: ${ms} ms`);
    const read = await ask(`GET /links/${id}`);
    t.equal(method === 'DELETE' ? read.status : read.json.status, method === 'DELETE' ? 404 : 'disabled');
  }
});

t.test('what stops no link is answered at once, and so is everything without an engine in touch', async (t) => {
  const id = await create();
  await writeOnlyEngine(rows);
  for (const body of [{ title: 'Else' }, { archived: true }, { title: 'Else' }]) {
    const { status, ms } = await timed(`PATCH /links/${id}`, body);
    t.equal(status, 200);
    t.ok(ms < 4000, `${JSON.stringify(body)}: ${ms} ms`);
  }
  await rows('DELETE FROM engines');
  for (const [method, body, expected] of [...STOPPING].reverse()) {
    const { status, ms } = await timed(`${method} /links/${id}`, body);
    t.equal(status, expected);
    t.ok(ms < 4000, `${method}: ${ms} ms`);
  }
});
