import type { PathPattern } from './pattern.js';

/** Whether `{id}` between the affixes can stand for the whole of `text`, with at least one character left for the id. */
function fitsAffixes(text: string, prefix: string, suffix: string): boolean {
  return text.length > prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix);
}

/**
 * Two placeholders with affixes have a text in common exactly if one prefix begins with the other and one suffix ends
 * with the other. A common text begins with both prefixes and ends with both suffixes; and the longer prefix, any
 * character and the longer suffix make such a text.
 */
function affixesMeet(a: PathPattern, b: PathPattern): boolean {
  return (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) && (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix));
}

function segmentsMeet(a: PathPattern, b: PathPattern, index: number): boolean {
  const idOfA = index === a.id_index;
  const idOfB = index === b.id_index;
  if (idOfA && idOfB) return affixesMeet(a, b);
  if (idOfA) return fitsAffixes(b.segments[index] as string, a.prefix, a.suffix);
  if (idOfB) return fitsAffixes(a.segments[index] as string, b.prefix, b.suffix);
  return a.segments[index] === b.segments[index];
}

/**
 * Whether one URL path could match both patterns, whatever their id formats. The answer is exact: segments are
 * independent of one another, so the patterns overlap exactly if they do so in every segment.
 */
export function patternsOverlap(a: PathPattern, b: PathPattern): boolean {
  if (a.segments.length !== b.segments.length) return false;
  for (let index = 0; index < a.segments.length; index++) if (!segmentsMeet(a, b, index)) return false;
  return true;
}
