import { BREAKDOWN_DIMENSIONS, DIMENSION_NAMES, type Dimension } from './dimensions.js';
import { grown, KeyTable } from './key-table.js';
import type { CountedClick } from './logged-clicks.js';
import { QUARTER_SECONDS } from './quarters.js';
import { TextNumbers } from './text-numbers.js';

/** A figure. Texts are UTF-8 with one character a byte, a `uuid` is its 16 bytes so. */
export interface Figure {
  readonly environment_number: number;
  /** Place in `DIMENSION_NAMES`. */
  readonly dimension: number;
  readonly subject_id: string;
  readonly campaign: string;
  readonly value: string;
  readonly clicks: number;
  readonly human: number;
  readonly visitors: number;
}

/** What one link or campaign was clicked on by platform, country and referrer. Texts as in `Figure`. */
export interface Breakdown {
  readonly environment_number: number;
  readonly subject_id: string;
  readonly campaign: string;
  /** UTF-8. A line for each: dimension, clicks, human, visitors, value. */
  readonly figures: Buffer;
}

/** `uuid` of sixteen zeros. */
const NO_SUBJECT = '\0'.repeat(16);

const place = (dimension: Dimension): number => DIMENSION_NAMES.indexOf(dimension);
const TOTAL = place('total');
const HOUR = place('hour');
const PLATFORM = place('platform');
const COUNTRY = place('country');
const REFERRER = place('referrer');
const CAMPAIGN = place('campaign');
const LINK = place('link');
const TYPE = place('type');
const ITEM = place('item');
const CAMPAIGN_LINK = place('campaign_link');
// Lines of breakdowns come after the dimensions that are rows.
const LINK_PLATFORM = DIMENSION_NAMES.length;
const LINK_COUNTRY = LINK_PLATFORM + 1;
const LINK_REFERRER = LINK_PLATFORM + 2;
const CAMPAIGN_PLATFORM = LINK_PLATFORM + 3;
const CAMPAIGN_COUNTRY = LINK_PLATFORM + 4;
const CAMPAIGN_REFERRER = LINK_PLATFORM + 5;
const DIMENSIONS = LINK_PLATFORM + 6;

const OF_ALL = [TOTAL, HOUR, PLATFORM, COUNTRY, REFERRER];
const OF_CAMPAIGN = [CAMPAIGN, CAMPAIGN_PLATFORM, CAMPAIGN_COUNTRY, CAMPAIGN_REFERRER];
const OF_LINK = [LINK, LINK_PLATFORM, LINK_COUNTRY, LINK_REFERRER];
const OF_ITEM = [TYPE, ITEM];

/** Dimensions in which a click counts. */
interface Kind {
  readonly dimensions: readonly number[];
  /** The same as bits, by their place. */
  readonly bits: number;
}

function kind(...dimensions: readonly (readonly number[])[]): Kind {
  const all = dimensions.flat();
  return { dimensions: all, bits: all.reduce((bits, dimension) => bits | (1 << dimension), 0) };
}

const LINK_KIND = kind(OF_ALL, OF_LINK);
const LINK_OF_CAMPAIGN_KIND = kind(OF_ALL, OF_LINK, OF_CAMPAIGN, [CAMPAIGN_LINK]);
const ITEM_KIND = kind(OF_ALL, OF_ITEM);
const ITEM_OF_CAMPAIGN_KIND = kind(OF_ALL, OF_ITEM, OF_CAMPAIGN);

/** Numbers of a visit: what a visitor was counted for. */
const VISIT_WORDS = 7;
const VISITS_AT_FIRST = 256;
/** Visits of one visitor that are looked through one by one. Past them the groups he was counted in are looked up. */
const VISITS_MAX = 16;
/** Numbers of a figure. */
const COUNT_WORDS = 5;
const NO_FIGURE = -1;
const NO_VISIT = -1;
const GROUPS_INSTEAD = -2;

/** A click, by the numbers of its texts. Filled in again for every click. */
class Numbers {
  subject = 0;
  item = 0;
  type = 0;
  isLink = false;
  hour = 0;
  platform = 0;
  country = 0;
  referrer = 0;
  campaign = 0;
}

/**
 * Counts the clicks of one day of projects, exactly: in every dimension all clicks, those of people, and their visitors. It
 * remembers each visitor of the day with what he was counted for, so that another click of his adds to `visitors` only in
 * groups he has not been seen in. A visitor with one visit takes some 60 bytes, a
 * figure some 45.
 */
export class DayCount {
  readonly #subjects = new TextNumbers();
  readonly #types = new TextNumbers();
  /** By type and item in one text. */
  readonly #items = new TextNumbers();
  readonly #typesOfItems: number[] = [];
  readonly #platforms = new TextNumbers();
  readonly #countries = new TextNumbers();
  readonly #referrers = new TextNumbers();
  readonly #campaigns = new TextNumbers();

