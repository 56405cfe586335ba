import t from 'tap';
import { unmatchableNetworks } from '../../../shared/attribution/unmatchable-networks.js';

t.test('private, shared and relay addresses match no click', async (t) => {
  const isUnmatchable = unmatchableNetworks();
  for (const address of [
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.0.1',
    '172.31.255.255',
    '192.168.178.20',
    '::1',
    '::ffff:10.0.0.1',
    'fd12:3456::1',
    'fe80::1',
    '64:ff9b::cb00:7101',
    // Addresses of Apple's list.
    '172.225.121.192',
    '104.28.40.170',
    '140.248.40.142',
    '146.75.168.134',
    '2606:54c0:4228::1',
    '2606:54c3:0:127a::1',
    '2a02:26f7:e2c0:4000::1',
    '2a04:4e41:1318::1',
    '2a09:bac2:4228::1',
    '2a09:bac3:4228::1',
    '',
    'unknown',
  ])
    t.equal(isUnmatchable(address), true, address);
  for (const address of [
    '100.63.255.255',
    '100.128.0.0',
    '172.32.0.1',
    '172.223.0.1',
    '104.27.0.1',
    '203.0.113.1',
    '8.8.8.8',
    '2001:4860::1',
    '2a02:26f8::1',
  ])
    t.equal(isUnmatchable(address), false, address);
});

t.test('an operator can add networks that match no click', async (t) => {
  t.equal(unmatchableNetworks(['203.0.113.0/24'])('203.0.113.9'), true);
});
