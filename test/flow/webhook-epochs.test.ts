import t from 'tap';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { call } from '../api/api-client.js';
import { startApiServer } from '../api/api-server.js';
import { until } from '../support/until.js';
import { SECRETS_KEYS, startDispatcher } from '../support/webhook-queue.js';
import { startReceiver } from '../support/webhook-receiver.js';

for (const [shiftMs, clock] of [
  [-31_000, '31 s behind'],
  [31_000, '31 s ahead'],
] as const)
  t.test(`a control plane ${clock}: what is queued after an endpoint is enabled again is sent once, nothing from before`, async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
    const api = await startApiServer(t, {
      outboundAllow: [receiver.origin],
      secretKeys: parseSecretKeys(SECRETS_KEYS),
      clock: () => Date.now() + shiftMs,
    });
    const request = { key: api.liveKey };
    const { id: webhook, secret } = (
      await call(t, api.baseUrl, 'POST /webhooks', { ...request, body: { url: `${receiver.origin}/`, events: ['link.created'] } })
    ).json;
    receiver.trust(secret);
    const createLink = async () => (await call(t, api.baseUrl, 'POST /links', { ...request, body: {} })).json.id as string;
    const setStatus = (status: string) => call(t, api.baseUrl, `PATCH /webhooks/${webhook}`, { ...request, body: { status } });
    await createLink();
    await setStatus('disabled');
    await createLink();
    await setStatus('active');
    const after = await createLink();
    await startDispatcher(t, api.databaseUrl, { outboundAllow: [receiver.origin] });
    const statuses = async () => {
      const { rows } = await api.database.query<{ status: string }>({
        text: 'SELECT status FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
        values: [webhook],
      });
      return rows.map(({ status }) => status);
    };
    await until(async () => (await statuses()).every((status) => status !== 'pending'));
    t.same(await statuses(), ['abandoned', 'succeeded'], 'nothing is queued while it is disabled');
    t.match(receiver.received, [{ event: { type: 'link.created', data: { id: after } } }]);
    t.equal(receiver.received.length, 1);
  });
