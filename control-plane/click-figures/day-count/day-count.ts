import { QUARTER_SECONDS } from '../../local-days/quarters.js';
import { BREAKDOWN_DIMENSIONS } from '../dimensions.js';
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
import { CHANGED, CLICKS, DayBreakdowns, FIGURE_WORDS, HUMAN, OF_CAMPAIGN, OF_LINK, VISITORS } from './day-breakdowns.js';
import { KeyTable } from './key-table.js';
import { type CountedClick, TEXT } from './logged-clicks.js';
import { TextNumbers } from './text-numbers.js';
import { UniqueVisitors } from './unique-visitors.js';

/** A figure. Texts hold UTF-8 with one character per byte; a `uuid` is a text of its 16 bytes. */
export interface Figure {
  readonly environment_number: number;
  /** Index in `DIMENSION_NAMES`. */
  readonly dimension: number;
  readonly subject_id: string;
  readonly campaign: string;
  readonly value: string;
  readonly clicks: number;
  readonly human: number;
  readonly visitors: number;
}

/** Clicks of one link or campaign by platform, country and referrer. Texts as in `Figure`. */
export interface Breakdown {
  readonly environment_number: number;
  readonly subject_id: string;
  readonly campaign: string;
  /** UTF-8, with one line per figure: dimension, clicks, human, visitors, value. */
  readonly figures: Buffer;
  /** 0 if these are all lines; otherwise the number of this change of the breakdown, starting at 1. */
  readonly change: number;
}

/** `uuid` of sixteen zeros. */
const NO_SUBJECT = '\0'.repeat(16);

const NOTHING = new Uint8Array(0);

/**
 * Counts the clicks of one day exactly. In every dimension it counts all clicks, clicks by people, and their unique visitors. A
 * figure takes about 50 bytes, a visitor about 60 (`UniqueVisitors`).
 */
export class DayCount {
  readonly #subjects = new TextNumbers();
  readonly #types = new TextNumbers();
  readonly #itemTexts = new TextNumbers();
  /** Type and text of each item. */
  readonly #items = new KeyTable();
  readonly #platforms = new TextNumbers();
  readonly #countries = new TextNumbers();
  readonly #referrers = new TextNumbers();
  readonly #campaigns = new TextNumbers();

  readonly #visitors = new UniqueVisitors(this.#items);

  /** Keyed by environment and dimension combined, and the two numbers of the group. */
  readonly #figures = new KeyTable(FIGURE_WORDS);
  /** Figures that are rows and changed since they were taken. */
  #changed: number[] = [];
  readonly #breakdowns = new DayBreakdowns(this.#figures);
  readonly #click = new ClickNumbers();

