import { spawnSync } from 'node:child_process';
import t from 'tap';
import {
  decodeRecord,
  type EnvironmentRow,
  encodeRecord,
  environmentRecordFromRow,
  type LinkRow,
  linkRecordFromRow,
  resourceTypeRecordFromRow,
  type TemplateRow,
  templateRecordFromRow,
} from '../../../shared/feed/codec.js';
import type { EnvironmentRecord, LinkRecord, ResourceTypeRecord, TemplateRecord } from '../../../shared/records/records.js';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import { BLOCKED_DESTINATION } from '../../../shared/resolve/destination.js';
import { destinationRefusal } from '../../../shared/resolve/destination-safety.js';
import fc from '../../support/properties.js';

const optionalText = fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: null });

const linkRow: fc.Arbitrary<LinkRow> = fc.record({
  id: fc.string({ minLength: 1 }),
  environment_id: fc.string(),
  path: fc.string(),
  state: fc.constantFrom('active', 'disabled', 'blocked', 'deleted'),
  expires_at_ms: fc.option(fc.integer({ min: -1000, max: 4e12 }), { nil: null }),
  deep_link_path: fc.string({ maxLength: 2048 }),
  data: fc.option(
    fc.json().map((json) => json),
    { nil: null },
  ),
  campaign: optionalText,
  utm_source: optionalText,
  utm_medium: optionalText,
  utm_campaign: optionalText,
  utm_term: optionalText,
  utm_content: optionalText,
  allow_param_passthrough: fc.boolean(),
  destinations: fc.record({ ios: fc.webUrl(), web: fc.webUrl(), fallback: fc.webUrl() }, { requiredKeys: [] }),
  card: fc.option(fc.json(), { nil: null }),
  active_from_ms: fc.option(fc.integer({ min: -1000, max: 4e12 }), { nil: null }),
  max_clicks: fc.option(fc.integer({ min: 1 }), { nil: null }),
  used_up: fc.boolean(),
  password: optionalText,
  geo: fc.option(fc.constant('{"DE":"https://example.de/"}'), { nil: null }),
  interstitial: fc.option(fc.boolean(), { nil: null }),
});

const environmentRow: EnvironmentRow = {
  id: 'env_1',
  number: 7,
  name: 'live',
  project_name: 'Éclair',
  link_host: 'live.localhost',
  open_host: 'open.live.localhost',
  alias_hosts: [],
  interstitial: true,
  default_destinations: { web: 'https://example.com' },
  ios_apps: [{ team_id: 'T', bundle_id: 'b' }],
  android_apps: [{ package_name: 'p', sha256_cert_fingerprints: ['aa', 'bb'], uri_scheme: 'app' }],
  attribution_window_minutes: 120,
  append_click_id: false,
  brand: { color: '#0d3b66' },
  long_link_hosts: [],
  long_link_path: null,
  blocked_urls: [],
};

/** Records are compared as JSON, because a decoded record has the same members in the same order. */
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

t.test('a link is decoded as it was stored, whatever its row contained', (t) => {
  fc.assert(
    fc.property(linkRow, (row) => {
      const record = linkRecordFromRow(row);
      const bytes = encodeRecord(record, 'key');
      return same(decodeRecord<LinkRecord>('key', bytes, bytes.length), record);
    }),
  );
  t.end();
});

t.test('an environment is decoded as it was stored, with every optional member present', (t) => {
  const record = environmentRecordFromRow(environmentRow);
  const bytes = encodeRecord(record, 'key');
  t.ok(same(decodeRecord<EnvironmentRecord>('key', bytes, bytes.length), record));
  t.equal(record.ios_apps[0]?.app_store_url, null);
  t.equal(record.android_apps[0]?.uri_scheme, 'app');
  t.strictSame(Object.keys(record.default_destinations), ['ios', 'android', 'web', 'desktop', 'fallback']);
  t.end();
});

const templateRow: fc.Arbitrary<TemplateRow> = fc.record({
  id: fc.string({ minLength: 1 }),
  environment_number: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  resource_type_id: fc.string(),
  status: fc.constantFrom('active', 'disabled'),
  path_pattern: fc.string(),
  id_format: fc.oneof(
    fc.record({ kind: fc.constant('preset' as const), preset: fc.constantFrom('numeric', 'uuid') }),
    fc.record({ max_length: fc.nat(256), charset: fc.string(), kind: fc.constant('charset' as const), min_length: fc.nat(256) }),
  ),
  deep_link_path: fc.string({ maxLength: 2048 }),
  redirects: fc.record({ ios: fc.webUrl(), web: fc.webUrl() }, { requiredKeys: [] }),
  allow_param_passthrough: fc.boolean(),
  blocked_urls: fc.constant([]),
});

