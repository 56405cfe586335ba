import { isIP } from 'node:net';
import { ADDRESS_BYTES, copyAddress, readAddressText } from './address.js';

/** CIDRs of one setting. The largest networks in front of servers publish some two hundred. */
export const RANGES_MAX = 1000;

interface Range {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

/**
 * Networks, compiled once and searched for every request: sorted and disjoint ranges of 16-byte addresses, so that a
 * lookup takes log2(n) comparisons and no memory. A network of IPv4 contains the same addresses written as IPv6.
 */
export class AddressRanges {
  readonly #ranges: readonly Range[];
  readonly #address = new Uint8Array(ADDRESS_BYTES);

  /** Returns null if a text is neither an address nor a CIDR. Bits of the host part are ignored. */
  static parse(cidrs: readonly string[]): AddressRanges | null {
    const ranges: Range[] = [];
    for (const cidr of cidrs) {
      const range = parseCidr(cidr);
      if (range === null) return null;
      ranges.push(range);
    }
    return new AddressRanges(ranges);
  }

  private constructor(ranges: Range[]) {
    this.#ranges = disjoint(ranges);
  }

  /** `address` has 4 or 16 bytes, as sockets give them. */
  has(address: Uint8Array): boolean {
    copyAddress(address, 0, address.length, this.#address);
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare((this.#ranges[middle] as Range).last, this.#address) < 0) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low];
    return range !== undefined && compare(range.first, this.#address) <= 0;
  }
}

function parseCidr(cidr: string): Range | null {
  const [, text = '', length] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? [];
  const family = isIP(text);
  const first = new Uint8Array(ADDRESS_BYTES);
  if (family === 0 || !readAddressText(text, first)) return null;
  const familyBits = family === 4 ? 32 : 128;
  const prefixBits = length === undefined ? familyBits : Number(length);
  if (prefixBits > familyBits) return null;
  const last = first.slice();
  for (let bit = 128 - familyBits + prefixBits; bit < 128; bit++) {
    const mask = 128 >> (bit & 7);
    first[bit >> 3] = (first[bit >> 3] as number) & ~mask;
    last[bit >> 3] = (last[bit >> 3] as number) | mask;
  }
  return { first, last };
}

/** CIDRs are nested or disjoint: of two that overlap, the one that begins first, or is larger, contains the other. */
function disjoint(ranges: Range[]): readonly Range[] {
  ranges.sort((one, other) => compare(one.first, other.first) || compare(other.last, one.last));
  const kept: Range[] = [];
  for (const range of ranges) {
    const before = kept.at(-1);
    if (before === undefined || compare(before.last, range.first) < 0) kept.push(range);
  }
  return kept;
}

function compare(one: Uint8Array, other: Uint8Array): number {
  for (let index = 0; index < ADDRESS_BYTES; index++) {
    const difference = (one[index] as number) - (other[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
