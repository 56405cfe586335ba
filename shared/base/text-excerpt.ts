const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the beginning of `bytes` as text of at most `bytesMax` bytes of UTF-8, never cut inside a character. Bytes
 * that are not UTF-8, and NUL, which PostgreSQL cannot store in a text, become U+FFFD.
 */
export function textExcerpt(bytes: Uint8Array, bytesMax: number): string {
  const text = decodeUpTo(bytes, bytesMax).replaceAll('\0', '\uFFFD');
  // U+FFFD takes three bytes, so replacements can make the text longer than the bytes it was read from.
  return Buffer.byteLength(text) <= bytesMax ? text : decodeUpTo(Buffer.from(text), bytesMax);
}

function decodeUpTo(bytes: Uint8Array, bytesMax: number): string {
  let end = Math.min(bytes.length, bytesMax);
  if (end < bytes.length) {
    // The cut may fall after any byte of a character: go back to its first, past at most three continuation bytes.
    const floor = Math.max(0, end - 3);
    let first = end;
    while (first > floor && isContinuation(bytes[first])) first--;
    if (!isContinuation(bytes[first])) end = first;
  }
  return decoder.decode(bytes.subarray(0, end));
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
