import t from 'tap';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const device = { os: 'ios', os_version: '17.5' };
const open = (install: string, first: boolean) =>
  send(api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body: { install_id: install, first_open: first, device } });
const erase = (install: string, key = api.liveKey) => send(api.baseUrl, `DELETE /installs/${encodeURIComponent(install)}`, { key });

/** Rows of any table that mention the installation. */
async function mentions(install: string): Promise<number> {
  const { rows } = await api.database.query<{ n: number }>({
    text: `SELECT (SELECT count(*) FROM installs i WHERE strpos(i::text, $1) > 0) + (SELECT count(*) FROM tracked_events e WHERE strpos(e::text, $1) > 0)
             + (SELECT count(*) FROM events e WHERE strpos(e::text, $1) > 0) AS n`,
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

t.test('an installation whose id is as long as ids may be can be erased', async (t) => {
  const longest = '\u{1F4F1}'.repeat(64);
  t.equal((await open(longest, true)).status, 200);
  t.equal((await erase(longest)).status, 204);
});
