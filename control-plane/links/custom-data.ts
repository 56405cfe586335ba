import { DATA_BYTES_MAX, DATA_KEY_CHARACTERS_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/problems.js';
import { fieldError, pointerToken } from '../http/problems.js';

/** An array takes two bytes a level, so that what is nested deeper is over the size whatever else it holds. */
const DEPTH_MAX = DATA_BYTES_MAX / 2;

/**
 * What is wrong with custom data, on links and templates alike: its size as JSON in UTF-8, the length of its keys at any
 * depth, numbers that JSON cannot give back. Walks without recursion: a body can nest half a million levels.
 */
export function customDataErrors(pointer: string, data: object): readonly FieldError[] {
  const errors: FieldError[] = [];
  const pending: { readonly value: unknown; readonly pointer: string; readonly depth: number }[] = [{ value: data, pointer, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && !Number.isFinite(value))
      errors.push(fieldError('body', next.pointer, 'invalid_value', 'is a number too large to be kept'));
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEPTH_MAX) return [tooLarge(pointer)];
    for (const [key, member] of Object.entries(value)) {
      const at = `${next.pointer}/${pointerToken(key)}`;
      if (!Array.isArray(value) && [...key].length > DATA_KEY_CHARACTERS_MAX)
        errors.push(fieldError('body', at, 'key_too_long', `has a key of more than ${DATA_KEY_CHARACTERS_MAX} characters`));
      pending.push({ value: member, pointer: at, depth: depth + 1 });
    }
  }
  return Buffer.byteLength(JSON.stringify(data)) > DATA_BYTES_MAX ? [tooLarge(pointer), ...errors] : errors;
}

function tooLarge(pointer: string): FieldError {
  return fieldError('body', pointer, 'too_large', `must be at most ${DATA_BYTES_MAX} bytes as JSON`);
}
