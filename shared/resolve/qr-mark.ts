/**
 * The mark after the `?` of the URL in a QR code. It says that the visitor scanned the code. It is for the link host
 * alone, and links do not pass it on.
 */
export const QR_MARK = 'qr=1';

/** The URL of a link, which has no query, as it appears in a QR code. */
export function withQrMark(url: string): string {
  return `${url}?${QR_MARK}`;
}

/** The query without the mark; the same string if it does not have it. */
export function withoutQrMark(query: string): string {
  if (!query.includes(QR_MARK)) return query;
  const pieces = query.split('&');
  return pieces.includes(QR_MARK) ? pieces.filter((piece) => piece !== QR_MARK).join('&') : query;
}
