import { escapeHtml } from '../base/escape-html.js';
import type { AppLinks, Card } from './card.js';

/** What surrounds a card: whose it is and where it leads. */
export interface CardContext {
  readonly site_name: string;
  /** The short URL that was shared. */
  readonly shared_url: string;
  /** Where a person who was mistaken for a bot goes on with a tap; '' if there is nowhere to go. */
  readonly onward_url: string;
  readonly apps: AppLinks;
}

/** A card as parts of an HTML page. Every value in them is text of a customer or of a customer's API, and went through `escapeHtml`. */
export interface CardHtml {
  readonly title: string;
  /** Elements of `<head>`: OpenGraph, Twitter, App Links and the canonical URL. */
  readonly head: string;
  /** Elements of `<body>`. */
  readonly main: string;
}

function meta(attribute: 'property' | 'name', name: string, content: string | null): string {
  return content === null || content === '' ? '' : `<meta ${attribute}="${name}" content="${escapeHtml(content)}">\n`;
}

function appTags({ apps, site_name }: CardContext, webUrl: string): string[] {
  const { ios, android } = apps;
  return [
    ...(ios === null
      ? []
      : [
          meta('property', 'al:ios:url', ios.url),
          meta('property', 'al:ios:app_store_id', ios.app_store_id),
          meta('property', 'al:ios:app_name', site_name),
        ]),
    ...(android === null
      ? []
      : [
          meta('property', 'al:android:url', android.url),
          meta('property', 'al:android:package', android.package_name),
          meta('property', 'al:android:app_name', site_name),
        ]),
    meta('property', 'al:web:url', webUrl),
  ];
}

/**
 * The card as OpenGraph (https://ogp.me), Twitter cards and App Links (https://developers.facebook.com/docs/applinks).
 * `og:url` is the shared URL, never the customer's page: Facebook fetches what `og:url` names and would show, and count,
 * that page in place of the link. The customer's page is the canonical URL, which search engines read.
 */
export function renderCard(card: Card, context: CardContext): CardHtml {
  const onward = card.web_fallback_url ?? context.onward_url;
  const head = [
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', card.title),
    meta('property', 'og:description', card.description),
    meta('property', 'og:url', context.shared_url),
    meta('property', 'og:site_name', context.site_name),
    meta('property', 'og:image', card.image_url),
    meta('name', 'description', card.description),
    meta('name', 'twitter:card', card.large_image ? 'summary_large_image' : 'summary'),
    meta('name', 'twitter:title', card.title),
    meta('name', 'twitter:description', card.description),
    meta('name', 'twitter:image', card.image_url),
    ...appTags(context, onward),
    `<link rel="canonical" href="${escapeHtml(card.canonical_url ?? context.shared_url)}">\n`,
  ];
  const text = card.description === null ? '' : `\n<p>${escapeHtml(card.description)}</p>`;
  const link =
    onward === '' ? '' : `\n<p class="actions"><a class="main" href="${escapeHtml(onward)}" rel="nofollow noreferrer">Continue</a></p>`;
  return { title: card.title, head: head.join(''), main: `<h1>${escapeHtml(card.title)}</h1>${text}${link}` };
}
