import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ClickFields } from '../../engine/shipping/rows/click-fields.js';
import { RecordMemory } from '../../engine/shipping/rows/segment-scan.js';
import { SegmentReader } from '../../engine/shipping/segments/segment-reader.js';
import type { Click } from '../../engine/spool/click.js';
import {
  DICTIONARY_FIELDS,
  FLAG_HINT_ANDROID,
  FLAG_HINT_IOS,
  FLAG_PARAMS_DROPPED,
  FLAG_QR,
  TEXT_FIELDS,
} from '../../engine/spool/record-layout.js';
import { isReadableSegment } from '../../engine/spool/segment-folder.js';
import { newClick } from '../../engine/visit/click-record.js';
import { encodeUlid, ID_PREFIXES, newId } from '../../shared/base/ids.js';
import { TEST_SPOOL_KEYS } from './spool-keys.js';

/** Makes a click of a person on a link, with the test's overrides. */
export function makeClick(overrides: Partial<Click> = {}): Click {
  return {
    ...newClick(),
    occurred_at_ms: 1_790_000_000_000,
    environment_number: 1,
    subject_id: newId('link'),
    host: 'live.localhost',
    path: 'abc1234',
    user_agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    destination: 'https://example.com/',
    address_text: '203.0.113.7',
    ...overrides,
  };
}

/** A click as it was read back, with the id it has. */
export interface StoredClick extends Click {
  readonly id: string;
}

/** Reads what the segment contains, up to where it can be read, as the shipper would. */
export async function readSegment(path: string): Promise<readonly StoredClick[]> {
  const opened = await SegmentReader.open(path, TEST_SPOOL_KEYS);
  if (!('reader' in opened)) throw new Error(`not a segment: ${JSON.stringify(opened)}`);
  const { reader } = opened;
  try {
    const end = await reader.readableEnd();
    const memory = new RecordMemory(1024 * 1024);
    const offsets = new Int32Array(50_000);
    const fields = new ClickFields(memory);
    const clicks: StoredClick[] = [];
    let at = reader.position;
    for (;;) {
      const scan = await reader.read(memory, offsets, at, end);
      for (const offset of offsets.subarray(0, scan.clicks)) {
        if (!fields.read(offset, reader.dictionary)) throw new Error(`click at ${at + offset} does not fit together`);
        clicks.push(storedClick(fields, reader, clicks.length));
      }
      if (scan.end === 0) return clicks;
      at += scan.end;
    }
  } finally {
    await reader.close();
  }
}

/** All clicks in a spool's folder, oldest segment first. */
export async function readSpool(dir: string): Promise<readonly StoredClick[]> {
  const clicks: StoredClick[] = [];
  for (const name of segmentNames(dir)) clicks.push(...(await readSegment(join(dir, name))));
  return clicks;
}

export function segmentNames(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((name) => isReadableSegment(name))
    .sort();
}

function storedClick(fields: ClickFields, reader: SegmentReader, number: number): StoredClick {
  const id = new Uint8Array(16);
  reader.revealAddress(fields, number);
  reader.ids.writeBytes(id, 0, number, fields.occurred_at_ms);
  const texts = Object.fromEntries(TEXT_FIELDS.map((name, index) => [name, fields.text(index)]));
  const entries = Object.fromEntries(DICTIONARY_FIELDS.map((name, index) => [name, fields.entries[index]?.text ?? '']));
  return {
    ...makeClick(),
    ...(texts as Partial<Click>),
    ...(entries as Partial<Click>),
    id: ID_PREFIXES.click + encodeUlid(id),
    occurred_at_ms: fields.occurred_at_ms,
    environment_number: fields.environment_number,
    kind: fields.kind,
    platform_hint: fields.flags & FLAG_HINT_IOS ? 'ios' : fields.flags & FLAG_HINT_ANDROID ? 'android' : '',
    params_dropped: (fields.flags & FLAG_PARAMS_DROPPED) !== 0,
    qr: (fields.flags & FLAG_QR) !== 0,
    address_bytes:
      fields.address_bytes === 0
        ? null
        : Uint8Array.from(fields.memory.bytes.subarray(fields.address_start, fields.address_start + fields.address_bytes)),
  };
}
