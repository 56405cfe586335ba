import { accepted, type Checked, type Issue, issueAt, refused } from '../base/issue.js';
import type { DestinationSlot } from '../records/records.js';
import { schemeOf, storeOfScheme } from './destination-safety.js';
import { hasPlaceholder, PLACEHOLDERS, placeholderIssues } from './placeholders.js';
import { type DestinationOutcome, type OwnSchemes, storedPattern } from './stored-destination.js';

const REDIRECT_PLACEHOLDERS = PLACEHOLDERS.map((word) => `{${word}}`);

/**
 * Where the part of the URL ends that is its owner's alone: scheme and authority (user, host, port). From here on an encoded id changes
 * no more than path, query or fragment. Behind the scheme of an app of its owner's there is no host that another one could take the
 * place of; the schemes of the stores lead to hosts of the web.
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
 * What is wrong with a URL that `{id}` and `{type}` are filled into. They stand behind what is its owner's alone, so that no id
 * can lead to another scheme, host, user or port, and no escape is left open that an id could complete.
 */
export function urlTemplateIssues(url: string, pointer: string): Issue[] {
  const issues = placeholderIssues(url, pointer);
  if (hasPlaceholder(url.slice(0, fixedEnd(url))))
    issues.push(issueAt(pointer, 'misplaced_placeholder', 'A placeholder must be in the path, query or fragment, after scheme and host.'));
  if (hasPlaceholder(url) && LONE_PERCENT.test(url))
    issues.push(issueAt(pointer, 'invalid_format', 'A "%" must be followed by two hexadecimal digits; write %25 for a literal "%".'));
  return issues;
}

export function storedRedirect(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  return storedPattern(text, REDIRECT_PLACEHOLDERS, slot, ownSchemes);
}

/** A destination of a template in the slot as it is stored, or what is wrong with it. */
export function checkRedirect(url: string, slot: DestinationSlot, ownSchemes: OwnSchemes, pointer: string): Checked<string> {
  const issues = urlTemplateIssues(url, pointer);
  if (issues.some((issue) => issue.code === 'misplaced_placeholder')) return refused(issues);
  const outcome = storedRedirect(url, slot, ownSchemes);
  if (outcome.kind === 'refused') return refused([issueAt(pointer, outcome.code, outcome.detail), ...issues]);
  return issues.length > 0 ? refused(issues) : accepted(outcome.url);
}
