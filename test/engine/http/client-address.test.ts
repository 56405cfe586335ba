import t from 'tap';
import { addressBytes, forwardedAddress } from '../../../engine/http/client-address.js';

t.test('promise R16: the address is the entry of the outermost trusted proxy, never what the client wrote', async (t) => {
  for (const [header, hops, expected] of [
    ['203.0.113.7', 0, ''],
    ['203.0.113.7', 1, '203.0.113.7'],
    ['10.0.0.1, 203.0.113.7', 1, '203.0.113.7'],
    ['6.6.6.6,203.0.113.7,192.0.2.1', 2, '203.0.113.7'],
    ['203.0.113.7', 2, ''],
    ['', 1, ''],
    ['203.0.113.7,', 1, ''],
    [',203.0.113.7', 1, '203.0.113.7'],
    [',', 2, ''],
    ['203.0.113.7,192.0.2.1', 3, ''],
    ['unknown', 1, ''],
    ['203.0.113.7:4711', 1, '203.0.113.7'],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['[2001:db8::1', 1, ''],
    ['2001:db8:::1', 1, ''],
    ['999.1.1.1', 1, ''],
    ['<script>', 1, ''],
    ['1'.repeat(5000), 1, ''],
  ] as const)
    t.equal(forwardedAddress(header, hops), expected, `${header.slice(0, 40)} behind ${hops}`);
});

t.test('an address has 4 or 16 bytes, and IPv4 inside IPv6 has 4', async (t) => {
  t.same([...addressBytes('203.0.113.7')], [203, 0, 113, 7]);
  t.same([...addressBytes('::ffff:203.0.113.7')], [203, 0, 113, 7]);
  t.equal(addressBytes('2001:db8::1').length, 16);
  t.equal(addressBytes('').length, 0);
});
