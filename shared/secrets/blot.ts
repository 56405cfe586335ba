/**
 * Removes a secret from a text that a stranger wrote, such as the answer of an API that repeats its request's headers.
 *
 * The secret is found however a program is likely to spell it: in upper or lower case; with characters escaped as in
 * URLs, JSON or HTML, even if one escape is within another; inside Base64 (as in `user:secret`), Base64url or
 * hexadecimal digits. A hash, a part of the secret, or the secret backwards is not found.
 *
 * Returns the text with stars in place of the secret. `cut` means that the text may end in the middle of it.
 */
export type Blot = (text: string, end?: 'whole' | 'cut') => string;

const STARS = '*'.repeat(8);

/** A text with its escapes resolved. */
interface Reading {
  readonly text: string;
  /** Where each character begins in the text as it was given; the last entry is that text's end. */
  readonly starts: Uint32Array;
}

/** Part of the text as it was given. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** One spelling of the secret, with the failure table of Knuth, Morris and Pratt: a search takes linear time, whatever the text. */
interface Needle {
  readonly codes: Uint8Array;
  readonly failures: Uint32Array;
  /** Digits of an encoding. The digits around them contain the secret's first and last bits. */
  readonly encoded: boolean;
}

/** JSON in JSON in a URL is three deep. */
const ESCAPE_DEPTH_MAX = 4;
/** Fewer digits than this occur in any text by chance. */
const ENCODED_DIGITS_MIN = 6;

/**
 * JSON (RFC 8259, section 7), percent-encoding (RFC 3986, section 2.1), HTML's numeric and basic named references. NUL,
 * of which UTF-16 is full, is dropped.
 */
