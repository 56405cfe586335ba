import { type ClickIdKeys, deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { CHILD_ENVIRONMENT } from '../processes/messages.js';
import { type AddressKey, addressKeyOf, newAddressSecret } from './address-cipher.js';

/** What writers and readers of the spool need besides its files. The files contain none of it. */
export interface SpoolKeys {
  readonly clickIds: ClickIdKeys;
  readonly addresses: AddressKey;
}

/**
 * Returns the keys of a process of the engine. The supervisor draws the address key and passes it to each process in the
 * environment. It is removed from the environment, because some tools write the environment into files. A process that was
 * started by hand draws its own.
 */
export function takeSpoolKeys(secretsKeys: string, environment: NodeJS.ProcessEnv): SpoolKeys {
  const given = environment[CHILD_ENVIRONMENT.addressKey];
  delete environment[CHILD_ENVIRONMENT.addressKey];
  return {
    clickIds: deriveClickIdKeys(parseSecretKeys(secretsKeys)),
    addresses: addressKeyOf(given === undefined ? newAddressSecret() : Buffer.from(given, 'base64')),
  };
}
