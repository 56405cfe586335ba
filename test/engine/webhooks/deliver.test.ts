import t from 'tap';
import { deliver } from '../../../engine/webhooks/deliver.js';
import { WEBHOOK_TIMEOUT_MS } from '../../../shared/base/limits.js';
import { deliveryTo, stalledDeliveries } from '../../fault/stalled-deliveries.js';

t.test('one time limit covers everything: the name, the connection, the handshake, the head and the body', async (t) => {
  t.equal(WEBHOOK_TIMEOUT_MS, 10_000);
  // The long form of this test waits for the real limit. Timers are late if other work runs. Without the limit, none of the
  // deliveries would end.
  await stalledDeliveries(t, 1500, 10_000);
});

t.test('a delivery is not sent if its lease ends before its deadline, or if its URL is invalid', async (t) => {
  const context = {
    request: async () => t.fail('the delivery was sent') as never,
    clock: () => 5,
    monotonic: () => 1000,
    serviceName: 'Service',
    timeoutMs: 500,
  };
  t.equal(await deliver({ ...deliveryTo('https://hooks.example.com/'), lease_ends_at_ms: 1500 }, context), null);
  t.match(await deliver({ ...deliveryTo('no url'), lease_ends_at_ms: 9999 }, context), { error: 'invalid_request', response_code: null });
});
