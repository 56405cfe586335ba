import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { withoutQrMark } from '../../shared/resolve/qr-mark.js';
import type { Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { Facts } from '../http/facts.js';

/** Sets the visitor in the facts, judged by the user agent alone. */
export function recognise(facts: Facts, verdicts: GenerationCache<Visitor>): void {
  const { text, value } = verdicts.entryOf(facts.user_agent);
  facts.visitor = value;
  // The spool looks the text up too. This string already has its hash.
  facts.user_agent = text;
}

/** Records in the facts whether the visitor scanned a QR code, and removes its mark from the query. */
export function readQrMark(facts: Facts): void {
  const query = withoutQrMark(facts.query);
  facts.qr = query !== facts.query;
  facts.query = query;
}
