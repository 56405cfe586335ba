import { Resolver } from 'node:dns';
import { join } from 'node:path';
import t from 'tap';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { SettingError } from '../../shared/base/settings.js';

const { relayRanges } = controlPlaneSettings;

t.test('a file of relay networks may be Apple’s list or the operator’s own', async (t) => {
  const dir = t.testdir({
    'egress-ip-ranges.csv': '172.224.224.0/27,GB,GB-EN,London,\n2a02:26f7:b000:4000::/64,US,US-CA,LOS ANGELES,\r\n',
    'own.txt': '# ours\n\n203.0.113.0/24\n198.51.100.7',
    'empty.txt': '',
    'wrong.txt': '203.0.113.0/24\nnetwork\n',
  });
  t.same(relayRanges.parse(''), []);
  t.same(relayRanges.parse(join(dir, 'egress-ip-ranges.csv')), ['172.224.224.0/27', '2a02:26f7:b000:4000::/64']);
  t.same(relayRanges.parse(join(dir, 'own.txt')), ['203.0.113.0/24', '198.51.100.7']);
  t.same(relayRanges.parse(join(dir, 'empty.txt')), []);
  t.throws(() => relayRanges.parse(join(dir, 'wrong.txt')), { name: 'SettingError', message: /not a CIDR range: "network"/ });
  t.throws(() => relayRanges.parse(join(dir, 'missing.txt')), SettingError);
});

t.test('a DNS server is an address with a port from 1 to 65535, or without one', async (t) => {
  const { domainDnsServers } = controlPlaneSettings;
  const servers = ['127.0.0.1', '127.0.0.1:5353', '::1', '[::1]', '[::1]:65535', '192.0.2.1:1'];
  t.same(domainDnsServers.parse(servers.join(', ')), servers);
  for (const server of servers) t.doesNotThrow(() => new Resolver().setServers([server]), server);
  for (const value of ['127.0.0.1:0', '127.0.0.1:65536', '[::1]:0', '[::1]:99999', '127.0.0.1:', 'dns.example', '[::1', '127.0.0.1:x'])
    t.throws(() => domainDnsServers.parse(value), { name: 'SettingError', message: new RegExp(value.replace(/[[\]]/g, '\\$&')) }, value);
});
