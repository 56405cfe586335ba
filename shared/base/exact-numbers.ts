/** An integer of fewer digits is below 2^53, and so exact. */
const LONG_INTEGER = /\d{16}/;

const DIGITS_MIN = 16;
/** No double has more digits before its point. */
const DOUBLE_DIGITS_MAX = 309;

/** A JSON text to be parsed, and the function that corrects the parsed value. */
export interface MarkedJson {
  readonly text: string;
  readonly restore: (parsed: unknown) => unknown;
}

/**
 * Replaces every integer that a double cannot hold with a mark, because `JSON.parse` would silently return a neighbour
 * of it. `restore` turns the marks into NaN, which no JSON contains, so that rules recognise them and know their
 * pointers. Decimals and numbers with an exponent are doubles by their nature and are left alone.
 */
export function markInexactIntegers(text: string): MarkedJson {
  if (!LONG_INTEGER.test(text)) return { text, restore: asItIs };
  const mark = randomMark();
  let marked = '';
  let copied = 0;
  for (const { start, end } of longIntegers(text)) {
    if (!isInexact(text, start, end)) continue;
    marked += `${text.slice(copied, start)}"${mark}"`;
    copied = end;
  }
  return copied === 0 ? { text, restore: asItIs } : { text: marked + text.slice(copied), restore: (parsed) => withNaN(parsed, mark) };
}

/** Parses a JSON text, with NaN in place of every integer that a double cannot hold. Throws `SyntaxError`. */
export function parseExactly(text: string): unknown {
  const { text: marked, restore } = markInexactIntegers(text);
  return restore(JSON.parse(marked));
}

/**
 * Parses a JSON text, with the digits as text in place of every integer that JavaScript would write in another way than it is, because it is
 * rounded or very large. For values that are only shown. Throws `SyntaxError`.
 */
export function parseWithDigits(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!LONG_INTEGER.test(text)) return parsed;
  let quoted = '';
  let copied = 0;
  for (const { start, end } of longIntegers(text)) {
    const token = text.slice(start, end);
    if (String(Number(token)) === token) continue;
    quoted += `${text.slice(copied, start)}"${token}"`;
    copied = end;
  }
  return copied === 0 ? parsed : JSON.parse(quoted + text.slice(copied));
}

/** Whether a JSON text has integers that a double cannot hold. */
export function hasInexactIntegers(text: string): boolean {
  return markInexactIntegers(text).text !== text;
}

function asItIs(parsed: unknown): unknown {
  return parsed;
}

/**
 * Returns a text that nobody can have written into the JSON, not even with escapes. To look for a text that is not in it would take
 * as long as somebody who has written it likes.
 */
function randomMark(): string {
  return `inexact ${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const STRING_OR_DIGIT = /["\d]/g;
const NO_DIGIT = /\D|$/g;

/**
 * The integers with so many digits that a double may not hold them. Outside strings, a JSON text has digits only in numbers. A regular
 * expression for whole tokens would need a stack as long as the text.
 */
function* longIntegers(text: string): Generator<Span> {
  for (let at = 0; ; ) {
    STRING_OR_DIGIT.lastIndex = at;
    const start = STRING_OR_DIGIT.exec(text)?.index;
    if (start === undefined) return;
    if (text[start] === '"') {
      at = endOfString(text, start);
      continue;
    }
    at = endOfDigits(text, start);
    const isInteger = !/[.eE]/.test(text.charAt(at)) && !/(?:[.eE+]|[eE]-)$/.test(text.slice(Math.max(0, start - 2), start));
    if (isInteger && at - start >= DIGITS_MIN) yield { start: text[start - 1] === '-' ? start - 1 : start, end: at };
  }
}

function isInexact(text: string, start: number, end: number): boolean {
  const token = text.slice(start, end);
  if (token.replace('-', '').length > DOUBLE_DIGITS_MAX) return true;
  return BigInt(token) !== BigInt(Number(token));
}

function endOfDigits(text: string, start: number): number {
  NO_DIGIT.lastIndex = start;
  return NO_DIGIT.exec(text)?.index ?? text.length;
}

/** Returns the position after the closing quote, which is not escaped by an odd number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Iterative, because a body may be nested as deep as it is long. */
function withNaN(parsed: unknown, mark: string): unknown {
  const root = { value: parsed };
  const pending: Record<string, unknown>[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop())
    for (const [key, value] of Object.entries(node)) {
      if (value === mark) node[key] = Number.NaN;
      else if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>);
    }
  return root.value;
}
