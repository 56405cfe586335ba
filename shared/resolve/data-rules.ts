import { characterCount, type Issue, isObject, issueAt, pointerTo } from '../base/issue.js';
import { DATA_BYTES_MAX, DATA_KEY_CHARACTERS_MAX } from '../base/limits.js';

/**
 * Yields the value's nodes in document order, each with its pointer. Iterative, because 4 KiB of brackets is a deep
 * tree and a body may contain a megabyte of them.
 */
function* nodesOf(
  root: unknown,
  pointer: string,
): Generator<{ readonly key: string | null; readonly value: unknown; readonly pointer: string }> {
  const pending: { key: string | null; value: unknown; pointer: string }[] = [{ key: null, value: root, pointer }];
  while (pending.length > 0) {
    const node = pending.pop() as (typeof pending)[number];
    yield node;
    if (typeof node.value !== 'object' || node.value === null) continue;
    const isList = Array.isArray(node.value);
    for (const [key, value] of Object.entries(node.value).reverse())
      pending.push({ key: isList ? null : key, value, pointer: pointerTo(node.pointer, key) });
  }
}

const LEVELS_MAX = DATA_BYTES_MAX / 2;

/**
 * Whether the value is nested too deeply for JSON of 4,096 bytes. Such a value is too long, and is not passed to
 * `JSON.stringify`, which recurses.
 */
export function isTooDeep(root: unknown): boolean {
  let layer = [root];
  for (let level = 0; layer.length > 0; level++) {
    if (level > LEVELS_MAX) return true;
    layer = layer.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

/** Bytes of the value as JSON in UTF-8; infinite if it is nested too deeply to be measured. */
function jsonBytes(value: unknown): number {
  return isTooDeep(value) ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(value));
}

/**
 * Returns what is wrong with custom data, such as the `data` of a link or template. It must be an object of at most
 * 4,096 bytes as JSON, with keys of up to 64 characters at any depth and with numbers that JSON can represent. NaN
 * stands for an integer that a double cannot hold. The texts are the customer's own, so any text is accepted.
 */
export function dataIssues(value: unknown, pointer: string): Issue[] {
  if (!isObject(value)) return [issueAt(pointer, 'wrong_type', 'The value must be an object.')];
  if (jsonBytes(value) > DATA_BYTES_MAX)
    return [issueAt(pointer, 'too_large', `The object must have at most ${DATA_BYTES_MAX} bytes as JSON in UTF-8.`)];
  const issues: Issue[] = [];
  for (const node of nodesOf(value, pointer)) {
    if (node.key !== null && characterCount(node.key) > DATA_KEY_CHARACTERS_MAX)
      issues.push(issueAt(node.pointer, 'key_too_long', `A key must have at most ${DATA_KEY_CHARACTERS_MAX} characters.`));
    if (node.key === '__proto__' || (node.key === 'constructor' && isObject(node.value) && Object.hasOwn(node.value, 'prototype')))
      issues.push(issueAt(node.pointer, 'reserved', 'This key is not allowed: it could change the prototype of an object.'));
    if (Number.isNaN(node.value))
      issues.push(issueAt(node.pointer, 'number_not_exact', 'The number cannot be represented exactly; send it as a text.'));
    else if (typeof node.value === 'number' && !Number.isFinite(node.value))
      issues.push(issueAt(node.pointer, 'invalid_value', 'The number is too large.'));
  }
  return issues;
}

/** Returns the texts in the value at any depth, without the keys. */
export function textsIn(value: unknown, pointer: string): { readonly text: string; readonly pointer: string }[] {
  const texts = [];
  for (const node of nodesOf(value, pointer)) if (typeof node.value === 'string') texts.push({ text: node.value, pointer: node.pointer });
  return texts;
}
