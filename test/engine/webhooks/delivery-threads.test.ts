import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import type { Delivery } from '../../../engine/webhooks/deliver.js';
import { DeliveryThreads } from '../../../engine/webhooks/delivery-threads.js';
import { monotonicClock } from '../../../shared/base/clock.js';
import { createLogger } from '../../../shared/base/log.js';
import { until } from '../../support/until.js';

function deliveryTo(url: string, key: number): Delivery {
  return {
    key,
    delivery_id: 'whd_1',
    event_type: 'link.created',
    body: '{}',
    url,
    secrets: ['whsec_a'],
    lease_ends_at_ms: monotonicClock() + 60_000,
  };
}

/** A server that accepts connections and never answers. */
async function startSilentServer(t: Test): Promise<{ readonly origin: string; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  return { origin: `http://127.0.0.1:${(silent.address() as { port: number }).port}`, sockets };
}

t.test('threads count as failing after a failure, until one reports a result or none has failed for a minute', async (t) => {
  const { origin } = await startSilentServer(t);
  let now = 0;
  const reported: number[] = [];
  const lost: number[] = [];
  const threads = new DeliveryThreads({
    serviceName: 'Service',
    allow: [origin],
    timeoutMs: 10_000,
    threads: 1,
    module: new URL('../../fixtures/dying-deliver.worker.js', import.meta.url),
    log: createLogger('test', 'silent'),
    onReports: (reports) => reported.push(...reports.map(({ key }) => key)),
    onLost: (keys) => lost.push(...keys),
    now: () => now,
  });
  t.teardown(() => threads.stop());
  t.same(threads.stats(), { failures: 0, failing: false });

  // Not a public address: the guard refuses it at once, and the refusal is reported.
  threads.send([deliveryTo('https://127.0.0.1/', 1)]);
  await until(() => reported.length === 1);
  threads.send([deliveryTo(`${origin}/dies`, 2)]);
  await until(() => lost.includes(2));
  t.match(threads.stats(), { failing: true });
  now = 59_999;
  t.match(threads.stats(), { failing: true });
  now = 60_000;
  t.match(threads.stats(), { failing: false }, 'there may have been nothing to report');

  threads.send([deliveryTo(`${origin}/dies`, 3)]);
  await until(() => lost.includes(3));
  t.match(threads.stats(), { failing: true });
  threads.send([deliveryTo('https://127.0.0.1/', 4)]);
  await until(() => reported.includes(4));
  t.match(threads.stats(), { failing: false });
});

t.test('deliveries that must be sent alone and wait until their lease is too short are reported as not sent', async (t) => {
  const { origin, sockets } = await startSilentServer(t);
  const unsent: number[] = [];
  const threads = new DeliveryThreads({
    serviceName: 'Service',
    allow: [origin],
    timeoutMs: 10_000,
    threads: 1,
    log: createLogger('test', 'silent'),
    onReports: (reports) => unsent.push(...reports.filter(({ result }) => result === null).map(({ key }) => key)),
    onLost: () => t.fail('no delivery is lost'),
  });
  t.teardown(() => threads.stop());
  threads.sendAlone([1, 2, 3, 4, 5, 6].map((key) => deliveryTo(`${origin}/`, key)));
  await until(() => sockets.length === 4, 'four at once', 60_000);
  const now = monotonicClock();
  threads.dropLate(now);
  t.same(unsent, [], 'there is time');
  threads.dropLate(now + 55_000);
  t.same(unsent, [5, 6]);
});
