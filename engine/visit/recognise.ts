import type { GenerationCache } from '../../shared/base/generation-cache.js';
import type { Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { Facts } from '../http/facts.js';

/** Says in the facts who the visitor is, by the user agent alone. */
export function recognise(facts: Facts, verdicts: GenerationCache<Visitor>): void {
  const { text, value } = verdicts.entryOf(facts.user_agent);
  facts.visitor = value;
  // The spool looks the text up too, by a hash that this string has already.
  facts.user_agent = text;
}
