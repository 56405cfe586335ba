import { DESTINATION_CHARACTERS_MAX } from '../../shared/base/limits.js';
import type { FieldCode } from '../../shared/contract/problems.js';
import type { DestinationSlot } from '../../shared/feed/records.js';
import { isPlainText } from '../http/validate.js';

/** Schemes that run, read or rebuild something in place of leading somewhere; refused for apps as well. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'filesystem:',
  'view-source:',
  'about:',
  'intent:',
  'content:',
  'ws:',
  'wss:',
  'ftp:',
]);

const HEADER_SAFE = /^[\x21-\x7e]+$/;

export type DestinationOutcome =
  | { readonly kind: 'ok'; readonly url: string }
  | { readonly kind: 'refused'; readonly code: FieldCode; readonly detail: string };

/**
 * The destination as it is stored: serialised by the WHATWG URL standard, so that only 0x21 to 0x7E ever reaches a
 * `Location` header, and what is judged is what is stored. Control characters are refused first, because the parser would
 * drop tabs and newlines and with them hide a scheme.
 */
export function normaliseDestination(slot: DestinationSlot, text: string): DestinationOutcome {
  if (!isPlainText(text)) return refused('control_character', 'must not hold control characters');
  if (!URL.canParse(text)) return refused('invalid_url', 'must be an absolute URL');
  const { protocol, href, hostname } = new URL(text);
  const web = protocol === 'https:' || protocol === 'http:';
  if (REFUSED_SCHEMES.has(protocol)) return refused('scheme_not_allowed', `the scheme ${protocol} is not allowed`);
  if (!web && slot !== 'ios' && slot !== 'android') return refused('scheme_not_allowed', 'must begin with https:// or http://');
  if (web && hostname === '') return refused('invalid_url', 'must name a host');
  if (!HEADER_SAFE.test(href)) return refused('invalid_url', 'must not hold spaces');
  if (href.length > DESTINATION_CHARACTERS_MAX)
    return refused('too_long', `must have at most ${DESTINATION_CHARACTERS_MAX} characters once it is encoded`);
  return { kind: 'ok', url: href };
}

function refused(code: FieldCode, detail: string): DestinationOutcome {
  return { kind: 'refused', code, detail };
}
