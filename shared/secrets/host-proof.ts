import { idTimeMs } from '../base/ids.js';
import { type ClickIdKeys, isSignedClickId, newClickId } from './click-id-keys.js';

/**
 * Proves that this service answers a host, to a control plane that requests it by its public name. The proof is an id
 * that was signed at this moment, which nobody else can make. It is not the id of a click.
 */
export function proveHost(keys: ClickIdKeys, nowMs: number): string {
  return newClickId(keys, nowMs);
}

/** How far the time of a proof may be from the clock of the reader. A stored answer proves nothing. */
const PROOF_AGE_MS = 5 * 60_000;

export function isHostProof(keys: ClickIdKeys, text: string, nowMs: number): boolean {
  const madeMs = isSignedClickId(keys, text) ? idTimeMs('click', text) : null;
  return madeMs !== null && Math.abs(nowMs - madeMs) <= PROOF_AGE_MS;
}
