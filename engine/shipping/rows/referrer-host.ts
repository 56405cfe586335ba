const HOST_CHARACTERS_MAX = 253;
const COLON = 0x3a;
const SLASH = 0x2f;
const AT = 0x40;
const DOT = 0x2e;

/**
 * The host in a `Referer` header: `www.example.com` from `https://user@WWW.example.com:8443/page?x`, `com.example.app` from
 * `android-app://com.example.app/`. Without scheme, port, user and a dot at the end; lower case; empty for anything else. It is
 * read from bytes, because a URL object per click would cost as much as the rest of its row.
 */
export class ReferrerHost {
  /** The characters of the latest host, `length` of them. */
  readonly bytes = new Uint8Array(HOST_CHARACTERS_MAX);
  length = 0;

  read(source: Uint8Array, start: number, end: number): void {
    this.length = 0;
    let at = afterScheme(source, start, end);
    if (at === -1) return;
    let stop = at;
    while (stop < end && !isAuthorityEnd(source[stop] as number)) stop++;
    for (let index = at; index < stop; index++) if (source[index] === AT) at = index + 1;
    for (; at < stop && source[at] !== COLON; at++) {
      const character = hostCharacter(source[at] as number);
      if (character === 0 || this.length === HOST_CHARACTERS_MAX) {
        this.length = 0;
        return;
      }
      this.bytes[this.length++] = character;
    }
    if (this.length > 0 && this.bytes[this.length - 1] === DOT) this.length--;
  }
}

/** Returns the offset after `://`, or -1 if the text does not begin with a scheme. */
function afterScheme(source: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && source[at] !== COLON && source[at] !== SLASH) at++;
  if (at === start || at + 3 > end || source[at] !== COLON || source[at + 1] !== SLASH || source[at + 2] !== SLASH) return -1;
  return at + 3;
}

/** `/`, `?`, `#`. */
function isAuthorityEnd(code: number): boolean {
  return code === SLASH || code === 0x3f || code === 0x23;
}

/** Returns a letter in lower case, a digit, `-`, `.` or `_`; 0 for a character that no host name has. */
function hostCharacter(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 32;
  const allowed = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x5f;
  return allowed ? code : 0;
}
