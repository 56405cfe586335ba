import { withAsciiNames } from '../../shared/net/host-name.js';
import { encodeValue, percentDecoded } from '../../shared/resolve/query.js';
import { containing } from '../db/containing.js';

/** A condition on a column of text: an operator of PostgreSQL, and patterns of which one must match. Indexes of trigrams serve both operators. */
export interface TextMatch {
  readonly operator: 'ILIKE' | '~*';
  readonly patterns: readonly string[];
}

/** Matches a text that has the same form in every URL: no encoder escapes these characters. */
const NEVER_ESCAPED = /^[A-Za-z0-9._-]*$/;
/**
 * Letters of which pg_trgm makes one trigram of a text and another of a regular expression, so that the index does not find them: the
 * Turkish capital I with a dot, and digraphs of which only the first letter is a capital. LIKE finds them.
 */
const UNLIKE_IN_EXPRESSIONS = /[\u0130\u01c5\u01c8\u01cb\u01f2]/;

/** Matches a run of escapes, or one other character. */
const PARTS = /(?:%[\dA-Fa-f]{2})+|./gsu;

/**
 * Matches every text that contains the given one in either case, whichever of its characters are escaped as in a URL, here or there. A
 * stored URL may have `%20` in its path, `&` between the parameters of its query and `%26` within one of them, so no list of spellings
 * would find it. PostgreSQL finds a regular expression in the index as fast as a pattern of LIKE. Characters beyond ASCII are either all
 * escaped or none of them: a pattern for both would have more states than the index looks at. The last patterns read escapes as they are,
 * for a URL within a URL, and international names as stored URLs have them.
 */
export function textMatch(text: string): TextMatch {
  if (NEVER_ESCAPED.test(text)) return { operator: 'ILIKE', patterns: [containing(text)] };
  if (UNLIKE_IN_EXPRESSIONS.test(unescapedText(text))) return { operator: 'ILIKE', patterns: spellings(text).map(containing) };
  const parts = partsOf(text);
  const patterns = [literal, escapesOf].map((form) => parts.map((part) => patternOf(part, form)).join(''));
  const asTheyAre = [text, withAsciiNames(text)].map((characters) => patternOf({ characters, isEscaped: false }, literal));
  return { operator: '~*', patterns: [...new Set([...patterns, ...asTheyAre])] };
}

/** The forms of a text that are most likely in titles and URLs: as it is, with no character escaped, with those beyond ASCII, and with all. */
function spellings(text: string): readonly string[] {
  const plain = unescapedText(text);
  const escapedBeyondAscii = plain.replaceAll(/[^\0-\x7f]+/g, encodeValue);
  return [...new Set([text, plain, escapedBeyondAscii, encodeValue(plain), withAsciiNames(text)])];
}

/** The text with its escapes decoded, as the first pattern of `textMatch` reads it. */
export function unescapedText(text: string): string {
  return partsOf(text)
    .map(({ characters }) => characters)
    .join('');
}

/** Matches three letters or digits in a row, or two beside another character of ASCII. */
const TRIGRAM = /[\p{Alphabetic}\p{N}]{3}|[\p{Alphabetic}\p{N}]{2}[ -/:-@[-`{-~]|[ -/:-@[-`{-~][\p{Alphabetic}\p{N}]{2}/u;

/**
 * Whether an index of trigrams (pg_trgm) finds the unescaped text. Trigrams are made of letters and digits alone, with blanks where a word
 * begins or ends. A text without any, such as `& &` or `a b`, would have PostgreSQL try its patterns on every link.
 */
export function hasTrigram(unescaped: string): boolean {
  return TRIGRAM.test(unescaped);
}

interface Part {
  readonly characters: string;
  readonly isEscaped: boolean;
}

function partsOf(text: string): readonly Part[] {
  return [...text.matchAll(PARTS)].map(([part]) => unescaped(part));
}

/** Malformed escapes are characters like any other. So are those of control characters, which no text of a link contains. */
function unescaped(part: string): Part {
  const characters = percentDecoded(part);
  return characters === part || /\p{Cc}/u.test(characters) ? { characters: part, isEscaped: false } : { characters, isEscaped: true };
}

/** `form` returns a regular expression for a character beyond ASCII. */
function patternOf({ characters, isEscaped }: Part, form: (character: string) => string): string {
  const one = (character: string): string => {
    if (character >= '\u{80}') return form(character);
    return !isEscaped && NEVER_ESCAPED.test(character) ? literal(character) : eitherForm(character);
  };
  return [...characters].map(one).join('');
}

/** A regular expression for a character of ASCII and for its escape. In a query, `+` is a blank. */
function eitherForm(character: string): string {
  const escaped = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `(?:${[literal(character), escaped, ...(character === ' ' ? ['\\+'] : [])].join('|')})`;
}

/** A regular expression for the escapes of a character beyond ASCII. Those of a letter differ by its case. */
function escapesOf(character: string): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1);
  const [first = '', ...others] = new Set(cases.map(encodeValue));
  if (others.length === 0) return first;
  // What they have in common stands once: PostgreSQL tries such an expression in half of the time.
  const common = [...first].findIndex((one, index) => others.some((other) => other[index] !== one));
  return `${first.slice(0, common)}(?:${[first, ...others].map((one) => one.slice(common)).join('|')})`;
}

/** A regular expression for the character itself. */
function literal(character: string): string {
  return /^[^A-Za-z0-9\u{80}-\u{10ffff}]$/u.test(character) ? `\\${character}` : character;
}
