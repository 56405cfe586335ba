import t from 'tap';
import { ClickFields } from '../../../engine/shipping/rows/click-fields.js';
import { emptyDictionary, RecordMemory, scanRecords } from '../../../engine/shipping/rows/segment-scan.js';
import { SegmentAddresses } from '../../../engine/shipping/segments/segment-addresses.js';
import { ADDRESS_TEXT_BYTES_MAX, addressKeystream } from '../../../engine/spool/address-cipher.js';
import type { Click } from '../../../engine/spool/click.js';
import {
  DICTIONARY_ENTRIES_MAX,
  DICTIONARY_FIELDS,
  FIELD_BYTES_MAX,
  FLAG_QR,
  GROUP_BYTES_MAX,
  TEXT_FIELDS,
} from '../../../engine/spool/record-layout.js';
import { RecordWriter } from '../../../engine/spool/record-writer.js';
import { makeClick } from '../../support/clicks.js';
import fc from '../../support/properties.js';
import { TEST_SEGMENT_KEYS, TEST_SPOOL_KEYS } from '../../support/spool-keys.js';

const SEGMENT_ID = Buffer.alloc(16, 3);
const SEED = 12345;

function writeAll(clicks: readonly Click[], size: number): { memory: RecordMemory; end: number } {
  const memory = new RecordMemory(size);
  const writer = new RecordWriter(memory.buffer);
  writer.reset(SEED, addressKeystream(TEST_SPOOL_KEYS.addresses, SEGMENT_ID));
  let end = 0;
  for (const [number, click] of clicks.entries()) end = writer.write(click, end, number);
  return { memory, end };
}

/** Reads the clicks in memory: their texts and their other fields. */
function readAll(memory: RecordMemory, end: number): readonly Record<string, unknown>[] {
  const dictionary = emptyDictionary();
  const offsets = new Int32Array(100_000);
  const scan = scanRecords({ memory, from: 0, to: end, seed: SEED }, dictionary, offsets);
  if (scan.stop !== 'end') throw new Error(`scan stopped: ${scan.stop}`);
  const fields = new ClickFields(memory);
  const addresses = new SegmentAddresses({ keys: TEST_SEGMENT_KEYS, segment_id: SEGMENT_ID }, TEST_SPOOL_KEYS);
  return [...offsets.subarray(0, scan.clicks)].map((offset, number) => {
    if (!fields.read(offset, dictionary)) throw new Error('a click does not fit together');
    addresses.reveal(fields, number);
    return {
      ...Object.fromEntries(TEXT_FIELDS.map((name, index) => [name, fields.text(index)])),
      ...Object.fromEntries(DICTIONARY_FIELDS.map((name, index) => [name, fields.entries[index]?.text])),
      occurred_at_ms: fields.occurred_at_ms,
      environment_number: fields.environment_number,
      kind: fields.kind,
      qr: (fields.flags & FLAG_QR) !== 0,
      address_bytes:
        fields.address_bytes === 0 ? null : [...memory.bytes.subarray(fields.address_start, fields.address_start + fields.address_bytes)],
    };
  });
}

/** What reading must return. UTF-8 has no lone surrogates, and a text is cut at its bound between characters. */
function expected(click: Click): Record<string, unknown> {
  const text = (value: string): string => {
    const bytes = Buffer.from(value);
    let end = Math.min(bytes.length, FIELD_BYTES_MAX);
    while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
    return bytes.toString('utf8', 0, end);
  };
  const texts = [...TEXT_FIELDS, ...DICTIONARY_FIELDS].map((name) => [name, text(click[name])]);
  return {
    ...Object.fromEntries(texts),
    occurred_at_ms: click.occurred_at_ms,
    environment_number: click.environment_number,
    kind: click.kind,
    qr: click.qr,
    address_bytes: click.address_bytes === null ? null : [...click.address_bytes],
  };
}

