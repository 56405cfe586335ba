import { type ClickIdKeys, deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { CHILD_ENVIRONMENT } from '../processes/messages.js';
import { type AddressKey, addressKeyOf, newAddressSecret } from './address-cipher.js';

/** What writers and readers of the spool need besides its files. None of it is in them. */
export interface SpoolKeys {
  readonly clickIds: ClickIdKeys;
  readonly addresses: AddressKey;
}

/**
 * The keys of a process of the engine. Its supervisor has drawn the address key and hands it to each of them; it is taken
 * out of the environment, which some tools write into files. A process that was started by hand draws one of its own.
 */
export function takeSpoolKeys(secretsKeys: string, environment: NodeJS.ProcessEnv): SpoolKeys {
  const given = environment[CHILD_ENVIRONMENT.addressKey];
  delete environment[CHILD_ENVIRONMENT.addressKey];
  return {
    clickIds: deriveClickIdKeys(parseSecretKeys(secretsKeys)),
    addresses: addressKeyOf(given === undefined ? newAddressSecret() : Buffer.from(given, 'base64')),
  };
}
