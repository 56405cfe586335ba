import t from 'tap';
import { createHostLookup } from '../../../control-plane/domains/host-lookup.js';
import { startDnsServer } from '../../support/dns-server.js';

t.test('a lookup gives the CNAME and the addresses of a name', async (t) => {
  const server = await startDnsServer();
  t.teardown(() => server.stop());
  server.zone
    .set('top.example.org', { addresses: ['192.0.2.1', '192.0.2.2'] })
    .set('links.example.org', { cname: 'go.example.net', addresses: ['192.0.2.3'] })
    .set('dangling.example.org', { cname: 'gone.example.net' })
    .set('text.example.org', [['v=1']])
    .set('broken.example.org', 'servfail');
  const lookUp = createHostLookup([server.address]);
  const top = await lookUp('top.example.org');
  t.same(top.kind === 'answered' && { ...top.records, addresses: [...top.records.addresses].sort() }, {
    cname: null,
    addresses: ['192.0.2.1', '192.0.2.2'],
  });
  t.same(await lookUp('links.example.org'), { kind: 'answered', records: { cname: 'go.example.net', addresses: ['192.0.2.3'] } });
  t.same(await lookUp('dangling.example.org'), { kind: 'answered', records: { cname: 'gone.example.net', addresses: [] } });
  t.same(await lookUp('text.example.org'), { kind: 'none' });
  t.same(await lookUp('nobody.example.org'), { kind: 'none' });
  t.same(await lookUp('broken.example.org'), { kind: 'failed', code: 'ESERVFAIL' });
});
