import { Registry } from 'prom-client';
import t from 'tap';
import { registerMetrics } from '../../../engine/processes/collected-metrics.js';
import { TLS_METRICS } from '../../../engine/tls/tls-metrics.js';

t.test('the metrics show how many certificates there are, how many faults, and when the first expires', async (t) => {
  const registry = new Registry();
  let earliest_expiry_ms: number | null = 1_800_000_000_000;
  registerMetrics(registry, TLS_METRICS, () => ({ certificates: 3, faults: 1, earliest_expiry_ms }));
  const value = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  t.equal(await value('tls_certificates'), 3);
  t.equal(await value('tls_certificate_faults'), 1);
  t.equal(await value('tls_certificate_expiry_timestamp_seconds'), 1_800_000_000);
  earliest_expiry_ms = null;
  t.equal(await value('tls_certificate_expiry_timestamp_seconds'), 0);
});