  /** Environment and hash. */
  readonly #visitors = new KeyTable();
  /** By visitor: his newest visit, `NO_VISIT` or `GROUPS_INSTEAD`. */
  #newestVisits = new Int32Array(VISITS_AT_FIRST);
  /** Subject, or item less than zero; hour, platform, country, referrer, campaign, the visit before. */
  #visits = new Int32Array(VISITS_AT_FIRST * VISIT_WORDS);
  #visitCount = 0;
  /** Visitor, dimension, and the two numbers of the group; of visitors with many visits. */
  readonly #groups = new KeyTable();

  /** Environment and dimension, and the two numbers of the group. */
  readonly #figures = new KeyTable();
  /** By figure: clicks, human, visitors, 1 if they changed since they were taken; of the same breakdown the figure before, or -1. */
  #counts = new Int32Array(VISITS_AT_FIRST * COUNT_WORDS);
  /** Figures that are rows and changed since they were taken. */
  #changed: number[] = [];
  /** Environment, whether it is of a link (0) or a campaign (1), and its number. */
  readonly #breakdowns = new KeyTable();
  /** By breakdown: its newest figure. */
  #newestFigures = new Int32Array(VISITS_AT_FIRST);
  readonly #changedBreakdowns = new Set<number>();
  readonly #click = new Numbers();

  constructor() {
    // What is not known has the number 0.
    for (const texts of [this.#countries, this.#referrers, this.#campaigns]) texts.number('');
  }

  /** What it takes of memory, beside its texts. */
  get bytes(): number {
    const tables = this.#visitors.bytes + this.#groups.bytes + this.#figures.bytes + this.#breakdowns.bytes;
    return tables + this.#newestVisits.byteLength + this.#visits.byteLength + this.#counts.byteLength + this.#newestFigures.byteLength;
  }

  /** Whether figures changed since they were taken. */
  get hasChanged(): boolean {
    return this.#changed.length > 0;
  }

  /** Counts a click; `hour` is the quarter of an hour, of those since 1970, with which its hour begins. */
  add(click: CountedClick, hour: number): void {
    const numbers = this.#read(click, hour);
    const { dimensions, bits } = kindOf(numbers);
    const seen = click.bot ? bits : this.#see(click, numbers, bits);
    const human = click.bot ? 0 : 1;
    const ofLink = numbers.isLink ? this.#changeBreakdown(click.environment_number, 0, numbers.subject) : -1;
    const ofCampaign = numbers.campaign === 0 ? -1 : this.#changeBreakdown(click.environment_number, 1, numbers.campaign);
    for (const dimension of dimensions) {
      const breakdown = dimension < LINK_PLATFORM ? -1 : dimension < CAMPAIGN_PLATFORM ? ofLink : ofCampaign;
      const scope = click.environment_number * DIMENSIONS + dimension;
      const figure = this.#figure(scope, major(dimension, numbers), minor(dimension, numbers), breakdown);
      const at = figure * COUNT_WORDS;
      const counts = this.#counts;
      (counts[at] as number)++;
      (counts[at + 1] as number) += human;
      (counts[at + 2] as number) += 1 - ((seen >>> dimension) & 1);
      if (breakdown !== -1 || counts[at + 3] === 1) continue;
      counts[at + 3] = 1;
      this.#changed.push(figure);
    }
  }

  /** The figures that are rows and changed since they were taken. */
  takeFigures(): readonly Figure[] {
    const { words } = this.#figures;
    const counts = this.#counts;
    const figures = this.#changed.map((figure): Figure => {
      const scope = words[3 * figure] as number;
      const dimension = scope % DIMENSIONS;
      const at = figure * COUNT_WORDS;
      counts[at + 3] = 0;
      return {
        environment_number: (scope - dimension) / DIMENSIONS,
        dimension,
        ...this.#key(dimension, words[3 * figure + 1] as number, words[3 * figure + 2] as number),
        clicks: counts[at] as number,
        human: counts[at + 1] as number,
        visitors: counts[at + 2] as number,
      };
    });
    this.#changed = [];
    return figures;
  }

  /** The breakdowns that changed since they were taken. */
  takeBreakdowns(): readonly Breakdown[] {
    const { words } = this.#breakdowns;
    const breakdowns = [...this.#changedBreakdowns].map((breakdown): Breakdown => {
      const number = words[3 * breakdown + 2] as number;
      const isLink = words[3 * breakdown + 1] === 0;
      return {
        environment_number: words[3 * breakdown] as number,
        subject_id: isLink ? this.#subjects.text(number) : NO_SUBJECT,
        campaign: isLink ? '' : this.#campaigns.text(number),
        // Not kept as a text: it would be a tree of all its parts, ten times the size.
        figures: Buffer.from(this.#lines(breakdown), 'latin1'),
      };
    });
    this.#changedBreakdowns.clear();
    return breakdowns;
  }

