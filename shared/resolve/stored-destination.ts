import { type IssueCode, isStorable, UNSTORABLE_CHARACTERS } from '../base/issue.js';
import { DESTINATION_CHARACTERS_MAX, RENDERED_URL_CHARACTERS_MAX } from '../base/limits.js';
import { parseUrl } from '../base/parse-url.js';
import { isUrlTooLong } from '../base/url-length.js';
import { isHostAsWritten } from '../net/host-name.js';
import type { DestinationSlot, EnvironmentRecord } from '../records/records.js';
import { schemeName } from './app-of-destination.js';
import { type DestinationRefusal, destinationRefusal, isWebUrl, schemeOf, storeOfScheme } from './destination-safety.js';

/** URI schemes of the environment's own apps, without the colon. */
export interface OwnSchemes {
  readonly ios: readonly string[];
  readonly android: readonly string[];
}

/** URI schemes of the environment's own apps, which its destinations may have. */
export function appSchemes({ ios_apps, android_apps }: Pick<EnvironmentRecord, 'ios_apps' | 'android_apps'>): OwnSchemes {
  const schemes = (apps: readonly { readonly uri_scheme: string | null }[]) =>
    apps.flatMap(({ uri_scheme }) => (uri_scheme === null ? [] : [schemeName(uri_scheme)]));
  return { ios: schemes(ios_apps), android: schemes(android_apps) };
}

export type DestinationOutcome =
  | { readonly kind: 'ok'; readonly url: string }
  | { readonly kind: 'refused'; readonly code: IssueCode; readonly detail: string };

export const DESTINATION_REFUSAL_DETAILS: Readonly<Record<DestinationRefusal, { readonly code: IssueCode; readonly detail: string }>> = {
  unprintable_character: { code: 'invalid_url', detail: 'A destination must not hold spaces or control characters.' },
  not_a_url: { code: 'invalid_url', detail: 'A destination must be an absolute URL such as https://example.com/.' },
  scheme_refused: { code: 'scheme_not_allowed', detail: 'URLs of this scheme run or read something and are not allowed as destinations.' },
  custom_scheme_refused: { code: 'scheme_not_allowed', detail: 'Only http and https are allowed on this platform.' },
};

/**
 * Captures the authority of an http(s) URL as written, after two slashes. No backslash may come before the query,
 * because it is read as a slash.
 */
const WRITTEN_WEB_URL = /^https?:\/\/([^/?#\\]+)[^?#\\]*(?:[?#]|$)/i;

/**
 * Returns the destination as it is stored, or why it is refused. It is serialised by the WHATWG URL standard, so that
 * only 0x21 to 0x7E ever reaches a `Location` header, and everything is judged as it is stored. The serialiser may
 * write the same URL in its usual form (lower case, IDN in ASCII, escapes); a text that it reads as another URL is
 * refused. Without `ownSchemes`, any custom scheme is accepted for a platform that has apps; this is for a URL that was
 * checked before. If a text lacks only its scheme, the refusal proposes the URL.
 */
export function storedDestination(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  return refusedLength(text) ?? ofStoredLength(destinationOfAnyLength(text, slot, ownSchemes));
}

function destinationOfAnyLength(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  const outcome = judgedDestination(text, slot, ownSchemes);
  if (outcome.kind === 'ok' || !HOST_FIRST.test(text)) return outcome;
  const proposed = `https://${text}`;
  if (judgedDestination(proposed, slot, ownSchemes).kind === 'refused') return outcome;
  return refusedDestination('invalid_url', `A destination must begin with its scheme: write ${proposed.slice(0, 200)}.`);
}

/**
 * Returns the image of a card as it is stored. Everybody can see its URL, and only https is accepted, because preview
 * bots load images over https only.
 */
export function storedImage(text: string): DestinationOutcome {
  const outcome = storedDestination(text, 'web', null);
  if (outcome.kind === 'refused') return outcome;
  const { protocol, username, password } = new URL(outcome.url);
  if (protocol !== 'https:') return refusedDestination('scheme_not_allowed', 'The URL of an image must be https.');
  if (username !== '' || password !== '')
    return refusedDestination('invalid_url', 'The URL of an image must not contain a user name or password, because everybody can see it.');
  return outcome;
}

/** Returns a refusal if the text is longer than a destination may be, else null. */
export function refusedLength(text: string): DestinationOutcome | null {
  if (!isUrlTooLong(text)) return null;
  return refusedDestination(
    'too_long',
    `A destination must have at most ${DESTINATION_CHARACTERS_MAX} characters, ${RENDERED_URL_CHARACTERS_MAX} with escaped ones.`,
  );
}

/** Escapes make a URL longer than its text. */
function ofStoredLength(outcome: DestinationOutcome): DestinationOutcome {
  if (outcome.kind === 'refused' || outcome.url.length <= RENDERED_URL_CHARACTERS_MAX) return outcome;
  return refusedDestination('too_long', `A destination must have at most ${RENDERED_URL_CHARACTERS_MAX} characters when escaped.`);
}

/** `storedDestination`, or a function that caches its results. */
export type StoreDestination = typeof storedDestination;

/**
 * Returns a `storedDestination` for a call with many links, in which each text is judged more than once. It caches the
 * results for web URLs, which are stored alike in every slot and whatever the apps of the environment are.
 */
export function rememberedDestinations(): StoreDestination {
  const known = new Map<string, DestinationOutcome>();
  return (text, slot, ownSchemes) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const outcome = storedDestination(text, slot, ownSchemes);
    if (outcome.kind === 'ok' && isWebUrl(outcome.url)) known.set(text, outcome);
    return outcome;
  };
}

/** A host of two or more labels, the last of which consists of letters, and whatever may follow a host. */
const HOST_FIRST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]|$)/u;

