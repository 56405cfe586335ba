import t from 'tap';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import { clientAddress, forwardedAddress, PROXY_HOPS_MAX } from '../../../shared/net/client-address.js';

const PROXIES = AddressRanges.parse(['10.0.0.0/8', '2001:db8:ffff::/48']);
const PROXY = new Uint8Array([10, 0, 0, 1]);
const STRANGER = new Uint8Array([203, 0, 113, 99]);

t.test('promise R16: the address is the one that the outermost trusted proxy has seen, never one that the client wrote', async (t) => {
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
    ['203.0.113.7:evil', 1, ''],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['::ffff:203.0.113.7', 1, '::ffff:203.0.113.7'],
    ['[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['fe80::1%eth0', 1, 'fe80::1'],
    ['[2001:db8::1', 1, ''],
    ['2001:db8:::1', 1, ''],
    ['999.1.1.1', 1, ''],
    ['0x7f.1', 1, ''],
    ['<script>', 1, ''],
    ['1'.repeat(5000), 1, ''],
  ] as const)
    t.equal(forwardedAddress({ hops, proxies: null }, null, header), expected, `${header.slice(0, 40)} behind ${hops}`);
});

t.test('promise R16: with proxy networks, the address is the rightmost one outside of them, and only a proxy is trusted', async (t) => {
  for (const [peer, header, expected] of [
    [PROXY, '203.0.113.7', '203.0.113.7'],
    [STRANGER, '203.0.113.7', ''],
    [new Uint8Array(0), '203.0.113.7', ''],
    [new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 9, 9, 9]), '203.0.113.7', '203.0.113.7'],
    [PROXY, '', ''],
    [PROXY, '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    [PROXY, '6.6.6.6, 203.0.113.7, 10.1.1.1, 10.2.2.2', '203.0.113.7'],
    [PROXY, '203.0.113.7,10.1.1.1:443,[2001:db8:ffff::1]:443,::ffff:10.3.3.3', '203.0.113.7'],
    [PROXY, '10.9.9.9,10.1.1.1', '10.9.9.9'],
    [PROXY, '10.9.9.9', '10.9.9.9'],
    [PROXY, 'unknown,10.1.1.1', ''],
    [PROXY, ',10.1.1.1', '10.1.1.1'],
    [PROXY, '203.0.113.7,,10.1.1.1', ''],
    [PROXY, `203.0.113.7${',10.1.1.1'.repeat(PROXY_HOPS_MAX - 1)}`, '203.0.113.7'],
    [PROXY, `203.0.113.7${',10.1.1.1'.repeat(PROXY_HOPS_MAX)}`, ''],
    [PROXY, ','.repeat(10_000), ''],
  ] as const)
    t.equal(forwardedAddress({ hops: 0, proxies: PROXIES }, peer, header), expected, `${header.slice(0, 60)} from ${peer}`);
});

t.test('with proxy networks and hops, the networks decide who is trusted and the hops which entry is used', async (t) => {
  const trust = { hops: 2, proxies: PROXIES };
  t.equal(forwardedAddress(trust, PROXY, '6.6.6.6,203.0.113.7,198.51.100.1'), '203.0.113.7');
  t.equal(forwardedAddress(trust, STRANGER, '6.6.6.6,203.0.113.7,198.51.100.1'), '');
});

t.test('without a trusted proxy the address is that of the socket', async (t) => {
  t.equal(clientAddress({ hops: 0, proxies: null }, '192.0.2.1', '203.0.113.7'), '192.0.2.1');
  t.equal(clientAddress({ hops: 0, proxies: PROXIES }, '::ffff:10.0.0.1', '203.0.113.7'), '203.0.113.7');
  t.equal(clientAddress({ hops: 0, proxies: PROXIES }, '::ffff:10.0.0.1', 'unknown'), '::ffff:10.0.0.1');
});
