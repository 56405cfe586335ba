import t from 'tap';
import { decodeRecord, encodeRecord } from '../../../shared/feed/codec.js';
import { domainRecordFromRow } from '../../../shared/feed/domain-row.js';

const ROW = { id: 'dom_1', environment_number: 7, hostname: 'links.example.org', case_insensitive: true, blocked_urls: [] };

t.test('a domain is read from the store as it was written', async (t) => {
  const record = domainRecordFromRow({ ...ROW, redirects: { root: 'https://example.org/' } });
  t.strictSame(record, {
    ...{ id: 'dom_1', environment_number: 7, hostname: 'links.example.org', case_insensitive: true },
    ...{ root_url: 'https://example.org/', not_found_url: null, expired_url: null },
  });
  const bytes = encodeRecord(record, 'd');
  t.strictSame(decodeRecord('d', bytes, bytes.length), record);
});

t.test('a URL on the block list is left out, so that visitors get the page of the service', async (t) => {
  const redirects = { root: 'https://listed.example/', not_found: 'https://example.org/404', expired: 'https://listed.example/' };
  const record = domainRecordFromRow({ ...ROW, redirects, blocked_urls: ['https://listed.example/'] });
  t.match(record, { root_url: null, not_found_url: 'https://example.org/404', expired_url: null });
});
