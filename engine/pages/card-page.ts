import { escapeHtml } from '../../shared/base/escape-html.js';
import type { Card } from '../../shared/metadata/card.js';
import { type CardContext, renderCard } from '../../shared/metadata/card-html.js';
import { type Brand, mark, nameAlone, owner } from './brand.js';
import { renderPage } from './html.js';

/** Renders the card for a preview bot as a page in the style of the link host's other pages, because a person may be mistaken for a bot. */
export function renderCardPage(card: Card, context: CardContext, brand: Brand): string {
  const { title, head, main } = renderCard(card, context);
  const named = nameAlone(brand);
  return renderPage({
    brand: named,
    language: 'en',
    title: escapeHtml(title),
    head,
    bodyAttributes: '',
    main: mark(named) + main + owner(named, 'en'),
    script: '',
  });
}
