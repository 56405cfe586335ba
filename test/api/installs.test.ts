import t from 'tap';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const device = { os: 'ios', os_version: '17.5' };
const open = (install: string, first: boolean) =>
  send(api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body: { install_id: install, first_open: first, device } });
const erase = (install: string, key = api.liveKey) => send(api.baseUrl, `DELETE /installs/${encodeURIComponent(install)}`, { key });

/** The number of rows, of any table, that mention the installation. */
async function mentions(install: string): Promise<number> {
  const { rows } = await api.database.query<{ n: number }>({
    text: `SELECT (SELECT count(*) FROM installs i WHERE strpos(i::text, $1) > 0) + (SELECT count(*) FROM tracked_events e WHERE strpos(e::text, $1) > 0)
             + (SELECT count(*) FROM events e WHERE strpos(e::text, $1) > 0)
             + (SELECT count(*) FROM app_opens o WHERE strpos(o::text, $1) > 0)
             + (SELECT count(*) FROM idempotency_keys k WHERE strpos(k::text, $1) > 0) AS n`,
    values: [install],
  });
  return Number(rows[0]?.n);
}

t.test('an erased installation is mentioned nowhere, others are as they were, and erasing it again is 404', async (t) => {
  const odd = 'phone-1 "x" /%2F ü';
  for (const install of [odd, 'phone-2']) {
    t.equal((await open(install, true)).status, 200);
    const tracked = { name: 'sale', install_id: install, properties: { note: 'x' } };
    t.equal((await send(api.baseUrl, 'POST /sdk/events', { key: api.liveAppKey, body: tracked })).status, 201);
  }
  const before = await mentions('phone-2');
  t.ok(before > 0 && (await mentions('phone-1')) > 0);
  t.equal((await erase(odd, api.testKey)).status, 404, 'of another environment');
  t.equal((await erase(odd)).status, 204);
  t.equal(await mentions('phone-1'), 0);
  t.equal(await mentions('phone-2'), before);
  t.match(await erase(odd), { status: 404, json: { code: 'not_found' } });
  t.equal((await open(odd, true)).json.attribution, 'organic', 'the app may begin again');
});

t.test('an answer that is remembered for an Idempotency-Key is erased with its installation', async (t) => {
  const calls = [
    ['POST /sdk/opens', api.liveAppKey, { install_id: 'kept-1', first_open: true, device }],
    ['POST /sdk/events', api.liveAppKey, { install_id: 'kept-1', name: 'sale', properties: { note: 'private' } }],
    ['POST /events', api.liveKey, { install_id: 'kept-1', name: 'sale', properties: { note: 'private' } }],
  ] as const;
  const sendAll = async () => {
    const replayed: boolean[] = [];
    for (const [index, [route, key, body]] of calls.entries()) {
      const headers = { 'idempotency-key': `00000000-0000-4000-8000-00000000000${index}` };
      const answer = await send(api.baseUrl, route, { key, body, headers });
      t.ok(answer.status < 300, route);
      replayed.push(answer.headers.get('idempotent-replayed') === 'true');
    }
    return replayed;
  };
  t.same(await sendAll(), [false, false, false]);
  t.same(await sendAll(), [true, true, true]);
  t.equal((await erase('kept-1', api.testKey)).status, 404, 'of another environment');
  t.equal((await erase('kept-1')).status, 204);
  t.equal(await mentions('kept-1'), 0);
  t.same(await sendAll(), [false, false, false], 'the requests are new ones');
});

t.test('what a receiver repeated, and a remembered replay, are erased with the installation', async (t) => {
  const webhook = await send(api.baseUrl, 'POST /webhooks', {
    key: api.liveKey,
    body: { url: 'https://hooks.example.com/erased', events: ['event.tracked'] },
  });
  t.equal(webhook.status, 201);
  for (const install_id of ['echoed-1', 'echoed-2'])
    t.equal((await send(api.baseUrl, 'POST /events', { key: api.liveKey, body: { name: 'sale', install_id } })).status, 201);
  await api.database.query({
    text: `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, response_code = 200,
             response_body = (SELECT body FROM events WHERE events.id = webhook_deliveries.event_id)`,
    values: [],
  });
  const deliveries = async () => (await send(api.baseUrl, `GET /webhooks/${webhook.json.id}/deliveries`, { key: api.liveKey })).json.data;
  const own = (await deliveries()).find(({ request_body }: { request_body: string }) => request_body.includes('echoed-1'));
  const replay = () =>
    send(api.baseUrl, `POST /webhooks/${webhook.json.id}/deliveries/${own.id}/replay`, {
      key: api.liveKey,
      headers: { 'idempotency-key': '00000000-0000-4000-8000-00000000000a' },
    });
  t.match(await replay(), { status: 202, text: /echoed-1/ });
  t.equal((await erase('echoed-1')).status, 204);
  t.match(await replay(), { status: 409, json: { code: 'conflict' } });
  const { rows } = await api.database.query<{ response_body: string | null }>({
    text: `SELECT response_body FROM webhook_deliveries WHERE webhook_id = $1 AND response_body IS NOT NULL`,
    values: [webhook.json.id],
  });
  t.equal(rows.length, 1);
  t.match(rows[0]?.response_body, /echoed-2/);
  t.notMatch(JSON.stringify(await deliveries()), /echoed-1/);
});

