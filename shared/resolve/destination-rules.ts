import { accepted, type Checked, type Issue, issueAt, refused } from '../base/issue.js';
import type { DestinationSlot } from '../records/records.js';
import { schemeOf, storeOfScheme } from './destination-safety.js';
import { hasPlaceholder, PLACEHOLDERS, placeholderIssues } from './placeholders.js';
import { type DestinationOutcome, type OwnSchemes, storedPattern } from './stored-destination.js';

const REDIRECT_PLACEHOLDERS = PLACEHOLDERS.map((word) => `{${word}}`);

/**
 * Returns where the part of the URL ends that only its owner may decide: scheme and authority (user, host, port). After
 * it, an encoded id changes only path, query or fragment. After the scheme of one of the owner's apps there is no host
 * that could be replaced by another one; the schemes of the stores lead to web hosts.
 */
function fixedEnd(url: string): number {
  const schemeEnd = url.indexOf(':') + 1;
  if (schemeEnd === 0) return url.length;
  const scheme = schemeOf(url);
  const hasHost = scheme === null || scheme === 'http' || scheme === 'https' || storeOfScheme(scheme) !== undefined;
  if (!hasHost || !url.startsWith('//', schemeEnd)) return schemeEnd;
  const rest = url.slice(schemeEnd + 2).search(/[/?#\\]/);
  return rest === -1 ? url.length : schemeEnd + 2 + rest;
}

const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/;

/**
 * Returns what is wrong with a URL that `{id}` and `{type}` are filled into. They must come after the part that only
 * its owner may decide, so that no id can lead to another scheme, host, user or port. No escape may be left open that
 * an id could complete.
 */
export function urlTemplateIssues(url: string, pointer: string): Issue[] {
  const issues = placeholderIssues(url, pointer);
  if (hasPlaceholder(url.slice(0, fixedEnd(url))))
    issues.push(issueAt(pointer, 'misplaced_placeholder', 'A placeholder must come after scheme and host.'));
  if (hasPlaceholder(url) && LONE_PERCENT.test(url))
    issues.push(issueAt(pointer, 'invalid_format', 'A "%" must be followed by two hexadecimal digits; write %25 for a literal "%".'));
  return issues;
}

export function storedRedirect(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  return storedPattern(text, REDIRECT_PLACEHOLDERS, slot, ownSchemes);
}

/** Returns a template's destination in the slot as it is stored, or what is wrong with it. */
export function checkRedirect(url: string, slot: DestinationSlot, ownSchemes: OwnSchemes, pointer: string): Checked<string> {
  const issues = urlTemplateIssues(url, pointer);
  if (issues.some((issue) => issue.code === 'misplaced_placeholder')) return refused(issues);
  const outcome = storedRedirect(url, slot, ownSchemes);
  if (outcome.kind === 'refused') return refused([issueAt(pointer, outcome.code, outcome.detail), ...issues]);
  return issues.length > 0 ? refused(issues) : accepted(outcome.url);
}
