import t from 'tap';
import { beginFacts, newFacts } from '../../../engine/http/facts.js';
import { encodeLink, IndexMemory, isRecordOf, readLink, recordChecksum, writeRecord } from '../../../engine/link-index/record.js';
import { linkKey } from '../../../engine/store/keys.js';
import { decide } from '../../../engine/visit/decide.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../../shared/base/limits.js';
import { decodeRecord, encodeRecord } from '../../../shared/feed/codec.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import fc from '../../support/properties.js';
import { ANDROID, CLICKED_AT_MS, DESKTOP, environmentRecord, IPHONE, locateLink, PREVIEW, tableOf } from '../fixtures.js';
import { anyLink, anyPath } from './any-link.js';

const PLACE = 4;
const SEED = 7;

/** The link as an index holds it, in memory of its own. */
function written(path: string, link: LinkRecord, hash = 1) {
  const bytes = Buffer.from(new ArrayBuffer(128 * 1024));
  bytes.fill(0xff); // the previous content must not matter
  return writtenInto(new IndexMemory(bytes), PLACE, { path, link, hash });
}

interface Written {
  readonly path: string;
  readonly link: LinkRecord;
  readonly hash: number;
}

function writtenInto(memory: IndexMemory, place: number, { path, link, hash }: Written) {
  const encoded = encodeLink(path, link);
  if (encoded === null) throw new Error('the link is too large');
  const key = { hash, environment_number: 3, path };
  writeRecord(memory, place, key, { link, encoded });
  memory.words[place * 2] = recordChecksum(memory.words, place, SEED) as number;
  return { memory, key, encoded };
}

t.test('a link is read as it was written', async (t) => {
  fc.assert(
    fc.property(anyPath, anyLink, (path, link) => {
      const { memory, key } = written(path, link);
      t.strictSame(readLink(memory, PLACE), link);
      if (!isRecordOf(memory, PLACE, key)) throw new Error('the record is not its own');
    }),
    { numRuns: 300 },
  );
});

t.test('a record is read correctly wherever it is placed in the largest file', async (t) => {
  // Pages that are never written take no memory.
  const memory = new IndexMemory(Buffer.alloc(LINK_INDEX_FILE_BYTES_MAX));
  const links = fc.sample(fc.tuple(anyPath, anyLink), { numRuns: 20, seed: 1 });
  for (const place of [PLACE, 2 ** 27, 2 ** 28 - 4, 2 ** 28, (LINK_INDEX_FILE_BYTES_MAX - 128 * 1024) / 8])
    for (const [path, link] of links) {
      const { key } = writtenInto(memory, place, { path, link, hash: 1 });
      t.ok(isRecordOf(memory, place, key));
      t.strictSame(readLink(memory, place), link, `at byte ${place * 8}`);
    }
});

t.test('a link from the index and the same link from LMDB lead to the same decision', async (t) => {
  const environment = environmentRecord({
    default_destinations: { ios: null, android: null, web: null, desktop: null, fallback: 'https://shop.example{deep_link_path}' },
  });
  const campaigns = [
    {
      id: 'cmp_1',
      environment_number: environment.number,
      key: 'spring',
      utm: { utm_source: 'mail', utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null },
    },
  ];
  const table = tableOf({ environments: [environment], campaigns });
  const agents = fc.constantFrom(DESKTOP, IPHONE, ANDROID, PREVIEW, '');
  fc.assert(
    fc.property(anyPath, anyLink, agents, fc.constantFrom('', 'a=1', 'utm_source=x&%zz'), (path, link, userAgent, query) => {
      const facts = newFacts();
      beginFacts(facts, 'GET', `/${path}`, query);
      Object.assign(facts, { host: environment.link_host, user_agent: userAgent, visitor: recogniseVisitor(userAgent) });
      const target = locateLink(facts, table);
      const key = linkKey(environment.number, path);
      const bytes = encodeRecord(link, key);
      const fromLmdb = decide(facts, target, decodeRecord<LinkRecord>(key, bytes, bytes.length), CLICKED_AT_MS);
      t.strictSame(decide(facts, target, readLink(written(path, link).memory, PLACE), CLICKED_AT_MS), fromLmdb);
    }),
    { numRuns: 300 },
  );
});

t.test('every flipped bit makes the checksum wrong', async (t) => {
  const link = fc.sample(anyLink, { numRuns: 1, seed: 5 })[0] as LinkRecord;
  const { memory, encoded } = written('abc', link);
  let unnoticed = 0;
  for (let bit = 0; bit < encoded.record_bytes * 8; bit++) {
    const byte = PLACE * 8 + (bit >> 3);
    memory.bytes[byte] = (memory.bytes[byte] as number) ^ (1 << (bit & 7));
    if (recordChecksum(memory.words, PLACE, SEED) === memory.words[PLACE * 2]) unnoticed++;
    memory.bytes[byte] = (memory.bytes[byte] as number) ^ (1 << (bit & 7));
  }
  t.equal(unnoticed, 0);
});

t.test('a record belongs to one path of one environment', async (t) => {
  const { memory, key } = written('abc', fc.sample(anyLink, 1)[0] as LinkRecord);
  t.ok(isRecordOf(memory, PLACE, key));
  for (const other of [{ path: 'abd' }, { path: 'ab' }, { path: 'abcd' }, { path: 'ABC' }, { environment_number: 4 }, { hash: 2 }])
    t.notOk(isRecordOf(memory, PLACE, { ...key, ...other }), JSON.stringify(other));
});

t.test('a link that is too large for a record gets none', async (t) => {
  const [link] = fc.sample(anyLink, 1) as [LinkRecord];
  t.equal(encodeLink('abc', { ...link, data: 'x'.repeat(70_000) }), null);
});
