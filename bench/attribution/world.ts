import type { AppPlatform } from '../../shared/attribution/match-key.js';
import { byShare, fixedNumber } from './random.js';

/**
 * The people of a country, each with a phone, a home, perhaps an office, and a carrier, and the addresses that they are
 * seen with. A person is a number, and everything about the person follows from that number. The shares are round
 * figures of the kind that market reports give. The results of the simulation change little with them, and much with
 * how many people share an address: see `PLACES`.
 */

/** iOS in Western Europe and North America together. */
const IOS_SHARE = 0.45;
/** The share of iPads among the devices with iOS that follow links. Their Safari calls itself a Mac. */
const TABLET_SHARE = 0.12;
/** How often a household buys one make. */
const SAME_MAKE = 0.6;

/** Versions in use some weeks after a release: most phones update within that time. */
const IOS_VERSIONS = [
  ['26.1', 0.42],
  ['26.0.1', 0.2],
  ['18.7.1', 0.14],
  ['18.6.2', 0.09],
  ['18.5', 0.05],
  ['17.7.2', 0.04],
  ['17.6.1', 0.03],
  ['16.7.12', 0.03],
] as const;
const ANDROID_VERSIONS = [
  ['16', 0.16],
  ['15', 0.28],
  ['14', 0.2],
  ['13', 0.15],
  ['12', 0.1],
  ['11', 0.07],
  ['10', 0.04],
] as const;

const LANGUAGES = [
  ['de-DE', 0.84],
  ['en-US', 0.06],
  ['tr-TR', 0.04],
  ['uk-UA', 0.03],
  ['pl-PL', 0.03],
] as const;

const IPHONES = Array.from({ length: 24 }, (_, index) => [`iPhone${12 + Math.floor(index / 4)},${1 + (index % 4)}`, 24 - index] as const);
const ANDROIDS = Array.from({ length: 200 }, (_, index) => [`SM-A${index}`, 1 / (index + 2)] as const);
const SCREENS = ['1170x2532', '1179x2556', '1206x2622', '1290x2796', '828x1792', '750x1334'] as const;

export interface Phone {
  readonly platform: AppPlatform;
  readonly tablet: boolean;
  readonly version: string;
  readonly language: string;
  readonly model: string;
  readonly screen: string;
}

/** Homes of one to five people: 11 homes of 25 people, repeated. */
const HOME_SIZES = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5] as const;
/** Offices behind one address each. */
const OFFICE_SIZES = [10, 10, 20, 20, 50, 50, 100, 200, 500] as const;
/**
 * Subscribers behind one public address of a carrier: 64,512 ports in blocks of 512, the commonest size that P. Richter and
 * others found ("A Multi-perspective Analysis of Carrier-Grade NAT Deployment", IMC 2016), are 126.
 */
const CARRIER_NAT_SUBSCRIBERS = 126;
/** Carriers that give every phone a /64 of its own, for sites that have IPv6. */
const CARRIER_IPV6_SHARE = 0.5;
const OFFICE_WORKERS = 0.4;

export const PLACES = ['home', 'office', 'carrier NAT', 'carrier IPv6'] as const;
export type Place = (typeof PLACES)[number];

/** Returns which group of a repeating list of sizes the member is in. */
function groupOf(member: number, sizes: readonly number[]): number {
  const round = sizes.reduce((sum, size) => sum + size, 0);
  let left = member % round;
  const before = Math.floor(member / round) * sizes.length;
  for (const [index, size] of sizes.entries()) {
    if (left < size) return before + index;
    left -= size;
  }
  return before;
}

/** A number for each trait, which keeps the traits of a person independent of each other. */
const TRAIT = { home: 1, make: 2, platform: 3, version: 4, language: 5, model: 6, screen: 7, office: 8, ipv6: 9, tablet: 10 } as const;

export class World {
  readonly people: number;
  /** Colleagues are not neighbours, and neither are a carrier's subscribers, so they are grouped in a different order of all people. */
  readonly #offices: Order;
  readonly #carriers: Order;

