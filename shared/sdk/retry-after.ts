/** Returns the milliseconds of a `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). Null if there is none, or it is malformed. */
export function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
