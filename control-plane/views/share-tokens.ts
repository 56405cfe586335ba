import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, idBytes } from '../../shared/base/ids.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';

/**
 * The token in the public link of a view: the 16 bytes of the share's id, and 16 bytes of HMAC-SHA256 over them. Reading the database is
 * not enough to make a token, and a forged one is recognized without querying the database. The keys are derived from SECRETS_KEYS: the
 * first one signs, all of them verify.
 */
const ID_BYTES = 16;
const MAC_BYTES = 16;

export interface ShareTokens {
  tokenOf(shareId: string): string;
  /** Returns the share's id; null if the token was not issued by us. */
  shareIdOf(token: string): string | null;
}

export function createShareTokens({ current, keys }: SecretKeys): ShareTokens {
  const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', 'shared view', 32));
  const derived = new Map([...keys].map(([name, key]) => [name, derive(key)]));
  const mac = (key: Buffer, id: Uint8Array) => createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
  return {
    tokenOf(shareId) {
      const id = idBytes('viewShare', shareId) as Uint8Array;
      return Buffer.concat([id, mac(derived.get(current) as Buffer, id)]).toString('base64url');
    },
    shareIdOf(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Several Base64 texts decode to the same bytes; only the one that was issued is accepted.
      if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return null;
      const id = bytes.subarray(0, ID_BYTES);
      const given = bytes.subarray(ID_BYTES);
      return [...derived.values()].some((key) => timingSafeEqual(mac(key, id), given)) ? ID_PREFIXES.viewShare + encodeUlid(id) : null;
    },
  };
}
