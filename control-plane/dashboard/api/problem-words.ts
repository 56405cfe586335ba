import type { Problem } from '../../../shared/contract/schemas/problem.js';
import { quote } from '../language/quoted.js';
import { shownLanguage } from '../language/shown.js';
import { type Message, message, textOf } from '../language/text.js';

/**
 * The API says in English what is wrong, and by a code. In another language a sentence of the page takes the place of the API's wherever
 * the code alone says enough. What is left out here needs the API's own words: which name is taken, which form a value has to have.
 */
const PROBLEMS: Readonly<Partial<Record<Problem['code'], Message>>> = {
  unauthorized: message('The key is unknown or was revoked.'),
  password_required: message('The password is missing or wrong.'),
  insufficient_scope: message('The key lacks the scope for this.'),
  origin_not_allowed: message('This page may not call the API from its origin.'),
  not_found: message('There is nothing at this address.'),
  precondition_failed: message('It was changed elsewhere meanwhile.'),
  payload_too_large: message('More was sent than a call takes.'),
  url_blocked: message('A destination is on the block list.'),
  rate_limited: message('There were too many requests. Try it again in a minute.'),
  internal_error: message('The service has met a fault of its own.'),
  service_unavailable: message('The service cannot answer now. Try it again in a moment.'),
};

type FieldProblem = NonNullable<Problem['errors']>[number];

/** As the API's, each continues the name of the field. */
const FIELDS: Readonly<Partial<Record<FieldProblem['code'], Message>>> = {
  required: message('is required'),
  wrong_type: message('has another type than asked for'),
  too_long: message('is too long'),
  too_short: message('is too short'),
  too_small: message('is too small'),
  too_large: message('is too large'),
  too_many: message('has too many entries'),
  too_few: message('has too few entries'),
  duplicate: message('has an entry twice'),
  control_character: message('holds a control character'),
  invalid_url: message('is not a URL'),
  scheme_not_allowed: message('has a scheme that is not allowed here'),
  host_not_public: message('does not lead to a public host'),
  host_not_allowed: message('has a host that is not allowed here'),
  unresolvable_host: message('has a host name that cannot be resolved'),
  unknown_link: message('names no link of this environment'),
  unknown_campaign: message('names no campaign of this environment'),
  unknown_resource_type: message('names no resource type of this environment'),
  unknown_domain: message('names no verified domain of this environment'),
  url_blocked: message('is on the block list'),
  unknown_placeholder: message('holds a placeholder that stands for nothing here'),
  missing_placeholder: message('lacks a placeholder'),
  misplaced_placeholder: message('has a placeholder at a place where none may be'),
  segment_count: message('has too few or too many segments'),
  id_count: message('must hold {id} exactly once'),
  empty_segment: message('has an empty segment'),
  invalid_range: message('is empty or wider than allowed'),
};

/** Why a call was refused: in the API's words, or in those of the page's language. */
export function problemWords(code: Problem['code'], detail: string | undefined): string {
  return chosen(PROBLEMS[code], detail ?? code);
}

export function fieldWords(problem: FieldProblem): FieldProblem {
  return { ...problem, detail: chosen(FIELDS[problem.code], problem.detail) };
}

function chosen(words: Message | undefined, detail: string): string {
  if (shownLanguage() === 'en') return detail;
  return words === undefined ? quote(detail) : textOf(words);
}

/** Makes a sentence of a detail that continues the name of a field. */
export function sentenceOf(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
