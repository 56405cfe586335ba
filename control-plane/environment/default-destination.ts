import { DESTINATION_CHARACTERS_MAX } from '../../shared/base/limits.js';
import type { FieldCode } from '../../shared/contract/problems.js';
import type { DestinationSlot } from '../../shared/feed/records.js';
import { DEEP_LINK_PATH_PLACEHOLDER } from '../../shared/resolve/destination.js';
import { isWebUrl } from '../../shared/resolve/destination-safety.js';
import { type DestinationOutcome, normaliseDestination } from '../links/destination.js';

/** Any other word in braces is a misspelt placeholder. */
const OTHER_PLACEHOLDER = /\{(?!deep_link_path\})\w*\}/;

/** A placeholder right behind the host of an http(s) URL: the route that is filled in brings its own slash. */
const AT_HOST = /^(https?:\/\/[^/?#\\{]+)\{deep_link_path\}/i;

/**
 * A default destination as it is stored: serialised like a link's own, with `{deep_link_path}` where it stood. In an
 * http(s) URL it stands behind the host, so that no link can choose whose server it leads to.
 */
export function normaliseDefaultDestination(slot: DestinationSlot, text: string): DestinationOutcome {
  const other = OTHER_PLACEHOLDER.exec(text);
  if (other !== null) return refused('unknown_placeholder', `holds ${other[0]}; only ${DEEP_LINK_PATH_PLACEHOLDER} is filled in`);
  if (!text.includes(DEEP_LINK_PATH_PLACEHOLDER)) return normaliseDestination(slot, text);
  // The serialiser would escape the braces: a word that the text does not hold stands for them meanwhile.
  const mark = wordNotIn(text);
  const outcome = normaliseDestination(slot, text.replace(AT_HOST, `$1/${mark}.`).replaceAll(DEEP_LINK_PATH_PLACEHOLDER, mark));
  if (outcome.kind === 'refused') return outcome;
  if (isWebUrl(outcome.url) && !isBehindHost(outcome.url, mark))
    return refused('misplaced_placeholder', `${DEEP_LINK_PATH_PLACEHOLDER} must stand behind scheme and host`);
  const restored = AT_HOST.test(text) ? outcome.url.replace(`/${mark}.`, DEEP_LINK_PATH_PLACEHOLDER) : outcome.url;
  const url = restored.replaceAll(mark, DEEP_LINK_PATH_PLACEHOLDER);
  if (url.length > DESTINATION_CHARACTERS_MAX)
    return refused('too_long', `must have at most ${DESTINATION_CHARACTERS_MAX} characters once it is encoded`);
  return { kind: 'ok', url };
}

function wordNotIn(text: string): string {
  let word = 'deep-link-path';
  while (text.toLowerCase().includes(word)) word += 'x';
  return word;
}

/** Not within the host or the user name, either of which a route with a slash would end where it stands. `url` is serialised. */
function isBehindHost(url: string, mark: string): boolean {
  return url.indexOf(mark) > url.indexOf('/', url.indexOf('//') + 2);
}

function refused(code: FieldCode, detail: string): DestinationOutcome {
  return { kind: 'refused', code, detail };
}
