import { accepted, type Checked, type Issue, isObject, issueAt, pointerTo, refused, unknownMembers } from '../base/issue.js';
import { ITEM_ID_CHARACTERS_MAX } from '../base/limits.js';
import { parseCharset } from './charset.js';

export const ID_PRESETS = ['numeric', 'alnum', 'uuid', 'ulid', 'base64url'] as const;
export type IdPreset = (typeof ID_PRESETS)[number];

export interface PresetFormat {
  readonly kind: 'preset';
  readonly preset: IdPreset;
}

/** Lengths in characters, which are Unicode code points of the decoded id. */
export interface CharsetFormat {
  readonly kind: 'charset';
  readonly charset: string;
  readonly min_length: number;
  readonly max_length: number;
}

/** How the id in a URL is validated. */
export type IdFormat = PresetFormat | CharsetFormat;

const MEMBERS = { preset: ['kind', 'preset'], charset: ['kind', 'charset', 'min_length', 'max_length'] } as const;

function memberIssues(input: Readonly<Record<string, unknown>>, members: readonly string[], pointer: string): Issue[] {
  const missing = members.filter((member) => input[member] === undefined);
  return [
    ...unknownMembers(input, members, pointer),
    ...missing.map((member) => issueAt(pointerTo(pointer, member), 'required', `"${member}" is missing.`)),
  ];
}

function lengthIssues(value: unknown, pointer: string): Issue[] {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [{ pointer, code: 'wrong_type', detail: 'A length must be a whole number.' }];
  if (value < 1) return [{ pointer, code: 'too_small', detail: 'A length must be at least 1.' }];
  if (value > ITEM_ID_CHARACTERS_MAX)
    return [{ pointer, code: 'too_large', detail: `A length must be at most ${ITEM_ID_CHARACTERS_MAX}.` }];
  return [];
}

function charsetIssues(input: Readonly<Record<string, unknown>>, pointer: string): Issue[] {
  const issues: Issue[] = [];
  const at = pointerTo(pointer, 'charset');
  if (typeof input.charset === 'string') {
    const parsed = parseCharset(input.charset, at);
    if (!parsed.ok) issues.push(...parsed.issues);
  } else if (input.charset !== undefined) issues.push({ pointer: at, code: 'wrong_type', detail: 'A charset must be a string.' });
  const bounds = (['min_length', 'max_length'] as const).filter((member) => input[member] !== undefined);
  const lengths = bounds.flatMap((member) => lengthIssues(input[member], pointerTo(pointer, member)));
  if (bounds.length === 2 && lengths.length === 0 && (input.min_length as number) > (input.max_length as number))
    lengths.push({
      pointer: pointerTo(pointer, 'min_length'),
      code: 'too_large',
      detail: 'min_length must not be greater than max_length.',
    });
  return [...issues, ...lengths];
}

function presetIssues(value: unknown, pointer: string): Issue[] {
  if (value === undefined || ID_PRESETS.some((name) => name === value)) return [];
  return [issueAt(pointerTo(pointer, 'preset'), 'invalid_value', `preset must be one of ${ID_PRESETS.join(', ')}.`)];
}

/** Returns the id format in a member of a request body, or every fault it has. */
export function parseIdFormat(input: unknown, pointer = '/id_format'): Checked<IdFormat> {
  if (!isObject(input)) return refused([{ pointer, code: 'wrong_type', detail: 'An id format must be an object.' }]);
  const kind = input.kind;
  if (kind !== 'preset' && kind !== 'charset') {
    const issue = issueAt(pointerTo(pointer, 'kind'), 'invalid_value', 'kind must be "preset" or "charset".');
    // Each member that some kind has may be there, and is judged by itself.
    const others = unknownMembers(input, [...MEMBERS.preset, ...MEMBERS.charset], pointer);
    return refused([issue, ...others, ...charsetIssues(input, pointer), ...presetIssues(input.preset, pointer)]);
  }
  const issues = memberIssues(input, MEMBERS[kind], pointer);
  issues.push(...(kind === 'charset' ? charsetIssues(input, pointer) : presetIssues(input.preset, pointer)));
  if (issues.length > 0) return refused(issues);
  if (kind === 'preset') return accepted({ kind, preset: input.preset as IdPreset });
  return accepted({
    kind,
    charset: input.charset as string,
    min_length: input.min_length as number,
    max_length: input.max_length as number,
  });
}
