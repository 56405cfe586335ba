/** Where a destination's query begins (behind `?`) if `utm_` occurs in it, else -1. */
export function destinationQuery(source: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const code = source[at];
    // A fragment has no query.
    if (code === 0x23) return -1;
    if (code === 0x3f) break;
  }
  const query = at + 1;
  for (let index = query; index + 3 < end; index++) {
    if (source[index] === 0x23) return -1;
    if (source[index] === 0x75 && source[index + 1] === 0x74 && source[index + 2] === 0x6d && source[index + 3] === 0x5f) return query;
  }
  return -1;
}
