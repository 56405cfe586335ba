import { DESTINATION_SLOTS, type DestinationSlot } from '../../shared/records/records.js';
import type { DestinationOutcome } from '../../shared/resolve/stored-destination.js';

/** Destinations as they are stored: only the slots that are set. */
export type StoredDestinations = { readonly [Slot in DestinationSlot]?: string };

/** The stored destinations after a change, slot by slot; null instead of the object clears all five. The change was checked before. */
export function patchedDestinations(
  stored: StoredDestinations,
  given: { readonly [Slot in DestinationSlot]?: string | null } | null | undefined,
  normalise: (text: string, slot: DestinationSlot, ownSchemes: null) => DestinationOutcome,
): StoredDestinations {
  if (given === undefined) return stored;
  if (given === null) return {};
  const patched: Record<string, string> = {};
  for (const slot of DESTINATION_SLOTS) {
    const text = given[slot];
    if (text === undefined) {
      if (stored[slot] !== undefined) patched[slot] = stored[slot];
    } else if (text !== null) {
      const outcome = normalise(text, slot, null);
      if (outcome.kind === 'ok') patched[slot] = outcome.url;
    }
  }
  return patched;
}
