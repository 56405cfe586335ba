import { KEY_WORDS, KeyTable } from './key-table.js';

// Words of a figure after its key: its three counts and, for a line of a breakdown, the number of the line before plus 1.
export const CLICKS = KEY_WORDS;
export const HUMAN = KEY_WORDS + 1;
export const VISITORS = KEY_WORDS + 2;
const LINE_BEFORE = KEY_WORDS + 3;
/** 0 if the figure did not change since it was taken. Otherwise, for a line: the line that changed before it plus 1, or `FIRST_CHANGED`. */
export const CHANGED = KEY_WORDS + 4;
export const FIGURE_WORDS = 5;
const FIRST_CHANGED = -1;

// Words of a breakdown after its key. Lines are stored as their number plus 1; 0 means none.
const NEWEST_LINE = KEY_WORDS;
const CHANGED_LINE = KEY_WORDS + 1;
const LINES = KEY_WORDS + 2;
/** Number of its next change; 0 if it has not been taken yet. */
const CHANGES = KEY_WORDS + 3;
const BREAKDOWN_WORDS = 4;

/** Breakdowns with at most this many lines are always taken as a whole. */
const FEW_LINES = 24;
/** After this many changes a breakdown is taken as a whole again, which bounds the number of rows to read for it. */
const CHANGES_MAX = 16;

/** Kinds of breakdowns: of a link, or of a campaign. */
export const OF_LINK = 0;
export const OF_CAMPAIGN = 1;

/** Changed lines of a breakdown. */
export interface ChangedBreakdown {
  readonly environment_number: number;
  readonly kind: typeof OF_LINK | typeof OF_CAMPAIGN;
  /** Of the link or campaign. */
  readonly number: number;
  /** Places of the figures in the table of figures. */
  readonly lines: readonly number[];
  /** Number of the change, starting at 1; 0 if these are all lines, which replace all earlier changes. */
  readonly change: number;
}

/**
 * Breakdowns of a day: which figures are their lines, and which of these changed. Of a breakdown with many lines only the changed ones
 * are taken, except the first time and now and then, when it is taken as a whole.
 */
export class DayBreakdowns {
  readonly #figures: KeyTable;
  /** Keyed by environment, kind and number. */
  readonly #breakdowns = new KeyTable(BREAKDOWN_WORDS);
  #changed: number[] = [];

  /** The entries of `figures` have the words named above. */
  constructor(figures: KeyTable) {
    this.#figures = figures;
  }

  get bytes(): number {
    return this.#breakdowns.bytes;
  }

  place(environmentNumber: number, kind: number, number: number): number {
    return this.#breakdowns.place(environmentNumber, kind, number);
  }

  /** Makes a new figure a line of the breakdown. */
  add(breakdown: number, figure: number): void {
    const { words, stride } = this.#breakdowns;
    const at = breakdown * stride;
    this.#figures.words[figure * this.#figures.stride + LINE_BEFORE] = words[at + NEWEST_LINE] as number;
    words[at + NEWEST_LINE] = figure + 1;
    (words[at + LINES] as number)++;
  }

  /** Records that a line of the breakdown has changed. */
  change(breakdown: number, figure: number): void {
    const changed = figure * this.#figures.stride + CHANGED;
    if (this.#figures.words[changed] !== 0) return;
    const { words, stride } = this.#breakdowns;
    const at = breakdown * stride + CHANGED_LINE;
    if (words[at] === 0) this.#changed.push(breakdown);
    this.#figures.words[changed] = words[at] === 0 ? FIRST_CHANGED : (words[at] as number);
    words[at] = figure + 1;
  }

  /** Returns the breakdowns that changed since they were taken. */
  take(): readonly ChangedBreakdown[] {
    const { words, stride } = this.#breakdowns;
    const taken = this.#changed.map((breakdown): ChangedBreakdown => {
      const at = breakdown * stride;
      const changed = this.#takeChanged(at);
      const changes = words[at + CHANGES] as number;
      const whole = changes === 0 || changes > CHANGES_MAX || (words[at + LINES] as number) <= FEW_LINES;
      // Staggered, so that after their first time not all are taken as a whole in the same round.
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
