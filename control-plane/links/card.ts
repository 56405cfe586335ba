import type { LinkCard } from '../../shared/records/records.js';
import { type DestinationOutcome, storedImage } from '../../shared/resolve/stored-destination.js';
import type { PlacedDestination } from '../blocklist/check.js';
import { isSameJson } from '../http/canonical-json.js';

export const IMAGE_POINTER = '/card/image_url';

/** Judges the image of an unchecked card; null if the card names none. */
export function imageOf(card: unknown): DestinationOutcome | null {
  const text = typeof card === 'object' && card !== null ? (card as Readonly<Record<string, unknown>>).image_url : undefined;
  return typeof text === 'string' ? storedImage(text) : null;
}

/** The image of an unchecked card as it would be stored, for the block list; empty if there is none or it is refused. */
export function placedImage(card: unknown): readonly PlacedDestination[] {
  const image = imageOf(card);
  return image?.kind === 'ok' ? [{ pointer: IMAGE_POINTER, url: image.url }] : [];
}

/** Any part of a card, as a body holds it. */
type CardInput = { readonly [Member in keyof LinkCard]?: LinkCard[Member] };

/**
 * The stored card after a change, member by member. If the change is null, all members are cleared. A card without any member becomes null.
 * The members of the change were checked before.
 */
export function patchedCard(stored: LinkCard | null, given: CardInput | null | undefined): LinkCard | null {
  if (given === undefined || given === null) return given === null ? null : stored;
  const after = <Member extends keyof LinkCard>(member: Member): LinkCard[Member] =>
    given[member] === undefined ? (stored?.[member] ?? null) : (given[member] as LinkCard[Member]);
  const image = imageOf(given);
  // A stored image is not judged again, since the change does not name it.
  const image_url = image === null ? after('image_url') : image.kind === 'ok' ? image.url : null;
  const card = { title: after('title'), description: after('description'), image_url };
  return Object.values(card).every((value) => value === null) ? null : card;
}

/** The fields of a stored link that contain URLs. */
interface UrlFields {
  readonly destinations: Readonly<Record<string, string>>;
  readonly card: LinkCard | null;
  readonly geo: Readonly<Record<string, string>> | null;
}

/** The URLs of a stored link that are looked up in the block list. */
export function linkUrls({ destinations, card, geo }: UrlFields): readonly string[] {
  const image = card?.image_url ?? null;
  return [...Object.values(destinations), ...Object.values(geo ?? {}), ...(image === null ? [] : [image])];
}

/** Whether the links have the same URLs in the same places. A card may differ in its texts. */
export function hasSameUrls(one: UrlFields, other: UrlFields): boolean {
  const placed = ({ destinations, card, geo }: UrlFields) => [destinations, card?.image_url ?? null, geo];
  return isSameJson(placed(one), placed(other));
}
