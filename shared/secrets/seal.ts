import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SettingError } from '../base/settings.js';

/**
 * Credentials at rest: AES-256-GCM (NIST SP 800-38D) with the row and column they belong to as additional data, so that
 * a ciphertext moved to another row does not open there. Layout: key id length (1 byte), key id, nonce (12), tag (16),
 * ciphertext. A new random nonce each time; the number of seals under one key stays far below 2^32.
 */
export interface SecretKeys {
  /** The id of the key that seals. */
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Reads `id:base64,id:base64`; the first key seals, all of them open. Throws `SettingError` if an id is repeated: of two
 * keys with one id, only one could open what was sealed with it.
 */
export function parseSecretKeys(text: string): SecretKeys {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(',')) {
    const [id, encoded = '', ...more] = part.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!id || id.length > 32 || key.length !== 32 || more.length > 0)
      throw new SettingError('SECRETS_KEYS is malformed: expected id:base64 of 32 bytes, comma-separated');
    if (keys.has(id)) throw new SettingError(`SECRETS_KEYS names the key "${id}" twice: every key needs an id of its own`);
    keys.set(id, key);
  }
  return { current: [...keys.keys()][0] as string, keys };
}

/** Seals `plaintext` for the place named, for example `webhook_endpoints/wh_.../secret`. */
export function seal(secretKeys: SecretKeys, place: string, plaintext: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secretKeys.keys.get(secretKeys.current) as Buffer, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([sealedHead(secretKeys), nonce, cipher.getAuthTag(), sealed]);
}

/** The bytes with which every value sealed with the current key begins, and no other value. */
export function sealedHead(secretKeys: SecretKeys): Buffer {
  const id = Buffer.from(secretKeys.current);
  return Buffer.concat([Buffer.of(id.length), id]);
}

/** Returns where the head of a sealed value ends. */
function headEnd(sealed: Buffer): number {
  return 1 + (sealed[0] ?? 0);
}

/** Returns the id of the key that a value was sealed with. */
export function sealedKeyId(sealed: Buffer): string {
  return sealed.subarray(1, headEnd(sealed)).toString();
}

/** Opens what `seal` made for the same place. Throws if the key is unknown or the value was altered or moved. */
export function unseal(secretKeys: SecretKeys, place: string, sealed: Buffer): string {
  const id = sealedKeyId(sealed);
  const key = secretKeys.keys.get(id);
  if (key === undefined) throw new Error(`sealed with key "${id}", which is not in SECRETS_KEYS`);
  const nonceAt = headEnd(sealed);
  const tagAt = nonceAt + NONCE_BYTES;
  // Without the length, a tag that was cut to 4 bytes would be accepted if nothing follows it.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** The `place` of a webhook endpoint's signing secret. */
export function webhookSecretPlace(webhookId: string): string {
  return `webhook_endpoints/${webhookId}/secret`;
}

/** The `place` of a metadata API's credential. */
export function metadataSecretPlace(metadataApiId: string): string {
  return `metadata_apis/${metadataApiId}/secret`;
}