function judgedDestination(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  if (!isStorable(text)) return refusedDestination('control_character', `A destination must not contain ${UNSTORABLE_CHARACTERS}.`);
  const url = parseUrl(text);
  if (url === null || text.startsWith(' ') || text.endsWith(' ')) return refusal('not_a_url');
  const { href } = url;
  if ((url.protocol === 'https:' || url.protocol === 'http:') && !isWrittenAsRead(text, url))
    return refusedDestination(
      'invalid_url',
      `This text would be read as a different URL, ${href.slice(0, 200)}; write the URL that you mean.`,
    );
  const refused = destinationRefusal(href, slot);
  if (refused !== null) return refusal(refused);
  return (ownSchemes === null ? null : foreignScheme(href, slot, ownSchemes)) ?? { kind: 'ok', url: href };
}

/** Whether the parser found the authority and the host as they are written in the text, without an empty label. */
function isWrittenAsRead(text: string, url: URL): boolean {
  const authority = WRITTEN_WEB_URL.exec(text)?.[1];
  if (authority === undefined || url.hostname.replace(/\.$/, '').split('.').includes('')) return false;
  if (!isHostAsWritten(authority, url.hostname)) return false;
  // The parser drops an empty user name and escapes a second "@".
  return !authority.includes('@') || (url.username + url.password !== '' && authority.indexOf('@') === authority.lastIndexOf('@'));
}

/**
 * Refuses a custom scheme unless an app of the environment names it. A store's own scheme leads to the store's pages
 * and is accepted in its slot.
 */
function foreignScheme(url: string, slot: DestinationSlot, ownSchemes: OwnSchemes): DestinationOutcome | null {
  const scheme = schemeOf(url);
  if (isWebUrl(url) || scheme === null || (slot !== 'ios' && slot !== 'android') || storeOfScheme(scheme) === slot) return null;
  const own = ownSchemes[slot].map((name) => name.toLowerCase());
  if (own.includes(scheme)) return null;
  const known = own.length === 0 ? `none of them names a uri_scheme` : `they name ${own.join(', ')}`;
  return refusedDestination('scheme_not_allowed', `"${scheme}" is not a uri_scheme of the environment's ${slot} apps; ${known}.`);
}

/**
 * The same for a text with placeholders, each of which is kept as it is written. A placeholder that the serialiser
 * moves or drops, as it does with a segment before `..`, is refused. A placeholder counts as the characters that it is
 * written with.
 */
export function storedPattern(
  text: string,
  placeholders: readonly string[],
  slot: DestinationSlot,
  ownSchemes: OwnSchemes | null,
): DestinationOutcome {
  return refusedLength(text) ?? patternOfAnyLength(text, placeholders, slot, ownSchemes);
}

/** The same for a text whose length was checked before, in the form in which somebody wrote it. */
export function patternOfAnyLength(
  text: string,
  placeholders: readonly string[],
  slot: DestinationSlot,
  ownSchemes: OwnSchemes | null,
): DestinationOutcome {
  // The serialiser would escape the braces, so words that do not occur in the text replace the placeholders for now.
  const word = wordNotIn(text);
  const marks = placeholders.map((placeholder, index) => ({ placeholder, mark: `${word}-${index}-` }));
  const outcome = destinationOfAnyLength(
    marks.reduce((marked, { placeholder, mark }) => marked.replaceAll(placeholder, mark), text),
    slot,
    ownSchemes,
  );
  const written = (judged: string) => marks.reduce((words, { placeholder, mark }) => words.replaceAll(mark, placeholder), judged);
  if (outcome.kind === 'refused') return { ...outcome, detail: written(outcome.detail) };
  for (const { placeholder, mark } of marks)
    if (outcome.url.split(mark).length !== text.split(placeholder).length)
      return refusedDestination('misplaced_placeholder', `${placeholder} must not be followed by a ".." that removes it.`);
  return ofStoredLength({ kind: 'ok', url: written(outcome.url) });
}

/** Returns a word that replaces a placeholder while the rest of the text is serialised. Letters and hyphens stay as they are. */
function wordNotIn(text: string): string {
  let word = 'placeholder';
  while (text.toLowerCase().includes(word)) word += 'x';
  return word;
}

function refusal(reason: DestinationRefusal): DestinationOutcome {
  return { kind: 'refused', ...DESTINATION_REFUSAL_DETAILS[reason] };
}

export function refusedDestination(code: IssueCode, detail: string): DestinationOutcome {
  return { kind: 'refused', code, detail };
}
