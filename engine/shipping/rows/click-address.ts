import { copyAddress, keepNetwork, readAddress } from '../../../shared/net/address.js';
import { ADDRESS_TEXT, type ClickFields } from './click-fields.js';

/** Writes the network of the record's address into the 16 bytes of `target`. Returns false if the address is unknown. */
export function readNetwork({ memory, starts, ends, address_start, address_bytes }: ClickFields, target: Uint8Array): boolean {
  const { bytes } = memory;
  let known = true;
  if (address_bytes > 0) copyAddress(bytes, address_start, address_bytes, target);
  else known = readAddress(bytes, starts[ADDRESS_TEXT] as number, ends[ADDRESS_TEXT] as number, target);
  keepNetwork(target);
  return known;
}
