import { createHmac, randomBytes } from 'node:crypto';
import { Keystream } from './keystream.js';

/** The longest text of an address is that of an IPv6 address with an embedded IPv4 one: 45 characters. */
export const ADDRESS_TEXT_BYTES_MAX = 48;

const KEY_BYTES = 16;
const ADDRESS_KEY_NAME_BYTES = 8;

/**
 * What addresses are encrypted with between their visit and the moment they are hashed. It is drawn at the start of an
 * engine and lives only in the memory of its processes: the spool's files reveal no address.
 */
export interface AddressKey {
  /** Tells which key it is, and nothing else of it. */
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

/** The encryption of one segment's addresses: they are combined with a keystream (exclusive or), which takes itself off again. */
export function addressKeystream({ secret }: AddressKey, segmentId: Buffer): Keystream {
  return new Keystream(derive(secret, segmentId).subarray(0, KEY_BYTES), ADDRESS_TEXT_BYTES_MAX);
}

function derive(secret: Buffer, of: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(of).digest();
}
