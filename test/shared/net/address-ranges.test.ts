import ipaddr from 'ipaddr.js';
import t from 'tap';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import fc from '../../support/properties.js';

function ranges(...cidrs: string[]): AddressRanges {
  const parsed = AddressRanges.parse(cidrs);
  if (parsed === null) throw new Error(`not CIDRs: ${cidrs}`);
  return parsed;
}

const bytes = (address: string) => Uint8Array.from(ipaddr.parse(address).toByteArray());

t.test('a network contains its addresses from first to last, in 4 bytes and in 16 bytes', async (t) => {
  const table: [cidr: string, inside: string[], outside: string[]][] = [
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['9.255.255.255', '11.0.0.0', '::a00:0', '2001:db8::']],
    ['10.1.2.3/8', ['10.0.0.0', '10.255.255.255'], ['11.0.0.0']],
    ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1'], ['192.0.2.0', '192.0.2.2']],
    ['192.0.2.0/31', ['192.0.2.0', '192.0.2.1'], ['192.0.2.2']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['2001:db8::1']],
    ['::ffff:10.0.0.0/104', ['10.255.0.1'], ['11.0.0.0']],
    ['2001:db8::/33', ['2001:db8::', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'], ['2001:db8:8000::', '2001:db7:ffff::']],
    ['2001:db8::1', ['2001:db8::1'], ['2001:db8::', '2001:db8::2']],
  ];
  for (const [cidr, inside, outside] of table) {
    for (const address of inside) t.ok(ranges(cidr).has(bytes(address)), `${address} in ${cidr}`);
    for (const address of outside) t.notOk(ranges(cidr).has(bytes(address)), `${address} not in ${cidr}`);
  }
  t.notOk(ranges().has(bytes('10.0.0.1')), 'without networks nothing is contained');
});

t.test('text that is not an address or CIDR is refused', async (t) => {
  for (const cidr of [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '2001:db8::/129',
    'fe80::1%eth0/64',
    '010.0.0.1',
    '10.0.0.1:80',
    '[::1]',
  ])
    t.equal(AddressRanges.parse([cidr]), null, cidr);
});

t.test('nested, repeated and disjoint networks give the same answer as a check of each one', async () => {
  const cidr = fc.oneof(
    fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`),
    fc
      .tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(128))
      .map(([raw, bits]) => `${ipaddr.fromByteArray([...raw])}/${bits}`),
    fc.tuple(fc.integer({ min: 8, max: 32 }), fc.nat(3)).map(([bits, last]) => `10.0.0.${last}/${bits}`),
  );
  const address = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    fc.nat(5).map((last) => Uint8Array.from([10, 0, 0, last])),
  );
  fc.assert(
    fc.property(fc.array(cidr, { maxLength: 30 }), address, (cidrs, candidate) => {
      const expected = cidrs.some((text) => {
        const [network, prefixBits] = ipaddr.parseCIDR(text);
        const rest = BigInt((network.kind() === 'ipv4' ? 32 : 128) - prefixBits);
        return asNumber(candidate) >> rest === asNumber(Uint8Array.from(network.toByteArray())) >> rest;
      });
      return ranges(...cidrs).has(candidate) === expected;
    }),
    { numRuns: 2000 },
  );
});

/** The 128 bits of an address. An IPv4 address is the end of an IPv4-mapped one. */
function asNumber(address: Uint8Array): bigint {
  const hex = Buffer.from(address).toString('hex');
  return BigInt(`0x${address.length === 4 ? `ffff${hex}` : hex}`);
}
