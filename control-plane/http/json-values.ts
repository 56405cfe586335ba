const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text in UTF-8 has more values than `valuesMax` at all depths together. An empty object or array counts as two. Reads no
 * further than needed, and makes nothing of the text, so that a hostile one costs little.
 */
export function hasMoreValues(bytes: Uint8Array, valuesMax: number): boolean {
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > valuesMax) return true;
  }
  return false;
}
