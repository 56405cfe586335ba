import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

const KEY_BYTES = 32;
const ID_BYTES = 4;

export interface SecretsKeys {
  /** As SECRETS_KEYS takes it. */
  readonly keys: string;
  readonly made: boolean;
}

/**
 * SECRETS_KEYS as given, else the key that the first start has made. Its id is random: a key made after the file was lost
 * is told apart from the one that older secrets are sealed with.
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
