import t from 'tap';
import { decodeRecord, encodeRecord } from '../../../shared/feed/codec.js';
import { configurationOfRow, type MetadataApiRow, metadataApiRecordFromRow } from '../../../shared/feed/metadata-api-row.js';
import type { MetadataApiRecord } from '../../../shared/records/records.js';

const ROW: MetadataApiRow = {
  id: 'mapi_1',
  environment_number: 3,
  resource_type_id: 'rt_1',
  generation: 4,
  status: 'active',
  url_template: 'https://api.example.com/{type}/{id}',
  auth_type: 'api_key_header',
  header_name: 'x-key',
  secret: Buffer.from([0, 255, 7]),
  headers: { 'x-shop': 'é' },
  timeout_ms: 1500,
  ttl_seconds: 60,
  negative_ttl_seconds: 0,
  stale_if_error_seconds: 9,
  max_concurrency: 2,
  max_requests_per_minute: 30,
  field_mapping: { title: 'a.b', image_url: '/x/0' },
  field_defaults: { title: 'T' },
  required_fields: ['title'],
  status_values: { published: ['live'], unpublished: [], deleted: ['gone'] },
  allowed_image_hosts: ['img.example.com'],
  blocked_urls: [],
};

t.test('a metadata API is read from the store with its whole configuration, and its credential still sealed', async (t) => {
  const record = metadataApiRecordFromRow(ROW);
  const bytes = encodeRecord(record, 'key');
  const read = decodeRecord<MetadataApiRecord>('key', bytes, bytes.length);
  t.strictSame(JSON.stringify(read), JSON.stringify(record));
  t.strictSame(JSON.parse(read?.configuration ?? ''), JSON.parse(JSON.stringify(configurationOfRow(ROW))));
  t.strictSame(Buffer.from(read?.secret ?? '', 'base64'), ROW.secret);
  t.equal(metadataApiRecordFromRow({ ...ROW, secret: null }).secret, null);
});

t.test('a default URL on the block list is not passed to engines', async (t) => {
  const listed = 'https://listed.example/a.png';
  const row = { ...ROW, field_defaults: { title: 'T', image_url: listed }, blocked_urls: [listed] };
  t.strictSame(JSON.parse(metadataApiRecordFromRow(row).configuration).field_defaults, { title: 'T' });
});
