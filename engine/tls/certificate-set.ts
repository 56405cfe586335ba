import type { Certificate } from './certificate.js';

/** What a listener presents. A set does not change after it has been built. */
export interface CertificateSet {
  /** For clients that send no host name, or none of these. */
  readonly fallback: Certificate;
  /** Keyed by host, or by `*.` and the rest of the host's labels. */
  readonly byName: ReadonlyMap<string, Certificate>;
  readonly notAfterMs: number;
}

/**
 * Returns null if there is no certificate. The fallback is the first in the order of file names. If several certificates cover a
 * name, the one that is valid longest is presented. `kept` is an earlier set: its certificates stay for names that no other one
 * covers.
 */
export function certificateSet(certificates: readonly Certificate[], kept: CertificateSet | null = null): CertificateSet | null {
  const byName = new Map<string, Certificate>();
  for (const certificate of certificates)
    for (const name of certificate.names) {
      const other = byName.get(name);
      if (other === undefined || other.notAfterMs < certificate.notAfterMs) byName.set(name, certificate);
    }
  for (const [name, certificate] of kept?.byName ?? []) if (!byName.has(name)) byName.set(name, certificate);
  const presented = [...new Set(byName.values())].toSorted((one, other) => (one.chainPath < other.chainPath ? -1 : 1));
  const [fallback] = presented;
  if (fallback === undefined) return null;
  return { fallback, byName, notAfterMs: Math.min(...presented.map(({ notAfterMs }) => notAfterMs)) };
}

/** Whether both present the same certificates to everybody. */
export function equalSets(one: CertificateSet, other: CertificateSet): boolean {
  if (one.byName.size !== other.byName.size || one.fallback.fingerprint !== other.fallback.fingerprint) return false;
  for (const [name, { fingerprint }] of one.byName) if (other.byName.get(name)?.fingerprint !== fingerprint) return false;
  return true;
}

/** Returns the certificate for a host (RFC 6125, section 6.4.3: a wildcard stands for one whole label). */
export function certificateFor({ byName, fallback }: CertificateSet, host: string): Certificate {
  const name = host.toLowerCase();
  return byName.get(name) ?? byName.get(`*${name.slice(name.indexOf('.'))}`) ?? fallback;
}
