/** Returns where a destination's query begins (after `?`) if it contains `utm_`, else -1. */
export function destinationQuery(source: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const code = source[at];
    // A `?` in the fragment does not begin a query.
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
