import { setImmediate } from 'node:timers/promises';
import type { CountedGroup, Grouping } from '../click-groups.js';
import { MEASURED_BY } from '../counts.js';
import { type PackedTexts, TextNumbers } from '../day-count/text-numbers.js';
import { firstOf } from '../group-order.js';
import type { Dictionary } from './dictionary.js';

// Words of a group. They are next to each other, so that counting a click waits for memory once.
const WORDS = 4;
const ALL = 0;
const HUMAN = 1;
const UNIQUE = 2;
/** The visitor of the last click by people. */
const LAST = 3;

const WORD_OF = { all: ALL, human: HUMAN, unique: UNIQUE } as const;

/** How often each group of a part was clicked on, by its place in the dictionary of the groups. */
export class PartCounts {
  readonly #words: Uint32Array;

  constructor(groups: number) {
    this.#words = new Uint32Array(groups * WORDS);
  }

  get size(): number {
    return this.#words.length / WORDS;
  }

  /** Counts a click. Visitors must come one after the other; 0 is a program. */
  add(group: number, visitor: number): void {
    const words = this.#words;
    const at = group * WORDS;
    words[at + ALL] = (words[at + ALL] as number) + 1;
    if (visitor === 0) return;
    words[at + HUMAN] = (words[at + HUMAN] as number) + 1;
    if (words[at + LAST] === visitor) return;
    words[at + LAST] = visitor;
    words[at + UNIQUE] = (words[at + UNIQUE] as number) + 1;
  }

  all(group: number): number {
    return this.#words[group * WORDS + ALL] as number;
  }

  human(group: number): number {
    return this.#words[group * WORDS + HUMAN] as number;
  }

  unique(group: number): number {
    return this.#words[group * WORDS + UNIQUE] as number;
  }
}

const GROUPS_AT_FIRST = 64;
/** Adding so many groups takes some 15 ms. */
const RESTING_AFTER = 32_768;
/** The counts of a group: `ALL`, `HUMAN` and `UNIQUE`. */
const SUMS = 3;
/** The number of the group without a value. Others have the number of their value plus 1. */
const NULL_GROUP = 0;

/** What `GroupSums` has, as a message can carry it. */
export interface PackedSums {
  readonly values: PackedTexts;
  readonly sums: Float64Array<ArrayBuffer>;
  readonly size: number;
}

/** Adds up the counts of groups, which are identified by their values as bytes. */
export class GroupSums {
  #values = new TextNumbers();
  /** The counts of each group, next to each other. */
  #sums = new Float64Array(GROUPS_AT_FIRST * SUMS);
  /** More than the largest number of a group. */
  #size = 1;

  get size(): number {
    return this.#size;
  }

  addPart(dictionary: Dictionary, counts: PartCounts): void {
    const { bytes } = dictionary;
    for (let place = 0; place < counts.size; place++) {
      if (counts.all(place) === 0) continue;
      const group = dictionary.isNull(place) ? NULL_GROUP : this.#values.number(bytes, dictionary.start(place), dictionary.end(place)) + 1;
      this.#add(group, counts.all(place), counts.human(place), counts.unique(place));
    }
  }

  /** These sums must not be used any more. */
  packed(): PackedSums {
    return { values: this.#values.packed(), sums: this.#sums, size: this.#size };
  }

  /** Adds other sums, those of fewer groups to those of more. It rests in between, because a group takes up to half a microsecond. */
  async addPacked(packed: PackedSums): Promise<void> {
    const others = packed.size > this.#size ? this.packed() : packed;
    if (others !== packed) [this.#values, this.#sums, this.#size] = [TextNumbers.of(packed.values), packed.sums, packed.size];
    const { sums, size } = others;
    const { bytes, ends } = others.values;
    for (let group = 0; group < size; group++) {
      if (group % RESTING_AFTER === RESTING_AFTER - 1) await setImmediate();
      const start = group < 2 ? 0 : (ends[group - 2] as number);
      const own = group === NULL_GROUP ? NULL_GROUP : this.#values.number(bytes, start, ends[group - 1] as number) + 1;
      const at = group * SUMS;
      this.#add(own, sums[at + ALL] as number, sums[at + HUMAN] as number, sums[at + UNIQUE] as number);
    }
  }

  /** Adds groups that were counted elsewhere. `bytesOf` returns the bytes of a value as dictionaries have them. */
  addGroups(groups: readonly CountedGroup[], bytesOf: (value: string) => Uint8Array): void {
    for (const { value, all, human, unique } of groups) {
      const bytes = value === null ? null : bytesOf(value);
      this.#add(bytes === null ? NULL_GROUP : this.#values.number(bytes, 0, bytes.length) + 1, all, human, unique);
    }
  }

  /** Returns the groups with the most clicks by the measure. `shown` is the inverse of `bytesOf`. */
  most({ limit, measure = 'human' }: Omit<Grouping, 'key'>, shown: (bytes: Buffer) => string): readonly CountedGroup[] {
    const groups: number[] = [];
    const sums = this.#sums;
    for (let group = 0; group < this.#size; group++) if ((sums[group * SUMS + ALL] as number) > 0) groups.push(group);
    // It is called for each group, of which there may be a million.
    const order = MEASURED_BY[measure].map((count) => WORD_OF[count]);
    const compare = (one: number, other: number): number => {
      for (const word of order) {
        const difference = (sums[other * SUMS + word] as number) - (sums[one * SUMS + word] as number);
        if (difference !== 0) return difference;
      }
      return this.#compareValues(one, other);
    };
    return firstOf(groups, limit, compare).map((group) => ({
      value: group === NULL_GROUP ? null : shown(this.#values.bytesOf(group - 1)),
      all: sums[group * SUMS + ALL] as number,
      human: sums[group * SUMS + HUMAN] as number,
      unique: sums[group * SUMS + UNIQUE] as number,
    }));
  }

  #compareValues(one: number, other: number): number {
    if (one === NULL_GROUP || other === NULL_GROUP) return Number(one === NULL_GROUP) - Number(other === NULL_GROUP);
    return this.#values.compare(one - 1, other - 1);
  }

  #add(group: number, all: number, human: number, unique: number): void {
    if (group >= this.#size) {
      this.#size = group + 1;
      while (this.#size * SUMS > this.#sums.length) {
        const larger = new Float64Array(this.#sums.length * 2);
        larger.set(this.#sums);
        this.#sums = larger;
      }
    }
    const sums = this.#sums;
    const at = group * SUMS;
    sums[at + ALL] = (sums[at + ALL] as number) + all;
    sums[at + HUMAN] = (sums[at + HUMAN] as number) + human;
    sums[at + UNIQUE] = (sums[at + UNIQUE] as number) + unique;
  }
}
