import t from 'tap';
import { decodeRecord, encodeRecord } from '../../../shared/feed/codec.js';
import { domainRecordFromRow } from '../../../shared/feed/domain-row.js';

t.test('a domain comes back from the store as it went in', async (t) => {
  const record = domainRecordFromRow({ id: 'dom_1', environment_number: 7, hostname: 'links.example.org' });
  t.strictSame(record, { id: 'dom_1', environment_number: 7, hostname: 'links.example.org' });
  const bytes = encodeRecord(record, 'd');
  t.strictSame(decodeRecord('d', bytes, bytes.length), record);
});
