import type { AndroidApp, IosApp, LinkCard } from '../records/records.js';
import { schemeName } from '../resolve/app-of-destination.js';
import { escapeRoute } from '../resolve/query.js';
import type { Answer, Metadata } from './answer.js';

/**
 * `item`: its owner described it, by the metadata API or, if it is a link, by the link's own card. `unavailable`: the
 * API said that the item does not exist, or is not published. `generic`: nothing is known about it.
 */
export type CardKind = 'item' | 'unavailable' | 'generic';

/** What a preview bot sees of an item or link, before it becomes HTML. */
export interface Card {
  readonly kind: CardKind;
  readonly title: string;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly large_image: boolean;
  /** The customer's own page of the item; null if none was named. */
  readonly canonical_url: string | null;
  /** The item's in-app route if its API named one; null if the link's or template's applies. */
  readonly deep_link_path: string | null;
  /** Where web visitors go instead of the link's destination; null if that applies. */
  readonly web_fallback_url: string | null;
}

function plainCard(kind: CardKind, title: string, description: string | null): Card {
  return {
    kind,
    title,
    description,
    image_url: null,
    large_image: false,
    canonical_url: null,
    deep_link_path: null,
    web_fallback_url: null,
  };
}

function itemCard(metadata: Metadata, siteName: string): Card {
  return {
    kind: 'item',
    title: metadata.title ?? siteName,
    description: metadata.description,
    image_url: metadata.image_url,
    large_image: metadata.image_url !== null,
    canonical_url: metadata.canonical_url,
    deep_link_path: metadata.deep_link_path,
    web_fallback_url: metadata.web_fallback_url,
  };
}

/** The card that a link brings itself. */
export function linkCard({ title, description, image_url }: LinkCard, siteName: string): Card {
  return { ...plainCard('item', title ?? siteName, description), image_url, large_image: image_url !== null };
}

/** The card of something of which only the owner is known. */
export function genericCard(siteName: string): Card {
  return plainCard('generic', siteName, `Open this link in ${siteName}.`);
}

/**
 * Returns the card that an answer gives, or the generic one if there is none (null) or it cannot be used. An API that
 * says an item is unpublished or deleted is believed even if it omits a required field, because it has nothing more to
 * say about the item.
 */
export function composeCard(answer: Answer | null, siteName: string): Card {
  if (answer === null) return genericCard(siteName);
  if (answer.outcome === 'missing' || answer.meaning !== 'published')
    return plainCard('unavailable', siteName, 'This item is no longer available.');
  return answer.outcome === 'ok' && answer.metadata !== null ? itemCard(answer.metadata, siteName) : genericCard(siteName);
}

/** What App Links (`al:*`) say about an app; '' for what is not known. */
export interface AppLinks {
  readonly ios: { readonly url: string; readonly app_store_id: string } | null;
  readonly android: { readonly url: string; readonly package_name: string } | null;
}

/** Returns `shop://product/1` for `shop` and `/product/1`. */
function appUrl(scheme: string, route: string): string {
  return `${schemeName(scheme)}:/${escapeRoute(route)}`;
}

/** App Links can name one app per system. */
export function appLinks(ios: IosApp | undefined, android: AndroidApp | undefined, route: string): AppLinks {
  return {
    ios:
      ios === undefined || ios.uri_scheme === null
        ? null
        : { url: appUrl(ios.uri_scheme, route), app_store_id: /\/id(\d+)/.exec(ios.app_store_url ?? '')?.[1] ?? '' },
    android:
      android === undefined
        ? null
        : { url: android.uri_scheme === null ? '' : appUrl(android.uri_scheme, route), package_name: android.package_name },
  };
}
