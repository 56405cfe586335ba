import type { Registry } from 'prom-client';
import { collectGauge } from '../processes/collected-metrics.js';
import type { CertificateReloaderStats } from './certificate-reloader.js';

/** Registers the metrics that warn an operator before certificates expire. Every process of a host reads the same folder. */
export function registerTlsMetrics(registry: Registry, stats: () => CertificateReloaderStats): void {
  collectGauge(registry, { name: 'tls_certificates', help: 'Certificates in use' }, () => stats().certificates);
  collectGauge(registry, { name: 'tls_certificate_faults', help: 'Certificate files that cannot be used' }, () => stats().faults);
  const expiry = {
    name: 'tls_certificate_expiry_timestamp_seconds',
    help: 'Time at which the first certificate expires; 0 if there is none',
  };
  collectGauge(registry, expiry, () => (stats().earliest_expiry_ms ?? 0) / 1000);
}
