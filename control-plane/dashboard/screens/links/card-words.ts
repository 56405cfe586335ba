import { text } from '../../language/text.js';

interface Cardless {
  /** Whether a password or a click limit restricts access. */
  readonly isProtected: boolean;
  /** Where preview bots are redirected; null if there is no web destination. */
  readonly web: string | null;
}

/** Which card chats show for a link or a template without a card of its own. Link hosts decide by the rules of `shared/resolve`. */
export function cardWords({ isProtected, web }: Cardless): string {
  if (isProtected) return text('A generic card: preview bots do not see where a link with a password or a click limit leads.');
  return web === null
    ? text('A generic card: there is no web destination.')
    : text('The card of the web destination: preview bots are redirected to it.');
}

type Destinations = Readonly<Record<'web' | 'fallback', string | null>>;

/** Where preview bots are redirected, given the destinations of the link or template itself and the environment's defaults. */
export function webOf(own: Destinations, all: Destinations): string | null {
  return own.web ?? all.web ?? own.fallback ?? all.fallback;
}