  /** Takes what changed as stored. */
  forgetChanges(): void {
    for (const figure of this.#changed) this.#counts[figure * COUNT_WORDS + 3] = 0;
    this.#changed = [];
    this.#changedBreakdowns.clear();
  }

  #lines(breakdown: number): string {
    const { words } = this.#figures;
    const counts = this.#counts;
    let lines = '';
    for (let figure = this.#newestFigures[breakdown] as number; figure !== NO_FIGURE; ) {
      const at = figure * COUNT_WORDS;
      const dimension = (words[3 * figure] as number) % DIMENSIONS;
      const name = BREAKDOWN_DIMENSIONS[(dimension - LINK_PLATFORM) % BREAKDOWN_DIMENSIONS.length] as string;
      const value = this.#value(dimension, words[3 * figure + 2] as number);
      lines += `${lines === '' ? '' : '\n'}${name} ${counts[at]} ${counts[at + 1]} ${counts[at + 2]} ${value}`;
      figure = counts[at + 4] as number;
    }
    return lines;
  }

  #changeBreakdown(environmentNumber: number, kind: 0 | 1, number: number): number {
    const known = this.#breakdowns.size;
    const breakdown = this.#breakdowns.place(environmentNumber, kind, number);
    if (breakdown === known) {
      if (breakdown === this.#newestFigures.length) this.#newestFigures = grown(this.#newestFigures);
      this.#newestFigures[breakdown] = NO_FIGURE;
    }
    this.#changedBreakdowns.add(breakdown);
    return breakdown;
  }

