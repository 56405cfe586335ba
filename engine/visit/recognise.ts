import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { withoutQrMark } from '../../shared/resolve/qr-mark.js';
import type { Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { Facts } from '../http/facts.js';

/** Says in the facts who the visitor is, by the user agent alone. */
export function recognise(facts: Facts, verdicts: GenerationCache<Visitor>): void {
  const { text, value } = verdicts.entryOf(facts.user_agent);
  facts.visitor = value;
  // The spool looks the text up too, by a hash that this string has already.
  facts.user_agent = text;
}

/** Says in the facts whether a QR code was scanned, and takes its mark off the query. */
export function readQrMark(facts: Facts): void {
  const query = withoutQrMark(facts.query);
  facts.qr = query !== facts.query;
  facts.query = query;
}
