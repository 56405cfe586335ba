import t from 'tap';
import { campaignRecordFromRow } from '../../../shared/feed/campaign-row.js';
import { decodeRecord, encodeRecord } from '../../../shared/feed/codec.js';

const NONE = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };

t.test('a campaign is read from the store with its UTM fields, which are null if there are none', async (t) => {
  for (const utm of [NONE, { ...NONE, utm_term: 'ä b' }, { ...NONE, utm_source: 'a', utm_content: '' }]) {
    const record = campaignRecordFromRow({ id: 'cmp_1', environment_number: 7, key: 'spring', ...utm });
    t.strictSame(record, { id: 'cmp_1', environment_number: 7, key: 'spring', utm: utm === NONE ? null : utm });
    const bytes = encodeRecord(record, 'c');
    t.strictSame(decodeRecord('c', bytes, bytes.length), record);
  }
});