  #read(click: CountedClick, hour: number): Numbers {
    const numbers = this.#click;
    numbers.isLink = click.is_link;
    if (click.is_link) numbers.subject = this.#subjects.number(click.subject_id);
    else {
      numbers.item = this.#items.number(click.resource_type_id + click.item_id);
      numbers.type = this.#typesOfItems[numbers.item] ??= this.#types.number(click.resource_type_id);
    }
    numbers.hour = hour;
    numbers.platform = this.#platforms.number(click.platform);
    numbers.country = this.#countries.number(click.country);
    numbers.referrer = this.#referrers.number(click.referrer_host);
    numbers.campaign = this.#campaigns.number(click.campaign);
    return numbers;
  }

  /** Returns, as bits, the dimensions in whose groups the visitor was seen before, and remembers him in all of them. */
  #see(click: CountedClick, numbers: Numbers, bits: number): number {
    const known = this.#visitors.size;
    const visitor = this.#visitors.place(click.environment_number, click.visitor_high, click.visitor_low);
    if (visitor === known) {
      if (visitor === this.#newestVisits.length) this.#newestVisits = grown(this.#newestVisits);
      this.#newestVisits[visitor] = NO_VISIT;
      this.#addVisit(visitor, numbers);
      return 0;
    }
    if (this.#newestVisits[visitor] === GROUPS_INSTEAD) return this.#seeGroups(visitor, numbers);
    let seen = 0;
    let visits = 0;
    for (let visit = this.#newestVisits[visitor] as number; visit !== NO_VISIT; visit = this.#visits[visit * VISIT_WORDS + 6] as number) {
      seen |= this.#common(visit * VISIT_WORDS, numbers);
      if ((seen & bits) === bits) return bits;
      visits++;
    }
    if (visits < VISITS_MAX) this.#addVisit(visitor, numbers);
    else this.#expand(visitor, numbers);
    return seen & bits;
  }

  #addVisit(visitor: number, numbers: Numbers): void {
    const visit = this.#visitCount++;
    const at = visit * VISIT_WORDS;
    if (at === this.#visits.length) this.#visits = grown(this.#visits);
    const visits = this.#visits;
    visits[at] = numbers.isLink ? numbers.subject : -1 - numbers.item;
    visits[at + 1] = numbers.hour;
    visits[at + 2] = numbers.platform;
    visits[at + 3] = numbers.country;
    visits[at + 4] = numbers.referrer;
    visits[at + 5] = numbers.campaign;
    visits[at + 6] = this.#newestVisits[visitor] as number;
    this.#newestVisits[visitor] = visit;
  }

  /** The dimensions in which the click belongs to a group of the visit, as bits. */
  #common(at: number, numbers: Numbers): number {
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
      if (this.#typesOfItems[-1 - target] === numbers.type) bits |= 1 << TYPE;
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

  /** Puts the groups of the visitor's visits in the place of the visits, and those of the click with them. */
  #expand(visitor: number, numbers: Numbers): void {
    const visited = new Numbers();
    for (let visit = this.#newestVisits[visitor] as number; visit !== NO_VISIT; visit = this.#visits[visit * VISIT_WORDS + 6] as number) {
      const [target = 0, hour = 0, platform = 0, country = 0, referrer = 0, campaign = 0] = this.#visits.subarray(visit * VISIT_WORDS);
      visited.isLink = target >= 0;
      if (visited.isLink) visited.subject = target;
      else {
        visited.item = -1 - target;
        visited.type = this.#typesOfItems[visited.item] as number;
      }
      Object.assign(visited, { hour, platform, country, referrer, campaign });
      this.#seeGroups(visitor, visited);
    }
    this.#newestVisits[visitor] = GROUPS_INSTEAD;
    this.#seeGroups(visitor, numbers);
  }

  #seeGroups(visitor: number, numbers: Numbers): number {
    let seen = 0;
    for (const dimension of kindOf(numbers).dimensions) {
      const known = this.#groups.size;
      const group = this.#groups.place(visitor, major(dimension, numbers) * DIMENSIONS + dimension, minor(dimension, numbers));
      if (group !== known) seen |= 1 << dimension;
    }
    return seen;
  }

  /** `breakdown` is what the figure is a line of, or -1. */
  #figure(scope: number, first: number, second: number, breakdown: number): number {
    const known = this.#figures.size;
    const figure = this.#figures.place(scope, first, second);
    if (figure !== known) return figure;
    const at = figure * COUNT_WORDS;
    if (at === this.#counts.length) this.#counts = grown(this.#counts);
    if (breakdown === -1) return figure;
    this.#counts[at + 4] = this.#newestFigures[breakdown] as number;
    this.#newestFigures[breakdown] = figure;
    return figure;
  }

  /** What the two numbers of a group stand for in its row. */
  #key(dimension: number, first: number, second: number): Pick<Figure, 'subject_id' | 'campaign' | 'value'> {
    if (dimension === CAMPAIGN_LINK) return { subject_id: this.#subjects.text(second), campaign: this.#campaigns.text(first), value: '' };
    const value = this.#value(dimension, second);
    if (dimension === CAMPAIGN) return { subject_id: NO_SUBJECT, campaign: this.#campaigns.text(first), value };
    if (dimension === LINK) return { subject_id: this.#subjects.text(first), campaign: '', value };
    if (dimension === TYPE || dimension === ITEM) return { subject_id: this.#types.text(first), campaign: '', value };
    return { subject_id: NO_SUBJECT, campaign: '', value };
  }

  #value(dimension: number, number: number): string {
    switch (dimension) {
      case HOUR:
        return String(number * QUARTER_SECONDS);
      case PLATFORM:
      case LINK_PLATFORM:
      case CAMPAIGN_PLATFORM:
        return this.#platforms.text(number);
      case COUNTRY:
      case LINK_COUNTRY:
      case CAMPAIGN_COUNTRY:
        return this.#countries.text(number);
      case REFERRER:
      case LINK_REFERRER:
      case CAMPAIGN_REFERRER:
        return this.#referrers.text(number);
      case ITEM:
        return this.#items.text(number).slice(16);
      default:
        return '';
    }
  }
}

function kindOf({ isLink, campaign }: Numbers): Kind {
  if (isLink) return campaign === 0 ? LINK_KIND : LINK_OF_CAMPAIGN_KIND;
  return campaign === 0 ? ITEM_KIND : ITEM_OF_CAMPAIGN_KIND;
}

/** What a group is of: the link, the type or the campaign; 0 for the groups of the environment. */
function major(dimension: number, numbers: Numbers): number {
  switch (dimension) {
    case LINK:
    case LINK_PLATFORM:
    case LINK_COUNTRY:
    case LINK_REFERRER:
      return numbers.subject;
    case TYPE:
    case ITEM:
      return numbers.type;
    case CAMPAIGN:
    case CAMPAIGN_PLATFORM:
    case CAMPAIGN_COUNTRY:
    case CAMPAIGN_REFERRER:
    case CAMPAIGN_LINK:
      return numbers.campaign;
    default:
      return 0;
  }
}

/** What tells it from the other groups of the same thing. */
function minor(dimension: number, numbers: Numbers): number {
  switch (dimension) {
    case HOUR:
      return numbers.hour;
    case PLATFORM:
    case LINK_PLATFORM:
    case CAMPAIGN_PLATFORM:
      return numbers.platform;
    case COUNTRY:
    case LINK_COUNTRY:
    case CAMPAIGN_COUNTRY:
      return numbers.country;
    case REFERRER:
    case LINK_REFERRER:
    case CAMPAIGN_REFERRER:
      return numbers.referrer;
    case ITEM:
      return numbers.item;
    case CAMPAIGN_LINK:
      return numbers.subject;
    default:
      return 0;
  }
}
