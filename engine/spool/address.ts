/**
 * Client addresses in the form that is hashed, 16 bytes: an IPv4 address as `::ffff:a.b.c.d`, however it was given; an
 * IPv6 address as its first 64 bits and zeros, because that is what a network gives to one household or device, which
 * changes the other half at will (RFC 8981).
 */
const COLON = 0x3a;
const DOT = 0x2e;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const PERCENT = 0x25;

const groups = new Uint16Array(8);
const octets = new Uint8Array(4);

/** Writes the hashed form of the socket's address (4 or 16 bytes at `start`) to `target`. */
export function normaliseAddress(source: Uint8Array, start: number, length: number, target: Uint8Array): void {
  if (length === 4) {
    for (let index = 0; index < 4; index++) octets[index] = source[start + index] as number;
    writeV4(target);
    return;
  }
  for (let index = 0; index < 8; index++)
    groups[index] = ((source[start + 2 * index] as number) << 8) | (source[start + 2 * index + 1] as number);
  writeV6(target);
}

/**
 * Reads an address as a proxy writes it: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `2001:db8::1%eth0`, `[2001:db8::1]`,
 * `[2001:db8::1]:4711`. Writes its hashed form to `target`. False where the text is none of these.
 */
export function parseAddress(source: Uint8Array, start: number, end: number, target: Uint8Array): boolean {
  if (source[start] === OPEN) {
    let close = start + 1;
    while (close < end && source[close] !== CLOSE) close++;
    if (close === end || (close + 1 < end && !isPort(source, close + 1, end))) return false;
    return parseV6(source, start + 1, close, target);
  }
  let colon = start;
  while (colon < end && source[colon] !== COLON) colon++;
  if (colon === end || isPort(source, colon, end)) {
    if (!readV4(source, start, colon)) return false;
    writeV4(target);
    return true;
  }
  return parseV6(source, start, end, target);
}

/** A colon and one to five digits. */
function isPort(source: Uint8Array, start: number, end: number): boolean {
  if (source[start] !== COLON || end - start < 2 || end - start > 6) return false;
  for (let index = start + 1; index < end; index++) if (digit(source[index] as number) > 9) return false;
  return true;
}

/** Four decimal numbers without leading zeros into `octets`. */
function readV4(source: Uint8Array, start: number, end: number): boolean {
  let index = start;
  for (let part = 0; part < 4; part++) {
    const first = index;
    let value = 0;
    for (; index < end && index - first < 3; index++) {
      const number = digit(source[index] as number);
      if (number > 9) break;
      value = value * 10 + number;
    }
    if (index === first || value > 255 || (source[first] === 0x30 && index - first > 1)) return false;
    octets[part] = value;
    if (part < 3 && (index >= end || source[index++] !== DOT)) return false;
  }
  return index === end;
}

/** RFC 4291 section 2.2, with a zone (RFC 4007), which is no part of the address. */
function parseV6(source: Uint8Array, start: number, end: number, target: Uint8Array): boolean {
  let stop = start;
  while (stop < end && source[stop] !== PERCENT) stop++;
  if (!readV6(source, start, stop)) return false;
  writeV6(target);
  return true;
}

function readV6(source: Uint8Array, start: number, end: number): boolean {
  let index = start;
  let count = 0;
  // Where `::` stands, as a number of groups before it.
  let gap = -1;
  if (source[index] === COLON && source[index + 1] === COLON && index + 1 < end) {
    gap = 0;
    index += 2;
  }
  while (index < end) {
    if (count === 8) return false;
    let next = index;
    let value = 0;
    for (; next < end && next - index < 5; next++) {
      const number = digit(source[next] as number);
      if (number > 15) break;
      value = (value << 4) | number;
    }
    if (next < end && source[next] === DOT) {
      if (count > 6 || !readV4(source, index, end)) return false;
      groups[count++] = ((octets[0] as number) << 8) | (octets[1] as number);
      groups[count++] = ((octets[2] as number) << 8) | (octets[3] as number);
      index = end;
      break;
    }
    if (next === index || next - index > 4) return false;
    groups[count++] = value;
    index = next;
    if (index === end) break;
    if (source[index++] !== COLON) return false;
    if (index < end && source[index] === COLON) {
      if (gap !== -1) return false;
      gap = count;
      index++;
    } else if (index === end) return false;
  }
  if (gap === -1) return count === 8;
  if (count > 7) return false;
  groups.copyWithin(8 - (count - gap), gap, count);
  groups.fill(0, gap, 8 - (count - gap));
  return true;
}

function writeV6(target: Uint8Array): void {
  const mapped =
    groups[5] === 0xffff &&
    (groups[0] as number) + (groups[1] as number) + (groups[2] as number) + (groups[3] as number) + (groups[4] as number) === 0;
  if (mapped) {
    octets[0] = (groups[6] as number) >> 8;
    octets[1] = (groups[6] as number) & 255;
    octets[2] = (groups[7] as number) >> 8;
    octets[3] = (groups[7] as number) & 255;
    writeV4(target);
    return;
  }
  for (let group = 0; group < 4; group++) {
    target[2 * group] = (groups[group] as number) >> 8;
    target[2 * group + 1] = (groups[group] as number) & 255;
  }
  for (let index = 8; index < 16; index++) target[index] = 0;
}

function writeV4(target: Uint8Array): void {
  for (let index = 0; index < 10; index++) target[index] = 0;
  target[10] = 255;
  target[11] = 255;
  for (let index = 0; index < 4; index++) target[12 + index] = octets[index] as number;
}

/** Value of a hexadecimal digit, or 255. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x61 && code <= 0x66) return code - 0x61 + 10;
  if (code >= 0x41 && code <= 0x46) return code - 0x41 + 10;
  return 255;
}
