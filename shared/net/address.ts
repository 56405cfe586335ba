/**
 * Addresses of clients as 16 bytes: an IPv4 address as `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2), however it was
 * given. They are parsed by hand because they are read on the hot path, and in bulk by the shipper: ipaddr.js creates a
 * dozen objects for one address.
 */
export const ADDRESS_BYTES = 16;

/** The longest text of an address: IPv6 with an embedded IPv4 is 45 characters; brackets, a zone and a port come on top. */
const ADDRESS_CHARACTERS_MAX = 96;

const COLON = 0x3a;
const DOT = 0x2e;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const PERCENT = 0x25;

const groups = new Uint16Array(8);
const octets = new Uint8Array(4);

/** Writes a socket's address (4 or 16 bytes at `start`) to `target`. */
export function copyAddress(source: Uint8Array, start: number, length: number, target: Uint8Array): void {
  if (length === 4) {
    for (let index = 0; index < 4; index++) octets[index] = source[start + index] as number;
    writeV4(target);
  } else for (let index = 0; index < ADDRESS_BYTES; index++) target[index] = source[start + index] as number;
}

/**
 * Reads an address as a proxy writes it: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `2001:db8::1%eth0`,
 * `[2001:db8::1]`, `[2001:db8::1]:4711`. Writes it to `target`. Returns false if the text is none of these.
 */
export function readAddress(source: Uint8Array, start: number, end: number, target: Uint8Array): boolean {
  if (source[start] === OPEN) {
    let close = start + 1;
    while (close < end && source[close] !== CLOSE) close++;
    if (close === end || (close + 1 < end && !isPort(source, close + 1, end))) return false;
    return readV6(source, start + 1, close, target);
  }
  let colon = start;
  while (colon < end && source[colon] !== COLON) colon++;
  if (colon === end || isPort(source, colon, end)) {
    if (!readOctets(source, start, colon)) return false;
    writeV4(target);
    return true;
  }
  return readV6(source, start, end, target);
}

const characters = new Uint8Array(ADDRESS_CHARACTERS_MAX);

/** Parses a string in the same way. */
export function readAddressText(text: string, target: Uint8Array): boolean {
  if (text.length > ADDRESS_CHARACTERS_MAX) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return false;
    characters[index] = code;
  }
  return readAddress(characters, 0, text.length, target);
}

/**
 * Whether the text is an IPv4 address and nothing else, by the rules of `readAddressText`. Most proxies write one, and
 * this reads it in one pass.
 */
export function isV4Text(text: string): boolean {
  const { length } = text;
  let index = 0;
  for (let part = 0; part < 4; part++) {
    const first = index;
    let value = 0;
    for (; index < length && index - first < 3; index++) {
      const number = text.charCodeAt(index) - 0x30;
      if (number < 0 || number > 9) break;
      value = value * 10 + number;
    }
    if (index === first || value > 255 || (text.charCodeAt(first) === 0x30 && index - first > 1)) return false;
    if (part < 3 && (index >= length || text.charCodeAt(index++) !== DOT)) return false;
  }
  return index === length;
}

function isMappedV4(address: Uint8Array): boolean {
  for (let index = 0; index < 10; index++) if (address[index] !== 0) return false;
  return address[10] === 255 && address[11] === 255;
}

/**
 * Keeps only the first 64 bits of an IPv6 address: what a network gives to one household or device, which changes the
 * other half at will (RFC 8981). An IPv4 address stays whole. Addresses are hashed, and counted against limits, in this
 * form.
 */
export function keepNetwork(address: Uint8Array): void {
  if (!isMappedV4(address)) for (let index = 8; index < ADDRESS_BYTES; index++) address[index] = 0;
}

/** Returns the network of the address in the text, or null if the text is not an address. */
export function networkOf(text: string): Uint8Array | null {
  const address = new Uint8Array(ADDRESS_BYTES);
  if (!readAddressText(text, address)) return null;
  keepNetwork(address);
  return address;
}

/** Returns the bytes of a socket's address: 4 or 16; empty if the text is not an address. An IPv4 address inside IPv6 gives its 4 bytes. */
export function socketAddress(text: string): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES);
  if (!readAddressText(text, address)) return new Uint8Array(0);
  return isMappedV4(address) ? address.slice(12) : address;
}

/** Whether the bytes are a colon and one to five digits. */
function isPort(source: Uint8Array, start: number, end: number): boolean {
  if (source[start] !== COLON || end - start < 2 || end - start > 6) return false;
  for (let index = start + 1; index < end; index++) if (digit(source[index] as number) > 9) return false;
  return true;
}

/** Reads four decimal numbers without leading zeros into `octets`. */
function readOctets(source: Uint8Array, start: number, end: number): boolean {
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

/** Reads an address by RFC 4291 section 2.2, with a zone (RFC 4007), which is not part of the address. */
function readV6(source: Uint8Array, start: number, end: number, target: Uint8Array): boolean {
  let stop = start;
  while (stop < end && source[stop] !== PERCENT) stop++;
  if (!readGroups(source, start, stop)) return false;
  for (let group = 0; group < 8; group++) {
    target[2 * group] = (groups[group] as number) >> 8;
    target[2 * group + 1] = (groups[group] as number) & 255;
  }
  return true;
}

function readGroups(source: Uint8Array, start: number, end: number): boolean {
  let index = start;
  let count = 0;
  // The position of `::`, as the number of groups before it.
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
      if (count > 6 || !readOctets(source, index, end)) return false;
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

function writeV4(target: Uint8Array): void {
  for (let index = 0; index < 10; index++) target[index] = 0;
  target[10] = 255;
  target[11] = 255;
  for (let index = 0; index < 4; index++) target[12 + index] = octets[index] as number;
}

/** Returns the key under which an address counts against a limit: its network, because every holder of an IPv6 address has 2^64 of them. */
export function addressOfLimit(address: string): string {
  const network = networkOf(address);
  return network === null ? address : Buffer.from(network).toString('latin1');
}

/** Value of a hexadecimal digit, or 255. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x61 && code <= 0x66) return code - 0x61 + 10;
  if (code >= 0x41 && code <= 0x46) return code - 0x41 + 10;
  return 255;
}

/** The text of an address: IPv4 with its dots, IPv6 as eight groups. */
export function addressText(address: Uint8Array): string {
  if (isMappedV4(address)) return address.subarray(12).join('.');
  const texts: string[] = [];
  for (let at = 0; at < ADDRESS_BYTES; at += 2) texts.push((((address[at] as number) << 8) | (address[at + 1] as number)).toString(16));
  return texts.join(':');
}
