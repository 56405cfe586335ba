import { createHmac, randomBytes } from 'node:crypto';
import { Keystream } from './keystream.js';

/** The longest textual address is an IPv6 address with an embedded IPv4 one: 45 characters. */
export const ADDRESS_TEXT_BYTES_MAX = 48;

const KEY_BYTES = 16;
const ADDRESS_KEY_NAME_BYTES = 8;

/**
 * The key that encrypts addresses between the visit and the moment they are hashed. It is drawn when an engine starts and
 * exists only in the memory of its processes, so the spool's files reveal no address.
 */
export interface AddressKey {
  /** Identifies the key and reveals nothing else about it. */
  readonly name: Buffer;
  readonly secret: Buffer;
}

const SECRET_BYTES = 32;

export function newAddressSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function addressKeyOf(secret: Buffer): AddressKey {
  return { name: derive(secret, 'name').subarray(0, ADDRESS_KEY_NAME_BYTES), secret };
}

/** The keystream that encrypts one segment's addresses. It is combined with them by exclusive or, so the same operation decrypts them. */
export function addressKeystream({ secret }: AddressKey, segmentId: Buffer): Keystream {
  return new Keystream(derive(secret, segmentId).subarray(0, KEY_BYTES), ADDRESS_TEXT_BYTES_MAX);
}

function derive(secret: Buffer, of: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(of).digest();
}
