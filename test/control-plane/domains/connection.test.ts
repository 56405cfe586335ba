import t from 'tap';
import type { DnsAnswer } from '../../../control-plane/domains/ask-dns.js';
import { connectionOf } from '../../../control-plane/domains/connection.js';
import type { HostRecords } from '../../../control-plane/domains/host-lookup.js';
import type { ProbedHost } from '../../../control-plane/domains/host-probe.js';

const hosts = { hostname: 'links.acme.org', origin: 'https://links.acme.org', linkHost: 'go.example.net' };
const reached: ProbedHost = { route: { status: 'correct', error: null }, certificate: null };
const leads = (cname: string | null, ...addresses: string[]): DnsAnswer<HostRecords> => ({
  kind: 'answered',
  records: { cname, addresses },
});

function connection(host: DnsAnswer<HostRecords>, linkHost: DnsAnswer<HostRecords>) {
  return connectionOf(hosts, {
    lookUpHost: async (name) => (name === hosts.hostname ? host : linkHost),
    probeHost: async (origin, addresses) => {
      t.equal(origin, hosts.origin);
      t.same(addresses, host.kind === 'answered' ? host.records.addresses : []);
      return reached;
    },
  });
}

t.test('the suggested records are a CNAME to the link host and its addresses', async (t) => {
  t.same((await connection({ kind: 'none' }, leads(null, '192.0.2.1', '2001:db8::1'))).dns_records, [
    { type: 'CNAME', name: 'links.acme.org', value: 'go.example.net' },
    { type: 'A', name: 'links.acme.org', value: '192.0.2.1' },
    { type: 'AAAA', name: 'links.acme.org', value: '2001:db8::1' },
  ]);
  t.equal((await connection({ kind: 'none' }, { kind: 'failed', code: 'ESERVFAIL' })).dns_records.length, 1);
});

t.test('a host is connected correctly by a CNAME to the link host or by one of its addresses', async (t) => {
  const wanted = leads(null, '192.0.2.1', '192.0.2.2');
  for (const [host, status] of [
    [leads('go.example.net', '192.0.2.9'), 'correct'],
    [leads('go.example.net'), 'correct'],
    [leads(null, '192.0.2.2'), 'correct'],
    [leads('cdn.example.com', '192.0.2.9'), 'elsewhere'],
    [leads(null, '192.0.2.9'), 'elsewhere'],
    [{ kind: 'none' }, 'missing'],
    [{ kind: 'failed', code: 'ETIMEOUT' }, 'no_answer'],
  ] as const)
    t.equal((await connection(host, wanted)).dns.status, status, JSON.stringify(host));
});
