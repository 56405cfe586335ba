import { randomBytes } from 'node:crypto';
import t from 'tap';
import { newId } from '../../../shared/base/ids.js';
import { deriveClickIdKeys } from '../../../shared/secrets/click-id-keys.js';
import { isHostProof, proveHost } from '../../../shared/secrets/host-proof.js';

const keysOf = (secret: Buffer) => deriveClickIdKeys({ current: '0', keys: new Map([['0', secret]]) });
const keys = keysOf(randomBytes(32));
const NOW = 1_790_000_000_000;
const MINUTE_MS = 60_000;

t.test('a proof is valid for its own installation alone, for about five minutes in both directions', async (t) => {
  const proof = proveHost(keys, NOW);
  for (const away of [0, 4, -4]) t.ok(isHostProof(keys, proof, NOW + away * MINUTE_MS), `${away} minutes`);
  for (const away of [6, -6]) t.notOk(isHostProof(keys, proof, NOW + away * MINUTE_MS), `${away} minutes`);
  t.notOk(isHostProof(keysOf(randomBytes(32)), proof, NOW), 'another installation');
  for (const text of ['', 'ok', newId('click', () => NOW), `${proof} `]) t.notOk(isHostProof(keys, text, NOW), text);
});
