import t from 'tap';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { call, send } from '../api/api-client.js';
import { startApiServer } from '../api/api-server.js';
import { until } from '../support/until.js';
import { SECRETS_KEYS, startDispatcher } from '../support/webhook-queue.js';
import { isAccepted, startReceiver } from '../support/webhook-receiver.js';

/** The control plane's API and the engine's dispatcher on one database, as in production, and a receiver. */
async function startAll(t: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const api = await startApiServer(t, { outboundAllow: [receiver.origin], secretKeys: parseSecretKeys(SECRETS_KEYS) });
  await startDispatcher(t, api.databaseUrl, { outboundAllow: [receiver.origin], attemptTimeoutMs: 2000 });
  const created = await send(api.baseUrl, 'POST /webhooks', {
    key: api.liveKey,
    body: { url: `${receiver.origin}/`, events: ['link.created'] },
  });
  const webhook = created.json as { id: string; secret: string };
  receiver.trust(webhook.secret);
  return { receiver, api, webhook };
}

t.test('a replay repeats the delivered bytes, signed by both secrets while the old one is valid', async (t) => {
  const { receiver, api, webhook } = await startAll(t);
  const request = { key: api.liveKey };
  const line = `POST /webhooks/${webhook.id}`;
  const tested = (await call(t, api.baseUrl, `${line}/test`, request)).json;
  await until(async () => {
    const { data } = (await send(api.baseUrl, `GET /webhooks/${webhook.id}/deliveries?status=succeeded`, request)).json;
    return data.length === 1;
  });
  const { secret } = (await call(t, api.baseUrl, `${line}/rotate-secret`, request)).json;
  const replayed = (await call(t, api.baseUrl, `${line}/deliveries/${tested.id}/replay`, request)).json;
  await until(() => receiver.received.length === 2);
  const [first, second] = receiver.received;
  t.equal(second?.body, first?.body);
  t.equal(second?.event.id, tested.event_id);
  t.equal(second?.headers['x-service-delivery'], replayed.id);
  const header = String(second?.headers['x-service-signature']);
  t.match(header, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  for (const known of [secret, webhook.secret]) t.ok(isAccepted(second?.body ?? '', header, known));
  t.ok(isAccepted(second?.body ?? '', header.replace(/,v1=[0-9a-f]{64}$/, ''), secret), 'the signature with the new secret comes first');
});

t.test('a committed delivery reaches its receiver without waiting for the next poll', async (t) => {
  const { receiver, api, webhook } = await startAll(t);
  const waits: number[] = [];
  for (let count = 1; count <= 20; count++) {
    await send(api.baseUrl, `POST /webhooks/${webhook.id}/test`, { key: api.liveKey });
    const answeredAt = Date.now();
    await until(() => receiver.received.length === count);
    waits.push((receiver.received[count - 1]?.atMs ?? 0) - answeredAt);
  }
  waits.sort((a, b) => a - b);
  const median = waits[10] as number;
  t.comment(`from answer to receiver: median ${median} ms, longest ${waits.at(-1)} ms`);
  // With polling alone, the median would be 500 ms.
  t.ok(median < 250, `median ${median} ms`);
});
