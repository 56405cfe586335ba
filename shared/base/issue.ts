/** What the pure rules of `shared/` can find wrong with a field. Codes are part of the public contract. */
export const ISSUE_CODES = {
  required: 'The field is missing.',
  unknown_field: 'There is no such field.',
  wrong_type: 'The value has another type.',
  too_long: 'The text is longer than allowed.',
  too_small: 'The number is smaller than allowed.',
  too_large: 'The value is larger than allowed.',
  too_many: 'The list has more items than allowed.',
  duplicate: 'An item appears in the list twice.',
  invalid_value: 'The value is not one of those allowed.',
  invalid_format: 'The text does not have the required form.',
  number_not_exact: 'A whole number is too large to be represented exactly; send it as a text.',
  control_character: 'The text contains a control character or half a surrogate pair.',
  key_too_long: 'A key of the object is longer than allowed.',
  reserved: 'The service sets this value itself.',
  invalid_url: 'The text is not a URL.',
  scheme_not_allowed: 'The URL has a scheme that is not allowed here.',
  host_not_public: 'The URL does not lead to a public host.',
  host_not_allowed: 'The host is not one of those allowed.',
  unknown_placeholder: 'The text contains a {word} that is not a placeholder here.',
  missing_placeholder: 'The text lacks a required placeholder.',
  misplaced_placeholder: 'A placeholder is in a place where it is not allowed.',
  segment_count: 'The pattern has too few or too many segments.',
  id_count: 'The pattern does not contain {id} exactly once.',
  empty_segment: 'A segment of the pattern is empty.',
  dot_segment: 'A segment of the path is, or could become, "." or "..".',
  invalid_character: 'The text contains a character that is not allowed here.',
} as const satisfies Record<string, string>;

export type IssueCode = keyof typeof ISSUE_CODES;

/** One fault of one field of a caller's input. `pointer` is a JSON Pointer (RFC 6901) into the body. */
export interface Issue {
  readonly pointer: string;
  readonly code: IssueCode;
  /** One sentence for a person. */
  readonly detail: string;
}

export function issueAt(pointer: string, code: IssueCode, detail: string): Issue {
  return { pointer, code, detail };
}

/** A value that was checked, or everything that is wrong with it (at least one issue). */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly issues: readonly Issue[] };

export function accepted<Value>(value: Value): Checked<Value> {
  return { ok: true, value };
}

export function refused(issues: readonly Issue[]): { readonly ok: false; readonly issues: readonly Issue[] } {
  return { ok: false, issues };
}

/** Appends one member name or index to a JSON Pointer. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Characters of a text are Unicode code points, as in JSON Schema's `maxLength`. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const pair = unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) index++;
    count++;
  }
  return count;
}

/** Control characters, and halves of surrogate pairs, which UTF-8 cannot carry. */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** What makes a text impossible to store, in messages. Programs that shorten a text in the middle of an emoji leave half a pair. */
export const UNSTORABLE_CHARACTERS = 'control characters or halves of surrogate pairs';

/** Whether the text can be stored and shown: no control character and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Returns one issue for each member of the object that is not in `known`. */
export function unknownMembers(value: Readonly<Record<string, unknown>>, known: readonly string[], pointer: string): Issue[] {
  return Object.keys(value)
    .filter((member) => !known.includes(member))
    .map((member) => issueAt(pointerTo(pointer, member), 'unknown_field', `There is no field "${member}" here.`));
}

/** Whether the value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
