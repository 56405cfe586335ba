import { gauge, type Metric } from '../processes/collected-metrics.js';
import type { CertificateReloaderStats } from './certificate-reloader.js';

/** They warn an operator before certificates expire. Every process of a host reads the same folder. */
export const TLS_METRICS: readonly Metric<CertificateReloaderStats>[] = [
  gauge('tls_certificates', 'Certificates in use', (s) => s.certificates),
  gauge('tls_certificate_faults', 'Certificate files that cannot be used', (s) => s.faults),
  gauge(
    'tls_certificate_expiry_timestamp_seconds',
    'Time at which the first certificate expires; 0 if there is none',
    (s) => (s.earliest_expiry_ms ?? 0) / 1000,
  ),
];
