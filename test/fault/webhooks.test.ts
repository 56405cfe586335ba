import t from 'tap';
import { WEBHOOK_TIMEOUT_MS } from '../../shared/base/limits.js';
import { stalledDeliveries } from './stalled-deliveries.js';
import { BLACK_HOLES, blackHoledEndpoint, hungThread, killedThroughout, postgresRestarts } from './webhook-scenarios.js';

t.setTimeout(3_600_000);

t.test('none of 100,000 events is lost while a thread, the process or PostgreSQL is killed every 3 s', (t) =>
  killedThroughout(t, { events: 100_000, everyMs: 3000, leaseMs: 9000, kills: [9, Number.POSITIVE_INFINITY] }),
);

t.test('deliveries go on within 5 s after each of twenty restarts of PostgreSQL', (t) => postgresRestarts(t, 20, 5000));

t.test('a delivery attempt times out after 10 to 10.5 s, at whatever step its receiver stalls', (t) =>
  stalledDeliveries(t, WEBHOOK_TIMEOUT_MS, 10_500),
);

t.test('health reports a hanging delivery thread within 15 s', async (t) => {
  const tookMs = await hungThread(t, 10_000);
  t.ok(tookMs < 15_000, `${tookMs} ms`);
});

for (const [way, swallow] of Object.entries(BLACK_HOLES))
  t.test(`one endpoint of twenty ${way}: the others keep 95 % of their rate, and 99 % of their deliveries arrive within 1 s`, (t) =>
    blackHoledEndpoint(t, swallow, { rounds: 11, steadySeconds: 10, throughputShareMin: 0.95, p99MsMax: 1000 }),
  );