t.test('an installation whose id is as long as ids may be can be erased', async (t) => {
  const longest = '\u{1F4F1}'.repeat(64);
  t.equal((await open(longest, true)).status, 200);
  t.equal((await erase(longest)).status, 204);
});

const NEVER_KEPT = /address|screen|language|timezone|user_agent/;

t.test('installations are read with what they came from, and no more than what the app sent', async (t) => {
  const link = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'led', campaign: null } })).json;
  const body = {
    install_id: 'led-1',
    first_open: true,
    opened_url: link.url,
    device: { ...device, model: 'iPhone15,2', language: 'de-DE', screen: '1x1' },
  };
  t.equal((await send(api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body })).json.attribution, 'attributed');
  t.equal((await open('led-2', true)).status, 200);
  const { status, json } = await send(api.baseUrl, 'GET /installs/led-1', { key: api.liveKey });
  t.equal(status, 200);
  t.match(json, {
    install_id: 'led-1',
    environment: 'live',
    platform: 'ios',
    os_version: '17.5',
    model: 'iPhone15,2',
    attribution: 'attributed',
    match_type: 'opened_url',
    guaranteed: false,
    reason: 'matched',
    click_id: null,
    link_id: link.id,
    campaign: null,
    resource_type: null,
    item_id: null,
  });
  t.notMatch(JSON.stringify(json), NEVER_KEPT);
  t.equal((await send(api.baseUrl, 'GET /installs/led-1', { key: api.testKey })).status, 404, 'of another environment');
  t.equal((await send(api.baseUrl, 'GET /installs/%00', { key: api.liveKey })).status, 404);

  const list = async (query: string, key = api.liveKey) => (await send(api.baseUrl, `GET /installs?${query}`, { key })).json;
  const names = (answer: { data: { install_id: string }[] }) => answer.data.map(({ install_id }) => install_id);
  const first = await list('limit=1');
  t.same(names(first), ['led-2'], 'newest first');
  t.same(names(await list(`limit=1&cursor=${first.next_cursor}`)), ['led-1']);
  t.same(names(await list(`link=${link.id}`)), ['led-1']);
  t.same(names(await list('attribution=attributed')), ['led-1']);
  t.same(names(await list('campaign=none')), []);
  t.same(names(await list('', api.testKey)), []);
});

t.test('a later open through a link is counted, and erased with its installation', async (t) => {
  const link = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'again' } })).json;
  t.equal((await open('again-1', true)).status, 200);
  const again = { install_id: 'again-1', first_open: false, opened_url: link.url, device };
  t.equal((await send(api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body: again })).json.attribution, 'reengaged');
  const opens = async () => (await send(api.baseUrl, `GET /stats/conversions?link=${link.id}`, { key: api.liveKey })).json.totals.opens;
  t.equal(await opens(), 1);
  t.equal((await erase('again-1')).status, 204);
  t.equal(await mentions('again-1'), 0);
  t.equal(await opens(), 0);
});

/**
 * One event of the installation that PostgreSQL cannot read as JSON, and one of another installation whose properties name the
 * first one.
 */
t.test('an installation is erased whatever its events hold, and only its own events', async (t) => {
  const track = (install_id: string, properties: object) =>
    send(api.baseUrl, 'POST /sdk/events', { key: api.liveAppKey, body: { name: 'sale', install_id, properties } });
  for (const odd of ['\0', 'a\\u0000', '\ud800', '\\\0', '"install_id":"odd-1"']) {
    t.equal((await track('odd-1', { odd })).status, 201);
    t.equal((await track('odd-2', { odd, data: { install_id: 'odd-1' } })).status, 201);
  }
  const { rows: before } = await api.database.query({ text: `SELECT id FROM events WHERE strpos(body, '"odd-2"') > 0`, values: [] });
  t.equal(before.length, 5);
  t.equal((await erase('odd-1')).status, 204);
  const { rows: left } = await api.database.query({
    text: `SELECT (SELECT count(*)::integer FROM events WHERE strpos(body, '"install_id":"odd-1","') > 0) AS own,
             (SELECT count(*)::integer FROM events WHERE strpos(body, '"odd-2"') > 0) AS others`,
    values: [],
  });
  t.same(left, [{ own: 0, others: 5 }]);
});

t.test('an erasure that fails half way leaves the installation known, so that it can be asked for again', async (t) => {
  t.equal((await open('half-1', true)).status, 200);
  await api.database.query({
    text: `CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
           CREATE TRIGGER refuse BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_deletion()`,
    values: [],
  });
  t.equal((await erase('half-1')).status, 500);
  await api.database.query({ text: 'DROP FUNCTION refuse_deletion CASCADE', values: [] });
  t.ok((await mentions('half-1')) > 0);
  t.equal((await erase('half-1')).status, 204);
  t.equal(await mentions('half-1'), 0);
});

t.test('an installation is erased as it was read, or not at all', async (t) => {
  t.equal((await open('tagged-1', true)).status, 200);
  const { headers } = await send(api.baseUrl, 'GET /installs/tagged-1', { key: api.liveKey });
  const eraseIf = (tag: string) => send(api.baseUrl, 'DELETE /installs/tagged-1', { key: api.liveKey, headers: { 'if-match': tag } });
  t.match(await eraseIf('"stale"'), { status: 412, json: { code: 'precondition_failed' } });
  t.equal((await eraseIf(headers.get('etag') ?? '')).status, 204);
});
