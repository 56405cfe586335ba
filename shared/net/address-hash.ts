import { createCipheriv } from 'node:crypto';

export const HASH_BYTES = 8;

/**
 * What stands for a client's address: the first 8 bytes of AES-128(key, network), the network being the 16 bytes of
 * `networkOf`, and the key one that is drawn for a day (UTC) and destroyed when the attribution window has passed. The
 * engine hashes the address of a click, the control plane that of an app's first open, and equal hashes mean one network.
 */
export function addressHash(key: Uint8Array, network: Uint8Array): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(network).subarray(0, HASH_BYTES);
}
