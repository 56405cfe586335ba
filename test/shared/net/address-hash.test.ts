import { randomBytes } from 'node:crypto';
import t from 'tap';
import { CopyBuffer } from '../../../engine/spool/copy-buffer.js';
import { VisitorHashes } from '../../../engine/spool/visitor-hashes.js';
import { networkOf } from '../../../shared/net/address.js';
import { addressHash, HASH_BYTES } from '../../../shared/net/address-hash.js';

t.test('a click and a first open of one network have one address hash', async (t) => {
  const key = randomBytes(16);
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8:1:2::3']) {
    const network = networkOf(address) as Uint8Array;
    const hashes = new VisitorHashes(new Map([[1, { visitor_key: randomBytes(16), address_key: key }]]));
    const rows = new CopyBuffer(100);
    hashes.address.set(network);
    const hole = rows.hole(HASH_BYTES);
    hashes.noteAddress(1, hole);
    hashes.fill(rows);
    t.equal(addressHash(key, network).toString('hex'), Buffer.from(rows.bytes.subarray(hole, hole + HASH_BYTES)).toString('hex'), address);
  }
  t.notSame(addressHash(key, networkOf('192.0.2.1') as Uint8Array), addressHash(key, networkOf('192.0.2.2') as Uint8Array));
});
