import t from 'tap';
import { createTxtLookup } from '../../../control-plane/domains/txt-lookup.js';
import { startDnsServer } from '../../support/dns-server.js';

t.test('the configured DNS servers are asked, and records, no records and failures are distinguished', async (t) => {
  const server = await startDnsServer();
  t.teardown(() => server.stop());
  server.zone
    .set('one.example.org', [['v=1']])
    .set('more.example.org', [['spf'], ['a'.repeat(255), 'b'.repeat(40)]])
    .set('empty.example.org', 'nodata')
    .set('broken.example.org', 'servfail');
  const lookUp = createTxtLookup([server.address]);
  t.same(await lookUp('one.example.org'), { kind: 'answered', records: ['v=1'] });
  const more = await lookUp('more.example.org');
  t.same(
    more.kind === 'answered' && [...more.records].sort(),
    [`${'a'.repeat(255)}${'b'.repeat(40)}`, 'spf'],
    'the strings of one record are joined',
  );
  t.same(await lookUp('empty.example.org'), { kind: 'none' });
  t.same(await lookUp('nobody.example.org'), { kind: 'none' });
  t.same(await lookUp('broken.example.org'), { kind: 'failed', code: 'ESERVFAIL' });
  t.ok(server.asked.includes('one.example.org'));
});

t.test('a DNS server that is away or never answers is reported within 8 s', async (t) => {
  const server = await startDnsServer();
  server.zone.set('silent.example.org', 'silent');
  const started = performance.now();
  t.match(await createTxtLookup([server.address])('silent.example.org'), { kind: 'failed', code: /^E(TIMEOUT|CANCELLED)$/ });
  t.ok(performance.now() - started < 8_000);
  await server.stop();
  t.match(await createTxtLookup([server.address])('gone.example.org'), { kind: 'failed' });
});
