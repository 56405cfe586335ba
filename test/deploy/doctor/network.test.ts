import t from 'tap';
import { type NetworkFacts, networkFindings } from '../../../deploy/doctor/network.js';
import { readNetworkFacts } from '../../../deploy/doctor/network-facts.js';
import { repairFault } from './repair-rule.js';

const NOW = Date.parse('2026-11-24T00:00:00Z');
const DAY = 86_400_000;
const WELL: NetworkFacts = {
  nowMs: NOW,
  hosts: ['go.example.com'],
  unresolved: [],
  certificates: { dir: '/tls', found: [{ names: ['*.example.com'], path: '/tls/a.pem', notAfterMs: NOW + 60 * DAY }], faults: [] },
  proxies: 'none',
  outbound: { target: 'https://hooks.example.com/', fault: '' },
};
const certificate = (notAfterMs: number, names = ['go.example.com']) => ({
  certificates: { dir: '/tls', found: [{ names, path: '/tls/a.pem', notAfterMs }], faults: [] },
});

const CASES: readonly [Partial<NetworkFacts>, string, string, RegExp, RegExp | null][] = [
  [{}, 'dns', 'ok', /The link host has an address/, null],
  [{ hosts: [] }, 'dns', 'ok', /no link hosts yet/, null],
  [{ unresolved: ['go.example.com'] }, 'dns', 'warning', /go\.example\.com/, /CNAME/],
  [{ unresolved: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'dns', 'warning', /a, b, c, d, e and 2 more/, /CNAME/],
  [{ unresolved: null }, 'dns', 'unchecked', /in time/, null],
  [{ hosts: null }, 'dns', 'unchecked', /database/, null],
  [{}, 'certificates', 'ok', /every link host has one/, null],
  [{ certificates: null }, 'certificates', 'ok', /a proxy terminates TLS/, null],
  [certificate(NOW), 'certificates', 'failure', /go\.example\.com has expired/, /renew/],
  [certificate(NOW + 13 * DAY), 'certificates', 'warning', /expires in 13 days/, /certbot renew/],
  [certificate(NOW + 60 * DAY, ['other.example.com']), 'certificates', 'warning', /There is no certificate for go\.example\.com/, /\/tls/],
  [{ certificates: { dir: '/tls', found: [], faults: [] } }, 'certificates', 'failure', /holds no certificate/, /TLS_CERTIFICATES_DIR/],
  [
    { certificates: { dir: '/tls', found: [], faults: [{ path: '/tls/b.pem', reason: 'it has no key' }] } },
    'certificates',
    'failure',
    /b\.pem: it has no key/,
    /^install -D .* -t \/tls /,
  ],
  [{}, 'proxies', 'ok', /terminates TLS itself/, null],
  [{ certificates: null }, 'proxies', 'warning', /no proxy is trusted/, /TRUSTED_PROXIES/],
  [{ certificates: null, proxies: 'by_address' }, 'proxies', 'ok', /are configured/, null],
  [{ certificates: null, proxies: 'by_hops' }, 'proxies', 'unchecked', /every client that connects/, null],
  [{ certificates: null, hosts: ['live.localhost'] }, 'proxies', 'ok', /no link host is public/, null],
  [{ certificates: null, hosts: null }, 'proxies', 'unchecked', /database/, null],
  [{}, 'outbound', 'ok', /is reached/, null],
  [
    { outbound: { target: 'https://a.example/hook', fault: 'its name cannot be resolved' } },
    'outbound',
    'failure',
    /cannot be reached: its name/,
    /^curl -v https:\/\/a\.example\/hook .*OUTBOUND_ALLOW=https:\/\/a\.example$/,
  ],
  [{ outbound: null }, 'outbound', 'unchecked', /No URL was given/, /^linkd doctor --outbound https:/],
];

t.test('each fact about the network gives its finding and repair', async (t) => {
  for (const [different, check, status, text, repair] of CASES) {
    const finding = networkFindings({ ...WELL, ...different }).find((one) => one.check === check);
    t.match(finding, { status, text }, JSON.stringify(different));
    if (repair === null) t.equal(finding?.repair, null);
    else t.match(finding?.repair, repair);
    t.equal(finding && repairFault(finding), '', JSON.stringify(different));
  }
  t.same([...new Set(CASES.map(([, check]) => check))].sort(), [...new Set(networkFindings(WELL).map(({ check }) => check))].sort());
});

t.test('an outbound target is checked by the outbound guard', async (t) => {
  const call = async (outboundTarget: string, environment = {}) =>
    (await readNetworkFacts({ environment, hosts: null, nowMs: NOW, outboundTarget })).outbound;
  t.match(await call('http://127.0.0.1:1/'), { fault: /must use https/ });
  t.match(await call('https://127.0.0.1/'), { fault: /not an IP address/ });
  t.match(await call('http://127.0.0.1:1/', { OUTBOUND_ALLOW: 'http://127.0.0.1:1' }), { fault: 'the connection is refused' });
});

t.test('TRUSTED_PROXY_HOPS alone counts as proxies by hops, and with TRUSTED_PROXIES as proxies by address', async (t) => {
  const proxies = async (environment: NodeJS.ProcessEnv) =>
    (await readNetworkFacts({ environment, hosts: null, nowMs: NOW, outboundTarget: null })).proxies;
  t.equal(await proxies({}), 'none');
  t.equal(await proxies({ TRUSTED_PROXY_HOPS: '1' }), 'by_hops');
  t.equal(await proxies({ TRUSTED_PROXY_HOPS: '1', TRUSTED_PROXIES: '10.0.0.0/8' }), 'by_address');
});

t.test('a missing folder of certificates is a fault, and hosts without an address are reported', async (t) => {
  const facts = await readNetworkFacts({
    environment: { TLS_CERTIFICATES_DIR: '/nonexistent/tls', TRUSTED_PROXIES: '10.0.0.0/8' },
    hosts: ['localhost', 'live.localhost', 'nowhere.invalid'],
    nowMs: NOW,
    outboundTarget: null,
  });
  t.match(facts.certificates, { found: [], faults: [{ path: '/nonexistent/tls', reason: /ENOENT/ }] });
  t.equal(facts.proxies, 'by_address');
  if (facts.unresolved !== null) t.same(facts.unresolved, ['nowhere.invalid']);
});
