import t from 'tap';
import type { DemoDelivery, DemoServing } from '../../../control-plane/cli/demo-project.js';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { serveDemo } from '../../../deploy/demo/serve.js';
import { parseSecretKeys, seal, webhookSecretPlace } from '../../../shared/secrets/seal.js';
import { signatureHeader } from '../../../shared/webhooks/signature.js';
import { makeProject } from '../../support/control-plane.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { until } from '../../support/until.js';

const own = await createDatabase();
const pool = createPool(own.url, 2, 'demo-test', () => {});
const database = databaseOf(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});
const { environmentId } = await makeProject(own.url, 'shop');
const ORIGIN = 'http://127.0.0.1:4010';
await pool.query(
  `INSERT INTO webhook_endpoints (id, environment_id, url, description, events, secret, status, disabled_at, created_at, updated_at)
   VALUES ('wh_demo', $1, $2, 'linkd-demo', '{link.created}', $3, 'disabled', now(), now(), now())`,
  [environmentId, `${ORIGIN}/hooks`, seal(parseSecretKeys(TEST_SECRETS_KEYS), webhookSecretPlace('wh_demo'), 'whsec_demo')],
);
const statusOf = async () => (await pool.query<{ status: string }>('SELECT status FROM webhook_endpoints')).rows[0]?.status;
const deliveries = async () => (await pool.query('SELECT FROM webhook_deliveries')).rowCount;

/** Serves on a free port until the test ends it. */
async function serve(outboundAllow: string, options = {}) {
  const ending = new AbortController();
  const received: DemoDelivery[] = [];
  let listening: Parameters<DemoServing['onListening']>[0] | undefined;
  const served = serveDemo(
    { project: 'shop', host: '127.0.0.1', port: 0, ...options },
    ending.signal,
    {
      onListening: (at) => {
        listening = at;
      },
      onDelivery: (delivery) => received.push(delivery),
    },
    {
      database: () => database,
      environment: { SECRETS_KEYS: TEST_SECRETS_KEYS, OUTBOUND_ALLOW: outboundAllow, SERVICE_NAME: 'Shop' },
      nowMs: Date.now,
    },
  );
  await Promise.race([until(() => listening !== undefined, 'the server'), served]);
  const { listens, receives } = listening as NonNullable<typeof listening>;
  const end = async () => {
    ending.abort();
    await served;
  };
  return { address: `http://${listens}`, listens, receives, received, end };
}

t.test('the sample API is always served, and the endpoint is enabled only while OUTBOUND_ALLOW lets webhooks reach it', async (t) => {
  const closed = await serve('');
  t.equal(closed.receives, false);
  t.match(await (await fetch(`${closed.address}/shoes/1`)).json(), { shoe: { name: String, state: 'on_sale' } });
  t.equal(await statusOf(), 'disabled');
  const port = Number(new URL(closed.address).port);
  await t.rejects(serve('', { port }), { name: 'CommandError', message: /is used by another process; pass another --listen/ });
  await closed.end();
  await t.rejects(fetch(`${closed.address}/shoes/1`));
  t.equal(await deliveries(), 0);

  const open = await serve(`http://10.0.0.1,${ORIGIN}`);
  t.equal(open.receives, true);
  await until(async () => (await deliveries()) === 1, 'a sample event');
  t.equal(await statusOf(), 'active');
  await open.end();
  t.equal(await statusOf(), 'disabled');
  await t.rejects(serve('', { project: 'other' }), {
    name: 'CommandError',
    exitCode: 3,
    message: /no demo "other"; create it with: linkd demo/,
  });
});

t.test('linkd demo serve listens on the address that is given', async (t) => {
  const everywhere = await serve('', { host: '0.0.0.0' });
  t.match(everywhere.listens, /^0\.0\.0\.0:\d+$/);
  await everywhere.end();
});

t.test('only deliveries that the SDK verifies are accepted, and each request is reported', async (t) => {
  const { address, received, end } = await serve('');
  const body = JSON.stringify({ id: 'evt_1', type: 'link.created', test: true, data: {} });
  const post = async (secret: string | null, atSeconds: number, sent = body) => {
    const signature = secret === null ? {} : { 'x-shop-signature': signatureHeader(sent, atSeconds, [secret]) };
    return (await fetch(`${address}/hooks`, { method: 'POST', headers: { 'x-shop-delivery': 'dlv_1', ...signature }, body: sent })).status;
  };
  const now = Math.floor(Date.now() / 1000);
  t.equal(await post('whsec_demo', now), 204);
  t.equal(await post('whsec_other', now), 400);
  t.equal(await post('whsec_demo', now - 3600), 400);
  t.equal(await post(null, now), 400);
  t.match(received, [
    { delivery: 'dlv_1', event: 'evt_1', type: 'link.created', test: true, fault: null, response_code: 204 },
    { event: null, type: null, fault: 'no_match', response_code: 400 },
    { event: null, fault: 'outside_tolerance', response_code: 400 },
    { event: null, fault: 'missing_header', response_code: 400 },
  ]);
  await t.rejects(post('whsec_demo', now, 'x'.repeat(2 * 1024 ** 2)), 'a body longer than any event is refused');
  t.equal(received.length, 4);
  await end();
});
