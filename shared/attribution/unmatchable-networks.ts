import { invariant } from '../base/invariant.js';
import { socketAddress } from '../net/address.js';
import { AddressRanges } from '../net/address-ranges.js';

/** Addresses that many people share at once, or that no visitor from outside has. A match by one would be a guess. */
const PRIVATE_AND_SHARED = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared by carriers (RFC 6598)
  '127.0.0.0/8', // loopback: a proxy on the same machine that is missing from the settings
  '169.254.0.0/16', // link local
  '172.16.0.0/12', // private
  '192.168.0.0/16', // private
  '224.0.0.0/3', // multicast and reserved
  '::/96', // unspecified, loopback, IPv4-compatible
  '64:ff9b::/96', // NAT64 (RFC 6052): shared by a whole carrier
  'fc00::/7', // unique local (RFC 4193)
  'fe80::/10', // link local
  'ff00::/8', // multicast
];

/**
 * Networks from which relays for whole countries connect: iCloud Private Relay, Cloudflare WARP. Apple's list
 * (https://mask-api.icloud.com/egress-ip-ranges.csv) has some 280,000 lines within these networks of Akamai, Cloudflare
 * and Fastly, from which no home, office or phone connects directly. Others are a setting, `RELAY_RANGES_FILE`.
 */
const RELAYS = [
  '172.224.0.0/12', // Akamai
  '2a02:26f7::/32',
  '104.28.0.0/16', // Cloudflare
  '2606:54c0::/30',
  '2a09:bac0::/29',
  '140.248.0.0/16', // Fastly
  '146.75.0.0/16',
  '2a04:4e41::/32',
];

/** Whether an address, given as text, cannot be used for a match. This includes text that is not an address. */
export type IsUnmatchable = (address: string) => boolean;

/** `further` are CIDRs of relays that the operator adds. */
export function unmatchableNetworks(further: readonly string[] = []): IsUnmatchable {
  const ranges = AddressRanges.parse([...PRIVATE_AND_SHARED, ...RELAYS, ...further]);
  invariant(ranges !== null, 'every network of the list is a CIDR');
  return (address) => {
    const bytes = socketAddress(address);
    return bytes.length === 0 || ranges.has(bytes);
  };
}
