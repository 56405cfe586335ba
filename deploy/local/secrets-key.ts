import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

const KEY_BYTES = 32;
const ID_BYTES = 4;

export interface SecretsKeys {
  /** In the format of SECRETS_KEYS. */
  readonly keys: string;
  readonly made: boolean;
}

/**
 * Returns SECRETS_KEYS as given, or else the key that the first start has created. Its id is random, so that a key created after the file
 * was lost differs from the one that sealed older secrets.
 */
export function readOrMakeSecretsKeys(given: string, dataDir: string): SecretsKeys {
  if (given !== '') return { keys: given, made: false };
  const file = join(dataDir, 'secrets-key');
  const kept = readPrivateFile(file);
  if (kept !== null) {
    parseSecretKeys(kept);
    return { keys: kept, made: false };
  }
  const keys = `local-${randomBytes(ID_BYTES).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`;
  writePrivateFile(file, keys);
  return { keys, made: true };
}
