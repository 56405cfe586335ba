import { integer, LIST, list, SettingError } from '../base/settings.js';
import { AddressRanges, RANGES_MAX } from './address-ranges.js';
import { PROXY_HOPS_MAX } from './client-address.js';

function ranges(value: string): AddressRanges | null {
  const cidrs = list((cidr) => cidr)(value);
  if (cidrs.length === 0) return null;
  if (cidrs.length > RANGES_MAX) throw new SettingError(`expected ${RANGES_MAX} addresses and CIDRs at most, got ${cidrs.length}`);
  const parsed = AddressRanges.parse(cidrs);
  if (parsed !== null) return parsed;
  const culprit = cidrs.find((cidr) => AddressRanges.parse([cidr]) === null);
  throw new SettingError(`expected addresses and CIDRs such as 10.0.0.0/8 or 2001:db8::/32, got "${culprit}"`);
}

/** Settings of both halves about the proxies in front of them. See `ProxyTrust` for how the two work together. */
export const proxySettings = {
  trustedProxyHops: {
    name: 'TRUSTED_PROXY_HOPS',
    help: 'number of proxies in front; the client address is that many entries from the right in X-Forwarded-For',
    fallback: '0',
    parse: integer(0, PROXY_HOPS_MAX),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    help: 'addresses and CIDRs of proxies, comma-separated: X-Forwarded-For is trusted only from them; without TRUSTED_PROXY_HOPS the client address is its last entry that is not a proxy',
    fallback: '',
    parse: Object.assign(ranges, { bound: LIST }),
  },
} as const;