  constructor() {
    // An unknown value has the number 0.
    for (const texts of [this.#countries, this.#referrers, this.#campaigns]) texts.number(NOTHING, 0, 0);
  }

  /** Memory use in bytes. */
  get bytes(): number {
    const parts = [this.#visitors, this.#figures, this.#breakdowns, this.#items, this.#subjects, this.#itemTexts, this.#referrers];
    return parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether figures changed since they were taken. */
  get hasChanged(): boolean {
    return this.#changed.length > 0;
  }

  /** Counts a click. `hour` is the beginning of its hour, as a number of quarter-hours since 1970. */
  add(click: CountedClick, hour: number): void {
    const numbers = this.#read(click, hour);
    const { dimensions, bits } = kindOf(numbers);
    const seen = click.bot ? bits : this.#visitors.see(click, numbers);
    const human = click.bot ? 0 : 1;
    const ofLink = numbers.isLink ? this.#breakdowns.place(click.environment_number, OF_LINK, numbers.subject) : -1;
    const ofCampaign = numbers.campaign === 0 ? -1 : this.#breakdowns.place(click.environment_number, OF_CAMPAIGN, numbers.campaign);
    for (const dimension of dimensions) {
      const breakdown = dimension < LINK_PLATFORM ? -1 : dimension < CAMPAIGN_PLATFORM ? ofLink : ofCampaign;
      const scope = click.environment_number * DIMENSIONS + dimension;
      const figure = this.#figure(scope, major(dimension, numbers), minor(dimension, numbers), breakdown);
      const { words, stride } = this.#figures;
      const at = figure * stride;
      (words[at + CLICKS] as number)++;
      (words[at + HUMAN] as number) += human;
      (words[at + VISITORS] as number) += 1 - ((seen >>> dimension) & 1);
      if (breakdown !== -1) this.#breakdowns.change(breakdown, figure);
      else if (words[at + CHANGED] === 0) {
        words[at + CHANGED] = 1;
        this.#changed.push(figure);
      }
    }
  }

  /** The figures that are rows and changed since they were taken. */
  takeFigures(): readonly Figure[] {
    const { words, stride } = this.#figures;
    const figures = this.#changed.map((figure): Figure => {
      const at = figure * stride;
      const scope = words[at] as number;
      const dimension = scope % DIMENSIONS;
      words[at + CHANGED] = 0;
      return {
        environment_number: (scope - dimension) / DIMENSIONS,
        dimension,
        ...this.#key(dimension, words[at + 1] as number, words[at + 2] as number),
        clicks: words[at + CLICKS] as number,
        human: words[at + HUMAN] as number,
        visitors: words[at + VISITORS] as number,
      };
    });
    this.#changed = [];
    return figures;
  }

  /** The changes of breakdowns since they were taken. */
  takeBreakdowns(): readonly Breakdown[] {
    return this.#breakdowns.take().map(
      ({ environment_number, kind, number, lines, change }): Breakdown => ({
        environment_number,
        subject_id: kind === OF_LINK ? this.#subjects.text(number) : NO_SUBJECT,
        campaign: kind === OF_LINK ? '' : this.#campaigns.text(number),
        // A string would be a tree of all its parts, ten times the size.
        figures: Buffer.from(lines.map((figure) => this.#line(figure)).join('\n'), 'latin1'),
        change,
      }),
    );
  }

  /** Marks all changes as stored. */
  forgetChanges(): void {
    for (const figure of this.#changed) this.#figures.words[figure * this.#figures.stride + CHANGED] = 0;
    this.#changed = [];
    this.#breakdowns.forgetChanges();
  }

  #line(figure: number): string {
    const { words, stride } = this.#figures;
    const at = figure * stride;
    const dimension = (words[at] as number) % DIMENSIONS;
    const name = BREAKDOWN_DIMENSIONS[(dimension - LINK_PLATFORM) % BREAKDOWN_DIMENSIONS.length];
    return `${name} ${words[at + CLICKS]} ${words[at + HUMAN]} ${words[at + VISITORS]} ${this.#value(dimension, words[at + 2] as number)}`;
  }

  #read(click: CountedClick, hour: number): ClickNumbers {
    const numbers = this.#click;
    numbers.isLink = click.is_link;
    if (click.is_link) numbers.subject = numberOf(this.#subjects, click, TEXT.subject_id);
    else {
      numbers.type = numberOf(this.#types, click, TEXT.resource_type_id);
      numbers.item = this.#items.place(numbers.type, numberOf(this.#itemTexts, click, TEXT.item_id), 0);
    }
    numbers.hour = hour;
    numbers.platform = numberOf(this.#platforms, click, TEXT.platform);
    numbers.country = numberOf(this.#countries, click, TEXT.country);
    numbers.referrer = numberOf(this.#referrers, click, TEXT.referrer_host);
    numbers.campaign = numberOf(this.#campaigns, click, TEXT.campaign);
    return numbers;
  }

  /** `breakdown` is the breakdown of which the figure is a line, or -1. */
  #figure(scope: number, first: number, second: number, breakdown: number): number {
    const known = this.#figures.size;
    const figure = this.#figures.place(scope, first, second);
    if (figure !== known || breakdown === -1) return figure;
    this.#breakdowns.add(breakdown, figure);
    return figure;
  }

  /** The key columns that the two numbers of a group stand for. */
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
        return this.#itemTexts.text(this.#items.words[number * this.#items.stride + 1] as number);
      default:
        return '';
    }
  }
}

function numberOf(texts: TextNumbers, { bytes, starts, ends }: CountedClick, text: number): number {
  return texts.number(bytes, starts[text] as number, ends[text] as number);
}
