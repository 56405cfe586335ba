import { idTimeMs } from '../base/ids.js';
import { type ClickIdKeys, isSignedClickId, newClickId } from './click-id-keys.js';

/**
 * Shows that a host is answered by this service, to a control plane that asks it by its public name: an id that was signed
 * at this moment, which nobody else can make. It is the id of no click.
 */
export function proveHost(keys: ClickIdKeys, nowMs: number): string {
  return newClickId(keys, nowMs);
}

/** How far the time of a proof may be from the clock of the reader: an answer that was kept somewhere shows nothing. */
const PROOF_AGE_MS = 5 * 60_000;

export function isHostProof(keys: ClickIdKeys, text: string, nowMs: number): boolean {
  const madeMs = isSignedClickId(keys, text) ? idTimeMs('click', text) : null;
  return madeMs !== null && Math.abs(nowMs - madeMs) <= PROOF_AGE_MS;
}
