import { isIP } from 'node:net';

/**
 * The host and every name above it, longest first: `a.b.example` gives `a.b.example`, `b.example`, `example`. A final
 * dot is dropped. An IP address has no names above it.
 */
export function hostSuffixes(host: string): string[] {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name.startsWith('[') || isIP(name) !== 0) return [name];
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
