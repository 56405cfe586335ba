import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { CopyBuffer } from '../../../../engine/shipping/rows/copy-buffer.js';
import { userAgentHash, VisitorHashes } from '../../../../engine/shipping/rows/visitor-hashes.js';

function aes(key: Buffer, block: Buffer): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
}

t.test('hashes follow their definition, over any number of clicks and days', async (t) => {
  const keys = new Map([1, 2, 3].map((day) => [day, { visitor_key: randomBytes(16), address_key: randomBytes(16) }]));
  const hashes = new VisitorHashes(keys);
  const rows = new CopyBuffer(100_000);
  const expected: [number, Buffer][] = [];
  for (let index = 0; index < 3000; index++) {
    const address = randomBytes(16);
    const userAgent = `agent ${index % 7}`;
    const [addressDay, visitorDay] = [1 + (index % 2), 1 + (index % 3)];
    const addressHole = rows.hole(8);
    hashes.address.set(address);
    hashes.noteAddress(addressDay, addressHole);
    expected.push([addressHole, aes((keys.get(addressDay) as { address_key: Buffer }).address_key, address).subarray(0, 8)]);
    const visitorHole = rows.hole(8);
    hashes.noteVisitor(visitorDay, visitorHole, index, userAgentHash(userAgent));
    const key = (keys.get(visitorDay) as { visitor_key: Buffer }).visitor_key;
    const second = Buffer.alloc(16);
    second.writeUInt32BE(index, 0);
    createHash('sha256').update(userAgent).digest().copy(second, 4, 0, 12);
    const first = aes(key, address);
    expected.push([visitorHole, aes(key, Buffer.from(first.map((byte, at) => byte ^ (second[at] as number)))).subarray(0, 8)]);
  }
  hashes.fill(rows);
  for (const [hole, hash] of expected) if (!hash.equals(rows.bytes.subarray(hole, hole + 8))) t.fail(`hole ${hole}`);
  t.equal(expected.length, 6000);
});

t.test('address, user agent, environment and day each make another visitor', async (t) => {
  const keys = new Map([1, 2].map((day) => [day, { visitor_key: randomBytes(16), address_key: randomBytes(16) }]));
  const hashOf = (day: number, address: string, environment: number, agent: string): string => {
    const rows = new CopyBuffer(100);
    const hashes = new VisitorHashes(keys);
    hashes.address.set(Buffer.alloc(16, address));
    hashes.noteVisitor(day, rows.hole(8), environment, userAgentHash(agent));
    hashes.fill(rows);
    return rows.filled().toString('hex');
  };
  const base = hashOf(1, 'a', 1, 'x');
  t.equal(hashOf(1, 'a', 1, 'x'), base);
  const others = [hashOf(2, 'a', 1, 'x'), hashOf(1, 'b', 1, 'x'), hashOf(1, 'a', 2, 'x'), hashOf(1, 'a', 1, 'y')];
  t.equal(new Set([base, ...others]).size, 5);
});