const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', '\ud800', '\u0000', 'ü', '€', '😀'), maxLength: 2000 }),
  fc.constantFrom('', 'x', 'x'.repeat(9000), '😀'.repeat(3000)),
);
const anyClick: fc.Arbitrary<Click> = fc
  .record({
    occurred_at_ms: fc.integer({ min: 0, max: 2 ** 45 }),
    environment_number: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    kind: fc.constantFrom(0, 1),
    qr: fc.boolean(),
    subject_id: anyText,
    resource_type_id: anyText,
    item_id: anyText,
    host: anyText,
    path: anyText,
    user_agent: anyText,
    bot_reason: anyText,
    referrer: anyText,
    campaign: anyText,
    utm: anyText,
    query: anyText,
    destination: anyText,
    country: anyText,
    address: fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.'), maxLength: ADDRESS_TEXT_BYTES_MAX }),
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
    ),
  })
  .map(({ address, ...fields }) =>
    makeClick(
      typeof address === 'string'
        ? { ...fields, address_text: address, address_bytes: null }
        : { ...fields, address_text: '', address_bytes: address },
    ),
  );

t.test('any click that is written is read back', async (t) => {
  fc.assert(
    fc.property(fc.array(anyClick, { maxLength: 8 }), (clicks) => {
      const { memory, end } = writeAll(clicks, 8 * GROUP_BYTES_MAX);
      t.same(readAll(memory, end), clicks.map(expected));
    }),
    { numRuns: 60 },
  );
});

t.test('no byte of an address is ever written in plain form', async (t) => {
  const text = '2001:db8:cafe:1234:5678:9abc:def0:4321';
  const bytes = Uint8Array.from({ length: 16 }, (_, index) => 0xa0 + index);
  const { memory, end } = writeAll([makeClick({ address_text: text }), makeClick({ address_text: '', address_bytes: bytes })], 64 * 1024);
  const written = Buffer.from(memory.bytes.subarray(0, end));
  t.equal(written.indexOf(text), -1);
  t.equal(written.indexOf(bytes), -1);
  t.match(readAll(memory, end), [{ address_text: text }, { address_bytes: [...bytes] }], 'the key reads the addresses back');
});

t.test('the largest click fits the room that is reserved for it', async (t) => {
  const long = '€'.repeat(20_000);
  const texts = Object.fromEntries([...TEXT_FIELDS, ...DICTIONARY_FIELDS].map((name, index) => [name, long + index]));
  const inline = makeClick({ ...(texts as Partial<Click>), address_bytes: new Uint8Array(16) });
  t.ok(writeAll([inline], 2 * GROUP_BYTES_MAX).end <= GROUP_BYTES_MAX);
  const defined = Object.fromEntries(DICTIONARY_FIELDS.map((name, index) => [name, '€'.repeat(1023) + index]));
  t.ok(writeAll([makeClick({ ...inline, ...(defined as Partial<Click>) })], 2 * GROUP_BYTES_MAX).end <= GROUP_BYTES_MAX);
});

t.test('a repeated text is written once', async (t) => {
  const first = makeClick({ user_agent: 'u'.repeat(200), host: 'go.example.com', country: 'DE' });
  const one = writeAll([first], GROUP_BYTES_MAX).end;
  const two = writeAll([first, first], GROUP_BYTES_MAX).end;
  t.ok(two - one < one - 200, `the first click takes ${one} bytes, the second ${two - one}`);
});

t.test('texts beyond the limit of the dictionary are stored in their records', async (t) => {
  const clicks = Array.from({ length: DICTIONARY_ENTRIES_MAX + 50 }, (_, index) => makeClick({ user_agent: `agent ${index}`, host: '' }));
  const { memory, end } = writeAll(clicks, 4 * 1024 * 1024);
  t.same(readAll(memory, end), clicks.map(expected));
});

t.test('definitions that did not reach the file are written again', async (t) => {
  const memory = new RecordMemory(GROUP_BYTES_MAX);
  const writer = new RecordWriter(memory.buffer);
  writer.reset(SEED, addressKeystream(TEST_SPOOL_KEYS.addresses, SEGMENT_ID));
  const lost = makeClick({ user_agent: 'a rather long agent '.repeat(10) });
  writer.write(lost, 0, 0);
  writer.forgetNewest();
  const kept = makeClick({ user_agent: 'another' });
  const middle = writer.write(kept, 0, 0);
  const end = writer.write(lost, middle, 1);
  t.same(readAll(memory, end), [kept, lost].map(expected));
});
