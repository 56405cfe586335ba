import t from 'tap';
import { emptyDictionary, RecordMemory, scanRecords } from '../../../../engine/shipping/rows/segment-scan.js';
import { addressKeystream } from '../../../../engine/spool/address-cipher.js';
import { RecordWriter } from '../../../../engine/spool/record-writer.js';
import { makeClick } from '../../../support/clicks.js';
import fc from '../../../support/properties.js';
import { TEST_SPOOL_KEYS } from '../../../support/spool-keys.js';

const SEGMENT_ID = Buffer.alloc(16, 3);
const SEED = -7;
const CLICKS = 20;

function sample(): { memory: RecordMemory; ends: number[] } {
  const memory = new RecordMemory(64 * 1024);
  const writer = new RecordWriter(memory.buffer);
  writer.reset(SEED, addressKeystream(TEST_SPOOL_KEYS.addresses, SEGMENT_ID));
  const ends: number[] = [];
  for (let index = 0; index < CLICKS; index++)
    ends.push(writer.write(makeClick({ user_agent: `agent ${index % 3}` }), ends.at(-1) ?? 0, index));
  return { memory, ends };
}

function scan(memory: RecordMemory, to: number): ReturnType<typeof scanRecords> {
  return scanRecords({ memory, from: 0, to, seed: SEED }, emptyDictionary(), new Int32Array(1000));
}

t.test('wherever the end of a segment is torn off, exactly the clicks before that point are read', async () => {
  const { memory, ends } = sample();
  const last = ends.at(-1) as number;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: last / 4 }), (words) => {
      const torn = new RecordMemory(64 * 1024);
      torn.bytes.set(memory.bytes.subarray(0, words * 4));
      const found = scan(torn, last);
      return found.clicks === ends.filter((end) => end <= words * 4).length && (words * 4 === last || found.stop !== 'end');
    }),
  );
});

t.test('every flipped bit ends the reading before its record', async () => {
  const { memory, ends } = sample();
  const last = ends.at(-1) as number;
  fc.assert(
    fc.property(fc.nat(last * 8 - 1), (bit) => {
      const rotten = new RecordMemory(64 * 1024);
      rotten.bytes.set(memory.bytes);
      rotten.bytes[bit >> 3] = (rotten.bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const found = scan(rotten, last);
      return found.clicks <= ends.filter((end) => end <= bit >> 3).length && found.end <= bit >> 3 && found.stop !== 'end';
    }),
    { numRuns: 500 },
  );
});

t.test('a record that goes on beyond the bytes read so far is left for the next reading', async (t) => {
  const { memory, ends } = sample();
  const found = scan(memory, (ends[4] as number) + 8);
  t.match(found, { clicks: 5, end: ends[4], stop: 'cut' });
});

t.test('reading ends after the requested number of clicks, before the next one', async (t) => {
  const { memory, ends } = sample();
  const found = scanRecords({ memory, from: 0, to: ends.at(-1) as number, seed: SEED }, emptyDictionary(), new Int32Array(7));
  t.match(found, { clicks: 7, stop: 'full' });
  t.ok(found.end >= (ends[6] as number) && found.end < (ends[7] as number));
});

t.test('records of another segment are not read', async (t) => {
  const { memory, ends } = sample();
  const found = scanRecords({ memory, from: 0, to: ends.at(-1) as number, seed: SEED + 1 }, emptyDictionary(), new Int32Array(1000));
  t.match(found, { clicks: 0, end: 0, stop: 'invalid' });
});
