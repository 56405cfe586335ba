import { DESTINATION_CHARACTERS_MAX } from '../../shared/base/limits.js';
import type { FieldCode } from '../../shared/contract/problems.js';
import { DESTINATION_SLOTS, type DestinationSlot } from '../../shared/feed/records.js';
import { type DestinationRefusal, destinationRefusal } from '../../shared/resolve/destination-safety.js';
import { isPlainText } from '../http/validate.js';

/**
 * Schemes that are no app's own, beyond those no visitor is ever sent to: they rebuild an intent, read what the browser
 * holds, or speak another protocol.
 */
const OTHER_SCHEMES: ReadonlySet<string> = new Set(['filesystem:', 'view-source:', 'about:', 'intent:', 'content:', 'ws:', 'wss:', 'ftp:']);

export type DestinationOutcome =
  | { readonly kind: 'ok'; readonly url: string }
  | { readonly kind: 'refused'; readonly code: FieldCode; readonly detail: string };

const REFUSALS: Readonly<Record<DestinationRefusal, readonly [FieldCode, string]>> = {
  unprintable_character: ['invalid_url', 'must not hold spaces'],
  not_a_url: ['invalid_url', 'must be an absolute URL with a host'],
  scheme_refused: ['scheme_not_allowed', 'has a scheme that is not allowed'],
  custom_scheme_refused: ['scheme_not_allowed', 'must begin with https:// or http://'],
};

/**
 * The destination as it is stored: serialised by the WHATWG URL standard, so that only 0x21 to 0x7E ever reaches a
 * `Location` header, and what is judged, by the rules that are asked again on every visit, is what is stored. Control
 * characters are refused first, because the parser would drop tabs and newlines and with them hide a scheme.
 */
export function normaliseDestination(slot: DestinationSlot, text: string): DestinationOutcome {
  if (!isPlainText(text)) return refused('control_character', 'must not hold control characters');
  if (!URL.canParse(text)) return refused('invalid_url', 'must be an absolute URL');
  const { protocol, href } = new URL(text);
  if (OTHER_SCHEMES.has(protocol)) return refused('scheme_not_allowed', `the scheme ${protocol} is not allowed`);
  const refusal = destinationRefusal(href, slot);
  if (refusal !== null) return refused(...REFUSALS[refusal]);
  if (href.length > DESTINATION_CHARACTERS_MAX)
    return refused('too_long', `must have at most ${DESTINATION_CHARACTERS_MAX} characters once it is encoded`);
  return { kind: 'ok', url: href };
}

/** Destinations as they are stored: only the slots that are set. */
export type StoredDestinations = { readonly [Slot in DestinationSlot]?: string };

/** The stored destinations after a change, slot by slot; null in place of the object clears all five. What the change holds passed `normalise` before. */
export function patchedDestinations(
  stored: StoredDestinations,
  given: { readonly [Slot in DestinationSlot]?: string | null } | null | undefined,
  normalise: (slot: DestinationSlot, text: string) => DestinationOutcome,
): StoredDestinations {
  if (given === undefined) return stored;
  if (given === null) return {};
  const patched: Record<string, string> = {};
  for (const slot of DESTINATION_SLOTS) {
    const text = given[slot];
    if (text === undefined) {
      if (stored[slot] !== undefined) patched[slot] = stored[slot];
    } else if (text !== null) {
      const outcome = normalise(slot, text);
      if (outcome.kind === 'ok') patched[slot] = outcome.url;
    }
  }
  return patched;
}

function refused(code: FieldCode, detail: string): DestinationOutcome {
  return { kind: 'refused', code, detail };
}
