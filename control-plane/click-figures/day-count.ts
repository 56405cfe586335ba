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
  TYPE,
} from './click-numbers.js';
import { DayVisitors } from './day-visitors.js';
import { BREAKDOWN_DIMENSIONS } from './dimensions.js';
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

/** Numbers of a figure. */
const COUNT_WORDS = 5;
const NO_FIGURE = -1;
const AT_FIRST = 256;

/**
 * Counts the clicks of one day of projects, exactly: in every dimension all clicks, those of people, and their visitors. A
 * figure takes some 45 bytes, a visitor some 60 (`DayVisitors`).
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

  readonly #visitors = new DayVisitors(this.#typesOfItems);

  /** Environment and dimension, and the two numbers of the group. */
  readonly #figures = new KeyTable();
  /** By figure: clicks, human, visitors, 1 if they changed since they were taken; of the same breakdown the figure before, or -1. */
  #counts = new Int32Array(AT_FIRST * COUNT_WORDS);
  /** Figures that are rows and changed since they were taken. */
  #changed: number[] = [];
  /** Environment, whether it is of a link (0) or a campaign (1), and its number. */
  readonly #breakdowns = new KeyTable();
  /** By breakdown: its newest figure. */
  #newestFigures = new Int32Array(AT_FIRST);
  readonly #changedBreakdowns = new Set<number>();
  readonly #click = new ClickNumbers();

  constructor() {
    // What is not known has the number 0.
    for (const texts of [this.#countries, this.#referrers, this.#campaigns]) texts.number('');
  }

  /** What it takes of memory, beside its texts. */
  get bytes(): number {
    const tables = this.#visitors.bytes + this.#figures.bytes + this.#breakdowns.bytes;
    return tables + this.#counts.byteLength + this.#newestFigures.byteLength;
  }

  /** Whether figures changed since they were taken. */
  get hasChanged(): boolean {
    return this.#changed.length > 0;
  }

  /** Counts a click; `hour` is the quarter of an hour, of those since 1970, with which its hour begins. */
  add(click: CountedClick, hour: number): void {
    const numbers = this.#read(click, hour);
    const { dimensions, bits } = kindOf(numbers);
    const seen = click.bot ? bits : this.#visitors.see(click, numbers);
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

  #read(click: CountedClick, hour: number): ClickNumbers {
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