const ESCAPES = /\\u([0-9a-f]{4})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\(["'\\/])|&(amp|lt|gt|quot|apos);|\0/gi;
const HALF_AN_ESCAPE = /[\\%&][#\w]{0,8}$/;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Characters that are compared as equal: upper and lower case, Base64 and Base64url, a space and the plus sign that
 * stands for it in a form. A secret is ASCII: every other character is 0, which no needle contains.
 */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const at = '-_ '.indexOf(String.fromCharCode(code));
  return (at === -1 ? String.fromCharCode(code).toLowerCase() : '+/+'.charAt(at)).charCodeAt(0);
});

export function compileBlot(secret: string | null): Blot {
  if (secret === null || secret === '') return (text) => text;
  const needles = needlesOf(secret);
  return (given, end = 'whole') => {
    const text = end === 'whole' ? given : given.replace(HALF_AN_ESCAPE, '');
    const found: Range[] = [];
    for (const reading of readings(text)) {
      const codes = foldedCodes(reading.text);
      for (const needle of needles) found.push(...rangesOf(needle, { text, reading, codes, end }));
    }
    return found.length === 0 ? text : withStars(text, found);
  };
}

interface Searched {
  readonly text: string;
  readonly reading: Reading;
  readonly codes: Uint8Array;
  readonly end: 'whole' | 'cut';
}

/** The parts of the text that spell the needle. */
function rangesOf(needle: Needle, { text, reading, codes, end }: Searched): Range[] {
  const ranges: Range[] = [];
  let last: Range | undefined;
  for (const occurrence of occurrences(codes, needle, end)) {
    const range = { from: reading.starts[occurrence.from] as number, to: reading.starts[occurrence.to] as number };
    // One run of digits may contain the needle many times.
    if (last !== undefined && range.to <= last.to) continue;
    last = needle.encoded ? wholeDigits(text, range) : range;
    ranges.push(last);
  }
  return ranges;
}

/** Returns the text as it is, with its escapes resolved, with the escapes resolved that this revealed, and so on. */
function readings(text: string): Reading[] {
  const all: Reading[] = [];
  let reading: Reading | null = { text, starts: new Uint32Array(text.length + 1).map((_, at) => at) };
  while (reading !== null && all.length < ESCAPE_DEPTH_MAX) {
    all.push(reading);
    reading = unescaped(reading);
  }
  return all;
}

/** Null if there is no escape. */
function unescaped({ text, starts }: Reading): Reading | null {
  let read = '';
  let end = 0;
  // The meaning of an escape is never longer than the escape.
  const origins = new Uint32Array(starts.length);
  const take = (part: string, at: number, step: 0 | 1): void => {
    for (let index = 0; index < part.length; index++) origins[read.length + index] = starts[at + index * step] as number;
    read += part;
  };
  for (const match of text.matchAll(ESCAPES)) {
    take(text.slice(end, match.index), end, 1);
    take(meaningOf(match), match.index, 0);
    end = match.index + match[0].length;
  }
  if (end === 0) return null;
  take(text.slice(end), end, 1);
  origins[read.length] = starts[text.length] as number;
  return { text: read, starts: origins };
}

function meaningOf([, unicode, percent, hexadecimal, decimal, itself, name]: RegExpExecArray): string {
  const digits = unicode ?? percent ?? hexadecimal;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return itself ?? NAMED[name?.toLowerCase() ?? ''] ?? '';
}

function needlesOf(secret: string): Needle[] {
  const bytes = Buffer.from(secret, 'latin1');
  // A secret may look as if it contained escapes. In a text these are resolved like any others.
  const plain = readings(secret).map(({ text }) => needleOf(text, false));
  const digits = [bytes.toString('hex'), ...[0, 1, 2].map((offset) => base64Digits(bytes, offset))];
  return [...plain, ...digits.filter(({ length }) => length >= ENCODED_DIGITS_MIN).map((text) => needleOf(text, true))];
}

/** Returns the Base64 digits that depend on `bytes` alone if they begin `offset` bytes into a group of three. */
function base64Digits(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function needleOf(text: string, encoded: boolean): Needle {
  const codes = foldedCodes(text);
  const failures = new Uint32Array(codes.length);
  for (let at = 1, matched = 0; at < codes.length; at++) {
    while (matched > 0 && codes[at] !== codes[matched]) matched = failures[matched - 1] as number;
    if (codes[at] === codes[matched]) matched++;
    failures[at] = matched;
  }
  return { codes, failures, encoded };
}

function foldedCodes(text: string): Uint8Array {
  const codes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = FOLDED[text.charCodeAt(at)] ?? 0;
  return codes;
}

/** Returns positions in `codes`. If the end is `cut`, the last codes also count if they begin the needle. */
function occurrences(codes: Uint8Array, { codes: needle, failures, encoded }: Needle, end: 'whole' | 'cut'): Range[] {
  const found: Range[] = [];
  let matched = 0;
  for (let at = 0; at < codes.length; at++) {
    while (matched > 0 && codes[at] !== needle[matched]) matched = failures[matched - 1] as number;
    if (codes[at] === needle[matched]) matched++;
    if (matched < needle.length) continue;
    found.push({ from: at + 1 - matched, to: at + 1 });
    matched = failures[matched - 1] as number;
  }
  if (end === 'cut' && matched >= (encoded ? ENCODED_DIGITS_MIN : 1)) found.push({ from: codes.length - matched, to: codes.length });
  return found;
}

/** Returns the range together with the digits before and after it, and with the padding of Base64. */
function wholeDigits(text: string, { from, to }: Range): Range {
  const isOneOf = (signs: RegExp, at: number): boolean => signs.test(text.charAt(at));
  let [first, end] = [from, to];
  while (first > 0 && isOneOf(/[\w+/%-]/, first - 1)) first--;
  while (isOneOf(/[\w+/%=-]/, end)) end++;
  return { from: first, to: end };
}

/** Replaces ranges with stars. Ranges that touch or overlap become one. */
function withStars(text: string, ranges: Range[]): string {
  let blotted = '';
  let end = -1;
  for (const { from, to } of ranges.sort((one, other) => one.from - other.from)) {
    if (from > end) blotted += text.slice(Math.max(end, 0), from) + STARS;
    end = Math.max(end, to);
  }
  return blotted + text.slice(end);
}
