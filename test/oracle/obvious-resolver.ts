import type { IdFormat } from '../../shared/records/id-format.js';

/**
 * Resolves URL templates in the slowest and most obvious way: it tries every template and every split of a segment into prefix,
 * id and suffix, and the characters of a format are a set of strings. It shares no code with shared/resolve.
 */
export interface ObviousTemplate {
  readonly name: string;
  readonly path_pattern: string;
  readonly id_format: IdFormat;
  readonly active: boolean;
}

export interface ObviousAnswer {
  readonly result: 'match' | 'invalid_id' | 'no_template';
  readonly name: string | null;
  readonly id: string | null;
}

const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

function charactersBetween(first: string, last: string): string[] {
  const characters = [];
  for (let point = first.codePointAt(0) as number; point <= (last.codePointAt(0) as number); point++)
    characters.push(String.fromCodePoint(point));
  return characters;
}

function expandCharset(charset: string): Set<string> {
  const rest = [...charset];
  const allowed = new Set<string>();
  while (rest.length > 0) {
    const [first, hyphen, last] = rest;
    if (hyphen === '-' && last !== undefined) {
      for (const character of charactersBetween(first as string, last)) allowed.add(character);
      rest.splice(0, 3);
    } else allowed.add(rest.shift() as string);
  }
  return allowed;
}

function consistsOf(text: string, characters: string, min: number, max: number): boolean {
  const all = [...text];
  return all.length >= min && all.length <= max && all.every((character) => characters.includes(character));
}

export function obviouslyFits(format: IdFormat, id: string): boolean {
  if (id === '.' || id === '..') return false;
  if (format.kind === 'charset') {
    const allowed = expandCharset(format.charset);
    const characters = [...id];
    return (
      characters.length >= format.min_length &&
      characters.length <= format.max_length &&
      characters.every((character) => allowed.has(character))
    );
  }
  switch (format.preset) {
    case 'numeric':
      return consistsOf(id, DIGITS, 1, 20);
    case 'alnum':
      return consistsOf(id, DIGITS + UPPER + LOWER, 1, 64);
    case 'base64url':
      return consistsOf(id, `${DIGITS + UPPER + LOWER}-_`, 1, 128);
    case 'ulid':
      return consistsOf(id.toUpperCase(), '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, 26) && consistsOf(id, DIGITS + UPPER + LOWER, 26, 26);
    case 'uuid': {
      const groups = id.split('-');
      const lengths = [8, 4, 4, 4, 12];
      return (
        groups.length === 5 &&
        groups.every((group, index) => consistsOf(group, `${DIGITS}abcdefABCDEF`, lengths[index] as number, lengths[index] as number))
      );
    }
  }
}

/** The decoded segment, or null if its escapes are malformed. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The text of a segment with broken escapes for the comparison with affixes: valid escapes of ASCII characters are decoded. */
function asFarAsPossible(segment: string): string {
  let text = '';
  for (let index = 0; index < segment.length; ) {
    const piece = segment.slice(index, index + 3);
    const point = piece.length === 3 && piece.startsWith('%') ? Number(`0x${piece.slice(1)}`) : Number.NaN;
    if (Number.isInteger(point) && !piece.includes('.') && !piece.includes(' ')) {
      text += point < 128 ? String.fromCharCode(point) : '\ufffd';
      index += 3;
    } else text += segment[index++];
  }
  return text;
}

/** The id with which the pattern segment equals the path segment, or null. */
function idOf(patternSegment: string, pathSegment: string): string | null {
  for (let start = 0; start < pathSegment.length; start++)
    for (let stop = start + 1; stop <= pathSegment.length; stop++) {
      const id = pathSegment.slice(start, stop);
      if (patternSegment.split('{id}').join('\0') === `${pathSegment.slice(0, start)}\0${pathSegment.slice(stop)}`) return id;
    }
  return null;
}

function tryTemplate(template: ObviousTemplate, segments: readonly string[]): { id: string | null } | null {
  const wanted = template.path_pattern.split('/').slice(1);
  if (wanted.length !== segments.length) return null;
  let answer: { id: string | null } | null = null;
  for (const [index, patternSegment] of wanted.entries()) {
    const raw = segments[index] as string;
    if (!patternSegment.includes('{id}')) {
      if (decoded(raw) !== patternSegment) return null;
      continue;
    }
    const sound = decoded(raw);
    const id = idOf(patternSegment, sound ?? asFarAsPossible(raw));
    if (id === null) return null;
    answer = { id: sound === null ? null : id };
  }
  return answer;
}

export function obviouslyResolve(templates: readonly ObviousTemplate[], path: string): ObviousAnswer {
  const nothing = { result: 'no_template', name: null, id: null } as const;
  if (!path.startsWith('/')) return nothing;
  const segments = path.split('/').slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (['.well-known', 'health'].includes(decoded(segments[0] as string) ?? '')) return nothing;
  for (const template of templates) {
    const found = tryTemplate(template, segments);
    if (found === null) continue;
    if (!template.active) return { ...nothing, name: template.name };
    const fits = found.id !== null && obviouslyFits(template.id_format, found.id);
    return { result: fits ? 'match' : 'invalid_id', name: template.name, id: found.id };
  }
  return nothing;
}