t.test('a template and a resource type are decoded as they were stored', (t) => {
  fc.assert(
    fc.property(templateRow, (row) => {
      const record = templateRecordFromRow(row);
      const bytes = encodeRecord(record, 'key');
      return same(decodeRecord<TemplateRecord>('key', bytes, bytes.length), record);
    }),
  );
  const type = resourceTypeRecordFromRow({ id: 'rt_1', environment_number: 7, key: 'product', status: 'archived' });
  const bytes = encodeRecord(type, 'key');
  t.ok(same(decodeRecord<ResourceTypeRecord>('key', bytes, bytes.length), type));
  t.end();
});

t.test('an expiry at or before the epoch still counts as an expiry', (t) => {
  const [row] = fc.sample(linkRow, 1);
  t.equal(linkRecordFromRow({ ...(row as LinkRow), expires_at_ms: 0 }).expires_at_ms, 1);
  t.equal(linkRecordFromRow({ ...(row as LinkRow), expires_at_ms: -5 }).expires_at_ms, 1);
  t.equal(linkRecordFromRow({ ...(row as LinkRow), expires_at_ms: null }).expires_at_ms, 0);
  t.end();
});

t.test('every flipped bit and every cut is detected', (t) => {
  fc.assert(
    fc.property(linkRow, fc.nat(), fc.integer({ min: 0, max: 7 }), (row, at, bit) => {
      const bytes = encodeRecord(linkRecordFromRow(row), 'key');
      const flipped = Buffer.from(bytes);
      const index = at % bytes.length;
      flipped[index] = (flipped[index] as number) ^ (1 << bit);
      return decodeRecord('key', flipped, flipped.length) === null;
    }),
  );
  const bytes = encodeRecord(environmentRecordFromRow(environmentRow), 'key');
  for (let size = 0; size < bytes.length; size++) t.equal(decodeRecord('key', bytes, size), null);
  t.end();
});

t.test('a value can be decoded only under its own key', (t) => {
  const bytes = encodeRecord(environmentRecordFromRow(environmentRow), 'key');
  for (const key of ['keY', 'ke', 'key ', 'yek', '']) t.equal(decodeRecord(key, bytes, bytes.length), null, key);
  t.end();
});

t.test('another process, which has encoded nothing, can decode the bytes', (t) => {
  const record = environmentRecordFromRow(environmentRow);
  const script = `
    import { decodeRecord } from ${JSON.stringify(new URL('../../../shared/feed/codec.js', import.meta.url).href)};
    const bytes = Buffer.from(process.argv[1], 'hex');
    console.log(JSON.stringify(decodeRecord('key', bytes, bytes.length)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, encodeRecord(record, 'key').toString('hex')], {
    encoding: 'utf8',
  });
  t.ok(same(JSON.parse(stdout), record));
  t.end();
});

// Must be last: such a fault ends a process, so that nothing is encoded after it.
t.test('a record of an unknown shape is refused instead of stored unreadably', (t) => {
  t.throws(() => encodeRecord({ epoch: 'e', surprise: 1 } as never, 'key'), { name: 'InvariantError' });
  t.end();
});

t.test('engines get a mark instead of a URL on the block list, and never redirect to the mark', async (t) => {
  const listed = 'https://listed.example/';
  const record = environmentRecordFromRow({
    ...environmentRow,
    default_destinations: { web: listed, fallback: 'https://good.example/' },
    ios_apps: [{ team_id: 'T', bundle_id: 'b', app_store_url: listed }],
    blocked_urls: [listed],
  });
  t.match(record, {
    default_destinations: { web: BLOCKED_DESTINATION, fallback: 'https://good.example/' },
    ios_apps: [{ app_store_url: null }],
  });
  t.notMatch(JSON.stringify(record), /listed/);
  for (const slot of DESTINATION_SLOTS) t.equal(destinationRefusal(BLOCKED_DESTINATION, slot), 'scheme_refused');
});
