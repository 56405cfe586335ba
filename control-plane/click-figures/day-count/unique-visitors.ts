import {
  CAMPAIGN,
  CAMPAIGN_COUNTRY,
  CAMPAIGN_LINK,
  CAMPAIGN_PLATFORM,
  CAMPAIGN_REFERRER,
  ClickNumbers,
  COUNTRY,
  DIMENSIONS,
  HOUR,
  ITEM,
  kindOf,
  LINK,
  LINK_COUNTRY,
  LINK_PLATFORM,
  LINK_REFERRER,
  major,
  minor,
  PLATFORM,
  REFERRER,
  TOTAL,
  TYPE,
} from './click-numbers.js';
import { grown, KEY_WORDS, KeyTable } from './key-table.js';
import type { CountedClick } from './logged-clicks.js';

/** Number of words that describe a visit, that is, what a visitor was counted for. */
const VISIT_WORDS = 7;
const VISITS_AT_FIRST = 256;
/** Up to this many visits of a visitor are scanned one by one. Beyond that, the groups in which the visitor was counted are looked up. */
const VISITS_MAX = 16;
/** Values in place of the newest visit of a visitor, which is stored as its index plus 1. */
const NO_VISIT = 0;
const GROUPS_INSTEAD = -1;

/**
 * The visitors of a day with the groups in which each was counted, so that another click of a visitor increases `visitors` only in
 * groups where the visitor is new. A visitor with one visit takes about 60 bytes.
 */
export class UniqueVisitors {
  /** Type and text of each item. */
  readonly #items: KeyTable;
  /** Environment and hash as the key, and the visitor's newest visit, `NO_VISIT` or `GROUPS_INSTEAD` as the value. */
  readonly #visitors = new KeyTable(1);
  /** Subject, or `-1 - item`; hour, platform, country, referrer, campaign, the visit before. */
  #visits = new Int32Array(VISITS_AT_FIRST * VISIT_WORDS);
  #visitCount = 0;
  /** Visitor, dimension, and the two numbers of the group, for visitors with many visits. */
  readonly #groups = new KeyTable();

  constructor(items: KeyTable) {
    this.#items = items;
  }

  get bytes(): number {
    return this.#visitors.bytes + this.#groups.bytes + this.#visits.byteLength;
  }

  /** Returns, as bits, the dimensions in whose groups the visitor was seen before, and records the visitor in all of them. */
  see(click: CountedClick, numbers: ClickNumbers): number {
    const { bits } = kindOf(numbers);
    const visitor = this.#visitors.place(click.environment_number, click.visitor_high, click.visitor_low);
    const newest = this.#newestVisit(visitor);
    if (newest === GROUPS_INSTEAD) return this.#seeGroups(visitor, numbers);
    let seen = 0;
    let visits = 0;
    for (let visit = newest; visit !== NO_VISIT; visit = this.#visitBefore(visit)) {
      seen |= this.#common((visit - 1) * VISIT_WORDS, numbers);
      if ((seen & bits) === bits) return bits;
      visits++;
    }
    if (visits < VISITS_MAX) this.#addVisit(visitor, numbers);
    else this.#expand(visitor, numbers);
    return seen & bits;
  }

  #newestVisit(visitor: number): number {
    const { words, stride } = this.#visitors;
    return words[visitor * stride + KEY_WORDS] as number;
  }

  #setNewestVisit(visitor: number, visit: number): void {
    const { words, stride } = this.#visitors;
    words[visitor * stride + KEY_WORDS] = visit;
  }

  #visitBefore(visit: number): number {
    return this.#visits[visit * VISIT_WORDS - 1] as number;
  }

  #addVisit(visitor: number, numbers: ClickNumbers): void {
    const at = this.#visitCount++ * VISIT_WORDS;
    if (at === this.#visits.length) this.#visits = grown(this.#visits);
    const visits = this.#visits;
    visits[at] = numbers.isLink ? numbers.subject : -1 - numbers.item;
    visits[at + 1] = numbers.hour;
    visits[at + 2] = numbers.platform;
    visits[at + 3] = numbers.country;
    visits[at + 4] = numbers.referrer;
    visits[at + 5] = numbers.campaign;
    visits[at + 6] = this.#newestVisit(visitor);
    this.#setNewestVisit(visitor, this.#visitCount);
  }

  /** The dimensions in which the click belongs to a group of the visit, as bits. */
  #common(at: number, numbers: ClickNumbers): number {
    const visits = this.#visits;
    const target = visits[at] as number;
    const platform = visits[at + 2] === numbers.platform;
    const country = visits[at + 3] === numbers.country;
    const referrer = visits[at + 4] === numbers.referrer;
    let bits = 1 << TOTAL;
    if (visits[at + 1] === numbers.hour) bits |= 1 << HOUR;
    if (platform) bits |= 1 << PLATFORM;
    if (country) bits |= 1 << COUNTRY;
    if (referrer) bits |= 1 << REFERRER;
    const sameLink = numbers.isLink && target === numbers.subject;
    if (sameLink) {
      bits |= 1 << LINK;
      if (platform) bits |= 1 << LINK_PLATFORM;
      if (country) bits |= 1 << LINK_COUNTRY;
      if (referrer) bits |= 1 << LINK_REFERRER;
    }
    if (!numbers.isLink && target < 0) {
      if (this.#typeOf(-1 - target) === numbers.type) bits |= 1 << TYPE;
      if (-1 - target === numbers.item) bits |= 1 << ITEM;
    }
    if (numbers.campaign !== 0 && visits[at + 5] === numbers.campaign) {
      bits |= 1 << CAMPAIGN;
      if (platform) bits |= 1 << CAMPAIGN_PLATFORM;
      if (country) bits |= 1 << CAMPAIGN_COUNTRY;
      if (referrer) bits |= 1 << CAMPAIGN_REFERRER;
      if (sameLink) bits |= 1 << CAMPAIGN_LINK;
    }
    return bits;
  }

  /** Replaces the visitor's visits by their groups, and adds the groups of the click. */
  #expand(visitor: number, numbers: ClickNumbers): void {
    const visited = new ClickNumbers();
    for (let visit = this.#newestVisit(visitor); visit !== NO_VISIT; visit = this.#visitBefore(visit)) {
      const [target = 0, hour = 0, platform = 0, country = 0, referrer = 0, campaign = 0] = this.#visits.subarray(
        (visit - 1) * VISIT_WORDS,
      );
      visited.isLink = target >= 0;
      if (visited.isLink) visited.subject = target;
      else {
        visited.item = -1 - target;
        visited.type = this.#typeOf(visited.item);
      }
      Object.assign(visited, { hour, platform, country, referrer, campaign });
      this.#seeGroups(visitor, visited);
    }
    this.#setNewestVisit(visitor, GROUPS_INSTEAD);
    this.#seeGroups(visitor, numbers);
  }

  #typeOf(item: number): number {
    const { words, stride } = this.#items;
    return words[item * stride] as number;
  }

  #seeGroups(visitor: number, numbers: ClickNumbers): number {
    let seen = 0;
    for (const dimension of kindOf(numbers).dimensions) {
      const known = this.#groups.size;
      const group = this.#groups.place(visitor, major(dimension, numbers) * DIMENSIONS + dimension, minor(dimension, numbers));
      if (group !== known) seen |= 1 << dimension;
    }
    return seen;
  }
}
