import pg from 'pg';
import t, { type Test } from 'tap';
import { newId } from '../../shared/base/ids.js';
import { logClicks, loggedClick } from '../support/click-log.js';
import { until } from '../support/until.js';
import { startApiServer } from './api-server.js';
import { openStream } from './click-stream-client.js';

const api = await startApiServer(t);
const client = new pg.Client({ connectionString: api.databaseUrl });
await client.connect();
t.teardown(() => client.end());

async function ship(): Promise<void> {
  const { rows } = await client.query<{ number: number }>('SELECT number FROM environments WHERE id = $1', [api.live.id]);
  await logClicks(client, rows[0]?.number as number, [loggedClick(newId('link'), Date.now(), { path: 'p' })]);
}

/** The parts of a current id: seconds, transaction, and server. */
async function idOfNow(t: Test): Promise<[string, string, string]> {
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  await until(() => stream.lastEventId() !== undefined, 'an id');
  stream.close();
  const [at, xid, server] = (stream.lastEventId() as string).split('.') as [string, string, string];
  t.match(server, /^0-[0-9]{1,13}$/);
  return [at, xid, server];
}

t.test('a client whose id is of a server that was lost is told so, however many transactions the present one has begun', async (t) => {
  const [at, xid, server] = await idOfNow(t);
  const ofTheLost = `0-${BigInt(server.slice(2)) + 1n}`;
  for (let transaction = 0; transaction < 12; transaction++) await ship();
  // The failed server had reached this transaction. The standby that took over lacked its last ten transactions, and has assigned
  // their numbers again.
  for (const xidOfTheLost of [xid, `${BigInt(xid) + 10n}`]) {
    const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: `${at}.${xidOfTheLost}.${ofTheLost}` });
    await again.waitFor('reset');
    t.match(again.lastEventId(), new RegExp(`^[0-9]+\\.[0-9]+\\.${server}(\\.|$)`), 'and goes on with an id of this one');
    t.same(again.clickIds(), []);
    await ship();
    await again.waitFor('click');
    again.close();
  }
});

t.test('a client whose id is of the release before goes on from it', async (t) => {
  const [at, xid] = await idOfNow(t);
  await ship();
  const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: `${at}.${xid}` });
  await again.waitFor('click');
  t.notMatch(again.text(), /reset/);
});
