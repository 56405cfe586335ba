/** What proxies send if they do not know the country: Cloudflare `XX`, Google `ZZ`. */
const UNKNOWN: ReadonlySet<string> = new Set(['XX', 'ZZ']);

/** Returns the ISO 3166-1 alpha-2 code in a proxy's header, in capitals; '' if it has none, such as `T1` for Tor, or an unknown one. */
export function readCountryCode(header: string): string {
  if (!/^[A-Za-z]{2}$/.test(header)) return '';
  const code = header.toUpperCase();
  return UNKNOWN.has(code) ? '' : code;
}
