import { escapeHtml, renderPage } from './html.js';

/** What a preview bot shows of a link. */
export interface Card {
  readonly title: string;
  readonly description: string;
  /** '' for a card without an image. */
  readonly image_url: string;
  readonly large_image: boolean;
  readonly site_name: string;
  /** The link itself: what a card leads to. */
  readonly canonical_url: string;
  /** Where a person who was taken for a bot can go on by a tap; '' where there is nowhere. */
  readonly onward_url: string;
  readonly ios: { readonly url: string; readonly app_store_id: string } | null;
  readonly android: { readonly url: string; readonly package_name: string } | null;
}

/**
 * The card as HTML: OpenGraph (https://ogp.me), Twitter cards and App Links (`al:*`, https://developers.facebook.com/docs/applinks).
 * Every value is text of a customer or of a customer's API; nothing reaches the page but through `escapeHtml`.
 */
export function renderCardPage(card: Card): string {
  const tags: string[] = [
    property('og:type', 'website'),
    property('og:title', card.title),
    property('og:description', card.description),
    property('og:url', card.canonical_url),
    property('og:site_name', card.site_name),
    property('og:image', card.image_url),
    named('description', card.description),
    named('twitter:card', card.large_image && card.image_url !== '' ? 'summary_large_image' : 'summary'),
    named('twitter:title', card.title),
    named('twitter:description', card.description),
    named('twitter:image', card.image_url),
    ...appTags(card),
    `<link rel="canonical" href="${escapeHtml(card.canonical_url)}">\n`,
  ];
  const onward = card.onward_url === '' ? '' : `\n<p><a href="${escapeHtml(card.onward_url)}" rel="nofollow noreferrer">Continue</a></p>`;
  const text = card.description === '' ? '' : `\n<p>${escapeHtml(card.description)}</p>`;
  return renderPage({
    title: card.title,
    head: tags.join(''),
    bodyAttributes: '',
    main: `<h1>${escapeHtml(card.title)}</h1>${text}${onward}`,
    script: '',
  });
}

function appTags(card: Card): string[] {
  const tags: string[] = [];
  if (card.ios !== null) {
    tags.push(property('al:ios:url', card.ios.url), property('al:ios:app_store_id', card.ios.app_store_id));
    tags.push(property('al:ios:app_name', card.site_name));
  }
  if (card.android !== null) {
    tags.push(property('al:android:url', card.android.url), property('al:android:package', card.android.package_name));
    tags.push(property('al:android:app_name', card.site_name));
  }
  tags.push(property('al:web:url', card.onward_url));
  return tags;
}

function property(name: string, content: string): string {
  return content === '' ? '' : `<meta property="${name}" content="${escapeHtml(content)}">\n`;
}

function named(name: string, content: string): string {
  return content === '' ? '' : `<meta name="${name}" content="${escapeHtml(content)}">\n`;
}
