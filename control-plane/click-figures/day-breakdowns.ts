import { KEY_WORDS, KeyTable } from './key-table.js';

// Words of a figure beside its key: its three counts; of a line of a breakdown, the line before, one more than its number.
export const CLICKS = KEY_WORDS;
export const HUMAN = KEY_WORDS + 1;
export const VISITORS = KEY_WORDS + 2;
const LINE_BEFORE = KEY_WORDS + 3;
/** 0 if the figure has not changed since it was taken. Of a line, otherwise, the one that changed before, or `FIRST_CHANGED`. */
export const CHANGED = KEY_WORDS + 4;
export const FIGURE_WORDS = 5;
const FIRST_CHANGED = -1;

// Words of a breakdown beside its key. Lines by one more than their number; 0 stands for none.
const NEWEST_LINE = KEY_WORDS;
const CHANGED_LINE = KEY_WORDS + 1;
const LINES = KEY_WORDS + 2;
/** Number of its next change; 0 if it was not taken yet. */
const CHANGES = KEY_WORDS + 3;
const BREAKDOWN_WORDS = 4;

/** Breakdowns of so few lines are always taken as a whole. */
const FEW_LINES = 24;
/** After so many changes a breakdown is taken as a whole again: it is read by as many rows at most. */
const CHANGES_MAX = 16;

/** Whether a breakdown is of a link or a campaign. */
export const OF_LINK = 0;
export const OF_CAMPAIGN = 1;

/** Changed lines of a breakdown. */
export interface ChangedBreakdown {
  readonly environment_number: number;
  readonly kind: typeof OF_LINK | typeof OF_CAMPAIGN;
  /** Of the link or campaign. */
  readonly number: number;
  /** Figures. */
  readonly lines: readonly number[];
  /** Number of the change, from 1; 0 if these are all lines, which take the place of the changes there are. */
  readonly change: number;
}

/**
 * Breakdowns of a day: which figures are their lines, and which of these changed. A breakdown of many lines is taken as those
 * that changed; now and then, and the first time, as a whole.
 */
export class DayBreakdowns {
  readonly #figures: KeyTable;
  /** Environment, kind and number. */
  readonly #breakdowns = new KeyTable(BREAKDOWN_WORDS);
  #changed: number[] = [];

  /** `figures` have the words that are named above. */
  constructor(figures: KeyTable) {
    this.#figures = figures;
  }

  get bytes(): number {
    return this.#breakdowns.bytes;
  }

  place(environmentNumber: number, kind: number, number: number): number {
    return this.#breakdowns.place(environmentNumber, kind, number);
  }

  /** Makes a figure that is new a line of the breakdown. */
  add(breakdown: number, figure: number): void {
    const { words, stride } = this.#breakdowns;
    const at = breakdown * stride;
    this.#figures.words[figure * this.#figures.stride + LINE_BEFORE] = words[at + NEWEST_LINE] as number;
    words[at + NEWEST_LINE] = figure + 1;
    (words[at + LINES] as number)++;
  }

  /** Notes that a line of the breakdown has changed. */
  change(breakdown: number, figure: number): void {
    const changed = figure * this.#figures.stride + CHANGED;
    if (this.#figures.words[changed] !== 0) return;
    const { words, stride } = this.#breakdowns;
    const at = breakdown * stride + CHANGED_LINE;
    if (words[at] === 0) this.#changed.push(breakdown);
    this.#figures.words[changed] = words[at] === 0 ? FIRST_CHANGED : (words[at] as number);
    words[at] = figure + 1;
  }

  /** The breakdowns that changed since they were taken. */
  take(): readonly ChangedBreakdown[] {
    const { words, stride } = this.#breakdowns;
    const taken = this.#changed.map((breakdown): ChangedBreakdown => {
      const at = breakdown * stride;
      const changed = this.#takeChanged(at);
      const changes = words[at + CHANGES] as number;
      const whole = changes === 0 || changes > CHANGES_MAX || (words[at + LINES] as number) <= FEW_LINES;
      // After their first time not all are taken as a whole in one round.
      words[at + CHANGES] = !whole ? changes + 1 : changes === 0 ? 1 + (breakdown % CHANGES_MAX) : 1;
      const [environment_number = 0, kind = OF_LINK, number = 0] = words.subarray(at, at + KEY_WORDS);
      const lines = whole ? this.#lines(at) : changed;
      return { environment_number, kind: kind === OF_LINK ? OF_LINK : OF_CAMPAIGN, number, lines, change: whole ? 0 : changes };
    });
    this.#changed = [];
    return taken;
  }

  forgetChanges(): void {
    for (const breakdown of this.#changed) this.#takeChanged(breakdown * this.#breakdowns.stride);
    this.#changed = [];
  }

  #takeChanged(at: number): number[] {
    const { words, stride } = this.#figures;
    const lines: number[] = [];
    for (let line = this.#breakdowns.words[at + CHANGED_LINE] as number; line > 0; ) {
      const changed = (line - 1) * stride + CHANGED;
      lines.push(line - 1);
      line = words[changed] as number;
      words[changed] = 0;
    }
    this.#breakdowns.words[at + CHANGED_LINE] = 0;
    return lines;
  }

  #lines(at: number): number[] {
    const { words, stride } = this.#figures;
    const lines: number[] = [];
    for (let line = this.#breakdowns.words[at + NEWEST_LINE] as number; line > 0; line = words[(line - 1) * stride + LINE_BEFORE] as number)
      lines.push(line - 1);
    return lines;
  }
}
