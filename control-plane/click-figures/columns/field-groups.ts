import { CLICK_FILTERS, type ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { CountedGroup } from '../click-groups.js';
import type { Column } from './column.js';
import { ColumnCount, type Columns } from './column-count.js';
import { Dictionary } from './dictionary.js';

/** Of a field with more values, only the clicks without a value are kept. The others are counted from its column when they are asked for. */
const GROUPS_MAX = 1_000;

/** The clicks of a day by the values of a field. */
export interface GroupsOfField {
  readonly field: ClickFilter;
  /** Whether these are all groups. Otherwise, they are the one without a value, if any click has none. */
  readonly isWhole: boolean;
  readonly groups: readonly StoredGroup[];
}

/** A group as it is stored: its value, all clicks, those by people, and visitors. */
export type StoredGroup = readonly [value: string | null, all: number, human: number, unique: number];

/** Counts the clicks of a day by each field from its columns, part by part. */
export class FieldGroups {
  readonly #groupsMax: number;
  readonly #count = new ColumnCount({ conditions: [], keys: CLICK_FILTERS.map((field) => ({ field })) });
  /** Fields with too many values. */
  readonly #large = new Set<ClickFilter>();
  /** Fields of which some part has no column. */
  readonly #missing = new Set<ClickFilter>();

  constructor(groupsMax = GROUPS_MAX) {
    this.#groupsMax = groupsMax;
  }

  add(columns: Columns): void {
    const counted = new Map(columns);
    for (const field of CLICK_FILTERS) {
      const column = columns.get(field);
      if (column === undefined) this.#missing.add(field);
      else if (column.dictionary.size > this.#groupsMax) this.#large.add(field);
      if (column === undefined || this.#large.has(field)) counted.set(field, withOneValue(column, columns));
    }
    this.#count.add(counted);
  }

  ofFields(): readonly GroupsOfField[] {
    const all = this.#count.most(CLICK_FILTERS.map((field) => ({ key: { field }, limit: Number.MAX_SAFE_INTEGER })));
    return CLICK_FILTERS.flatMap((field, place) => {
      if (this.#missing.has(field)) return [];
      const groups = all[place] as readonly CountedGroup[];
      const isWhole = !this.#large.has(field) && groups.length <= this.#groupsMax;
      const kept = isWhole ? groups : groups.filter(({ value }) => value === null);
      return { field, isWhole, groups: kept.map(({ value, all, human, unique }): StoredGroup => [value, all, human, unique]) };
    });
  }
}

/** The column with one value in place of all others, so that it takes no memory to count the clicks without a value. */
function withOneValue(column: Column | undefined, columns: Columns): Column {
  if (column?.dictionary.hasNull)
    return { dictionary: Dictionary.ofTexts([''], true), codes: column.codes.map((code) => Math.min(code, 1)) };
  const { codes } = columns.get('bot') as Column;
  return { dictionary: Dictionary.ofTexts([''], false), codes: new Uint32Array(codes.length) };
}
