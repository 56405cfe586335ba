import { addressKeyOf } from '../../engine/spool/address-cipher.js';
import type { SegmentKeys } from '../../engine/spool/segment.js';
import type { SpoolKeys } from '../../engine/spool/spool-keys.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { TEST_SECRETS_KEYS } from './engine.js';

export const TEST_ADDRESS_SECRET = Buffer.alloc(32, 9);

/** Keys that all processes of a test share. */
export const TEST_SPOOL_KEYS: SpoolKeys = {
  clickIds: deriveClickIdKeys(parseSecretKeys(TEST_SECRETS_KEYS)),
  addresses: addressKeyOf(TEST_ADDRESS_SECRET),
};

export const TEST_SEGMENT_KEYS: SegmentKeys = {
  format: 2,
  click_id_key_name: TEST_SPOOL_KEYS.clickIds.current.name,
  address_key_name: TEST_SPOOL_KEYS.addresses.name,
};
