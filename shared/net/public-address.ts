import ipaddr from 'ipaddr.js';

/**
 * Which addresses the service may call. Everything that is not a public unicast address by the IANA special-purpose
 * registries (https://www.iana.org/assignments/iana-ipv4-special-registry, .../iana-ipv6-special-registry) is refused:
 * a call to one could only reach the operator's own machines.
 */
const IPV4_REFUSED = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // public by the registry, but the platform itself on every Azure machine
  '169.254.0.0/16', // link local: the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Only global unicast is accepted, so that ranges assigned in the future are already refused. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV6_REFUSED = [
  '2001::/23', // protocol assignments, among them Teredo (2001::/32), which carries IPv4
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries IPv4
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Forms whose last 32 bits are the IPv4 address that the packet ends up at. They are judged by that address. */
const IPV6_EMBEDDING = [
  '::ffff:0:0/96', // mapped
  '::/96', // compatible (RFC 4291, deprecated); holds :: and ::1 too, which read as 0.0.0.0 and 0.0.0.1
  '::ffff:0:0:0/96', // translated (RFC 2765)
  '64:ff9b::/96', // NAT64 (RFC 6052)
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** ISATAP (RFC 5214): interface identifiers 0000:5efe and 0200:5efe are followed by an IPv4 address. */
const ISATAP = 0x5efe;

/**
 * Whether `address`, as a resolver or a socket writes it, is a public unicast address. Text that is not an address is not
 * public. An address with a zone (`fe80::1%eth0`) belongs to one link and is never public.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIpv4(ipaddr.IPv4.parse(address));
  return ipaddr.IPv6.isValid(address) && isPublicIpv6(ipaddr.IPv6.parse(address));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return !IPV4_REFUSED.some((range) => address.match(range));
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (IPV6_EMBEDDING.some((range) => address.match(range))) return isPublicIpv4(lastFourBytes(address));
  if (!address.match(IPV6_GLOBAL) || IPV6_REFUSED.some((range) => address.match(range))) return false;
  const [, , , , high, low] = address.parts;
  const isatap = low === ISATAP && (high === 0x0000 || high === 0x0200);
  return !isatap || isPublicIpv4(lastFourBytes(address));
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
