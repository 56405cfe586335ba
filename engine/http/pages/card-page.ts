import type { Card } from '../../../shared/metadata/card.js';
import { type CardContext, renderCard } from '../../../shared/metadata/card-html.js';
import { renderPage } from './html.js';

/** The card of a preview bot as a page in the look of the link host's others: a person may be taken for a bot. */
export function renderCardPage(card: Card, context: CardContext): string {
  return renderPage({ ...renderCard(card, context), bodyAttributes: '', script: '' });
}