  constructor(people: number) {
    this.people = people;
    this.#offices = orderOf(people, 7_654_321);
    this.#carriers = orderOf(people, 9_876_543);
  }

  phone(person: number): Phone {
    const home = groupOf(person, HOME_SIZES);
    const alike = fixedNumber(home, TRAIT.make) < SAME_MAKE;
    const platform = fixedNumber(alike ? home : person, TRAIT.platform) < IOS_SHARE ? 'ios' : 'android';
    const ios = platform === 'ios';
    return {
      platform,
      tablet: ios && fixedNumber(person, TRAIT.tablet) < TABLET_SHARE,
      version: byShare<string>(ios ? IOS_VERSIONS : ANDROID_VERSIONS, fixedNumber(person, TRAIT.version)),
      language: byShare<string>(LANGUAGES, fixedNumber(home, TRAIT.language)),
      model: byShare<string>(ios ? IPHONES : ANDROIDS, fixedNumber(person, TRAIT.model)),
      screen: SCREENS[Math.floor(fixedNumber(person, TRAIT.screen) * SCREENS.length)] as string,
    };
  }

  /** Returns where the person is at an hour of a day. Of seven days, the sixth and the seventh are free. */
  placeAt(person: number, timeMs: number, draw: number): Place {
    const hour = Math.floor(timeMs / 3_600_000) % 24;
    const weekday = Math.floor(timeMs / 86_400_000) % 7 < 5;
    const works = fixedNumber(person, TRAIT.office) < OFFICE_WORKERS;
    if (works && weekday && hour >= 9 && hour < 17) return draw < 0.75 ? 'office' : this.#mobile(person);
    const away = hour >= 9 && hour < 20 ? 0.4 : 0.15;
    return draw < away ? this.#mobile(person) : 'home';
  }

  #mobile(person: number): Place {
    return fixedNumber(person, TRAIT.ipv6) < CARRIER_IPV6_SHARE ? 'carrier IPv6' : 'carrier NAT';
  }

  address(person: number, place: Place): string {
    switch (place) {
      case 'home':
        return ipv4(0x0b000000 + groupOf(person, HOME_SIZES));
      case 'office':
        return ipv4(0x14000000 + groupOf((person * this.#offices[0]) % this.people, OFFICE_SIZES));
      case 'carrier NAT':
        return ipv4(0x1e000000 + Math.floor(((person * this.#carriers[0]) % this.people) / CARRIER_NAT_SUBSCRIBERS));
      case 'carrier IPv6':
        return `2a10:0:${(person >>> 16).toString(16)}:${(person & 0xffff).toString(16)}::1`;
    }
  }

  /** Returns somebody behind the same address at the place; at its edge and in small homes, the person itself. */
  neighbour(person: number, place: Place, step: number): number {
    if (place === 'carrier IPv6') return person;
    if (place === 'home') return groupOf(person + step, HOME_SIZES) === groupOf(person, HOME_SIZES) ? person + step : person;
    const [stride, inverse] = place === 'office' ? this.#offices : this.#carriers;
    const other = (((person * stride + step) % this.people) * inverse) % this.people;
    return this.address(other, place) === this.address(person, place) ? other : person;
  }
}

function ipv4(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

/** A stride that visits everybody once, and its inverse, both modulo the number of people. */
type Order = readonly [stride: number, inverse: number];

function orderOf(people: number, from: number): Order {
  for (let stride = from % people || 1; ; stride++) {
    const inverse = inverseOf(stride, people);
    if (inverse !== null) return [stride, inverse];
  }
}

/** By the extended Euclidean algorithm; null if the two have a common factor. */
function inverseOf(number: number, modulus: number): number | null {
  let [remainder, next] = [modulus, number];
  let [coefficient, nextCoefficient] = [0, 1];
  while (next !== 0) {
    const quotient = Math.floor(remainder / next);
    [remainder, next] = [next, remainder - quotient * next];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return remainder === 1 ? (coefficient + modulus) % modulus : null;
}
