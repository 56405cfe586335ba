import { addressKeyOf } from '../engine/spool/address-cipher.js';
import type { SpoolKeys } from '../engine/spool/spool-keys.js';
import { deriveClickIdKeys } from '../shared/secrets/click-id-keys.js';

/** Keys of a spool with invented clicks, the same in every process of a measurement. */
export const BENCH_SPOOL_KEYS: SpoolKeys = {
  clickIds: deriveClickIdKeys({ current: 'bench', keys: new Map([['bench', Buffer.alloc(32, 1)]]) }),
  addresses: addressKeyOf(Buffer.alloc(32, 2)),
};
