import { randomBytes } from 'node:crypto';
import t from 'tap';
import { CopyBuffer } from '../../../engine/shipping/rows/copy-buffer.js';
import { MatchKeys } from '../../../engine/shipping/rows/match-keys.js';
import { HASH_BYTES } from '../../../engine/shipping/rows/pending-blocks.js';
import { type MatchSubject, matchFacts, matchKey, undecidedFacts } from '../../../shared/attribution/match-key.js';
import { parseOsVersion } from '../../../shared/attribution/os-version.js';
import { networkOf } from '../../../shared/net/address.js';

const subject = (address: string, environmentNumber = 1, platform: 'ios' | 'android' = 'ios', version = '17.5'): MatchSubject => ({
  environmentNumber,
  network: networkOf(address) as Uint8Array,
  facts: matchFacts(platform, parseOsVersion(version) as { major: number; minor: number }),
});

t.test('the match keys that the engine computes for clicks equal those that the control plane computes for opens', async (t) => {
  const key = randomBytes(16);
  const keys = new MatchKeys(new Map([[1, { visitor_key: randomBytes(16), address_key: key }]]));
  const rows = new CopyBuffer(100);
  const subjects = Array.from({ length: 3000 }, (_, index) => subject(`203.0.${index >> 8}.${index & 255}`, 1 + index * 1_000_003));
  const holes = subjects.map((one) => {
    rows.reserve(20);
    const hole = rows.hole(HASH_BYTES);
    keys.note(1, hole, one);
    return hole;
  });
  keys.fill(rows);
  t.same(
    holes.map((hole) => rows.bytes.readBigInt64BE(hole)),
    subjects.map((one) => matchKey(key, one)),
  );
});

t.test('a match key depends on environment, network, platform, version and day, and not on the rest of an IPv6 address', async (t) => {
  const key = randomBytes(16);
  const one = matchKey(key, subject('203.0.113.1'));
  for (const other of [
    subject('203.0.113.2'),
    subject('203.0.113.1', 2),
    subject('203.0.113.1', 1, 'android'),
    subject('203.0.113.1', 1, 'ios', '17.4'),
    subject('203.0.113.1', 1, 'ios', '16.5'),
  ])
    t.not(matchKey(key, other), one);
  t.not(matchKey(randomBytes(16), subject('203.0.113.1')), one);
  t.equal(matchKey(key, subject('::ffff:203.0.113.1')), one);
  t.equal(matchKey(key, subject('2001:db8::1')), matchKey(key, subject('2001:db8::ffff:1')));
});

t.test('a click of unknown version matches no open of any version', async (t) => {
  for (const platform of ['ios', 'android'] as const) {
    for (const version of ['0', '0.0', '0.256', '17.5', '65535.65535'])
      t.notSame(undecidedFacts(platform), subject('203.0.113.1', 1, platform, version).facts, version);
  }
  t.notSame(undecidedFacts('ios'), undecidedFacts('android'));
});
