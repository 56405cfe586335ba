import type { DestinationSlot } from '../../shared/records/records.js';
import { DEEP_LINK_PATH_PLACEHOLDER } from '../../shared/resolve/destination.js';
import { isWebUrl } from '../../shared/resolve/destination-safety.js';
import {
  type DestinationOutcome,
  type OwnSchemes,
  patternOfAnyLength,
  refusedDestination,
  refusedLength,
} from '../../shared/resolve/stored-destination.js';

/** Any other word in braces is a misspelt placeholder. */
const OTHER_PLACEHOLDER = /\{(?!deep_link_path\})\w*\}/;

/** A placeholder right after the host of an http(s) URL, because the route that is filled in begins with a slash. */
const AT_HOST = /^(https?:\/\/[^/?#\\{]+)\{deep_link_path\}/i;

/**
 * A default destination as it is stored: serialised like a link's own, with `{deep_link_path}` in its place. In an http(s) URL, the
 * placeholder must come after the host, so that no link can choose whose server it leads to.
 */
export function storedDefaultDestination(text: string, slot: DestinationSlot, ownSchemes: OwnSchemes | null): DestinationOutcome {
  const other = OTHER_PLACEHOLDER.exec(text);
  if (other !== null)
    return refusedDestination('unknown_placeholder', `${other[0]} is not a placeholder; only ${DEEP_LINK_PATH_PLACEHOLDER} is filled in.`);
  const long = refusedLength(text);
  if (long !== null) return long;
  const atHost = AT_HOST.test(text);
  const outcome = patternOfAnyLength(
    atHost ? text.replace(AT_HOST, `$1/${DEEP_LINK_PATH_PLACEHOLDER}`) : text,
    [DEEP_LINK_PATH_PLACEHOLDER],
    slot,
    ownSchemes,
  );
  if (outcome.kind === 'refused' || !text.includes(DEEP_LINK_PATH_PLACEHOLDER)) return outcome;
  if (isWebUrl(outcome.url) && !isBehindHost(outcome.url))
    return refusedDestination('misplaced_placeholder', `${DEEP_LINK_PATH_PLACEHOLDER} must come after scheme and host.`);
  if (!atHost) return outcome;
  return { kind: 'ok', url: outcome.url.replace(`/${DEEP_LINK_PATH_PLACEHOLDER}`, DEEP_LINK_PATH_PLACEHOLDER) };
}

/**
 * Whether the placeholder is neither in the host nor in the user name. A route with a slash would end either of them there. `url` is
 * serialised.
 */
function isBehindHost(url: string): boolean {
  return url.indexOf(DEEP_LINK_PATH_PLACEHOLDER) > url.indexOf('/', url.indexOf('//') + 2);
}
