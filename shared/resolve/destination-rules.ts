import { type Issue, type IssueCode, issueAt } from '../base/issue.js';
import { DESTINATION_CHARACTERS_MAX } from '../base/limits.js';
import type { DestinationSlot } from '../feed/records.js';
import { type DestinationRefusal, destinationRefusal, isWebUrl } from './destination-safety.js';
import { hasPlaceholder, placeholderIssues } from './placeholders.js';

/** URI schemes of the environment's own apps, without the colon. */
export interface OwnSchemes {
  readonly ios: readonly string[];
  readonly android: readonly string[];
}

export const DESTINATION_REFUSAL_DETAILS: Readonly<Record<DestinationRefusal, { readonly code: IssueCode; readonly detail: string }>> = {
  unprintable_character: {
    code: 'invalid_character',
    detail: 'A URL consists of printable ASCII characters without spaces; escape others.',
  },
  not_a_url: { code: 'invalid_url', detail: 'A destination is an absolute URL such as https://example.com/.' },
  scheme_refused: { code: 'scheme_not_allowed', detail: 'A URL of this scheme runs or reads something in place of leading somewhere.' },
  custom_scheme_refused: { code: 'scheme_not_allowed', detail: 'Only http and https lead anywhere on this platform.' },
};

/**
 * What is wrong with the URL as a destination of the slot. An app's own scheme is taken for its platform; while the
 * environment names no scheme for the platform, there is nothing to compare with and any scheme that is not refused
 * outright is taken.
 */
export function destinationIssues(url: string, slot: DestinationSlot, ownSchemes: OwnSchemes, pointer: string): Issue[] {
  if (url.length > DESTINATION_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `A destination has at most ${DESTINATION_CHARACTERS_MAX} characters.`)];
  const refusal = destinationRefusal(url, slot);
  if (refusal !== null) return [issueAt(pointer, DESTINATION_REFUSAL_DETAILS[refusal].code, DESTINATION_REFUSAL_DETAILS[refusal].detail)];
  if (!URL.canParse(url))
    return [issueAt(pointer, DESTINATION_REFUSAL_DETAILS.not_a_url.code, DESTINATION_REFUSAL_DETAILS.not_a_url.detail)];
  if (isWebUrl(url)) return [];
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  const own = slot === 'ios' || slot === 'android' ? ownSchemes[slot].map((name) => name.toLowerCase()) : [];
  if (own.length === 0 || own.includes(scheme)) return [];
  return [issueAt(pointer, 'scheme_not_allowed', `"${scheme}" is no scheme of the environment's ${slot} apps (${own.join(', ')}).`)];
}

/** Where scheme and authority (user, host, port) of the URL end: from here on an encoded id changes no more than path, query or fragment. */
function authorityEnd(url: string): number {
  const schemeEnd = url.indexOf(':') + 1;
  if (schemeEnd === 0) return url.length;
  if (!url.startsWith('//', schemeEnd)) return schemeEnd;
  const rest = url.slice(schemeEnd + 2).search(/[/?#\\]/);
  return rest === -1 ? url.length : schemeEnd + 2 + rest;
}

const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/;

/**
 * What is wrong with a URL that `{id}` and `{type}` are filled into. They stand behind the authority, so that no id
 * can lead to another scheme, host, user or port, and no escape is left open that an id could complete.
 */
export function urlTemplateIssues(url: string, pointer: string): Issue[] {
  const issues = placeholderIssues(url, pointer);
  const end = authorityEnd(url);
  if (hasPlaceholder(url.slice(0, end)))
    issues.push(issueAt(pointer, 'misplaced_placeholder', 'A placeholder stands in the path, query or fragment, behind scheme and host.'));
  if (hasPlaceholder(url) && LONE_PERCENT.test(url))
    issues.push(issueAt(pointer, 'invalid_format', 'A "%" is followed by two hexadecimal digits; write %25 for itself.'));
  return issues;
}

/** What is wrong with a destination of a template in the slot. */
export function redirectIssues(url: string, slot: DestinationSlot, ownSchemes: OwnSchemes, pointer: string): Issue[] {
  const placement = urlTemplateIssues(url, pointer);
  if (placement.some((issue) => issue.code === 'misplaced_placeholder')) return placement;
  return [...destinationIssues(url, slot, ownSchemes, pointer), ...placement];
}
