import { invariant } from '../../../shared/base/invariant.js';
import { QUARTER_SECONDS } from '../../local-days/quarters.js';
import { type ClickCondition, type CountedGroup, type GroupKey, typedItem } from '../click-groups.js';
import type { Column, ColumnField, ColumnValue, Dictionary } from './column.js';
import { UuidDictionary } from './dictionaries.js';

/** Links that have tags now. */
export interface TaggedLinks {
  /** Their `uuid`, 16 bytes each, in ascending order. */
  readonly uuids: Buffer;
  /** The tags of each, in the same order. */
  readonly tags: readonly (readonly string[])[];
}

export type Columns = ReadonlyMap<ColumnField, Column>;

interface ColumnsCounted {
  readonly conditions: readonly ClickCondition[];
  readonly keys: readonly GroupKey[];
}

/** The columns that are needed to count. */
export function columnsNeeded({ conditions, keys }: ColumnsCounted): readonly ColumnField[] {
  const fields = new Set<ColumnField>(['visitor', 'bot']);
  for (const condition of conditions) if (typeof condition === 'object') fields.add('tagOf' in condition ? 'link' : condition.field);
  for (const key of keys) if (key !== 'nothing') fields.add(columnOf(key));
  return [...fields];
}

function columnOf(key: Exclude<GroupKey, 'nothing'>): ColumnField {
  if (key === 'item of type') return 'item';
  if ('field' in key) return key.field;
  return 'tagsOf' in key ? 'link' : 'quarter';
}

type Sums = Map<string | null, { all: number; human: number; unique: number }>;

/** Counts the clicks of parts by each key. A visitor counts once in each group of a part, and no part has visitors of another. */
export class ColumnCount {
  readonly #conditions: readonly ClickCondition[];
  readonly #keys: readonly GroupKey[];
  readonly #tagged: TaggedLinks;
  readonly #sums: readonly Sums[];

  /** `tagged` is only needed if tags are counted. */
  constructor({ conditions, keys }: ColumnsCounted, tagged: TaggedLinks = { uuids: Buffer.alloc(0), tags: [] }) {
    this.#conditions = conditions;
    this.#keys = keys;
    this.#tagged = tagged;
    this.#sums = keys.map(() => new Map());
  }

  /** The largest number of groups by one of the keys. */
  get size(): number {
    return Math.max(...this.#sums.map(({ size }) => size));
  }

  add(columns: Columns): void {
    const selected = selectClicks(columns, this.#conditions, this.#tagged);
    if (selected === null) return;
    for (const [place, key] of this.#keys.entries()) {
      const grouped = groupedBy(key, columns, this.#tagged);
      addUp(this.#sums[place] as Sums, grouped, countGroups(selected, grouped));
    }
  }

  /** The groups by each key, in no order. */
  groups(): readonly (readonly CountedGroup[])[] {
    return this.#sums.map((sums) => [...sums].map(([value, sum]) => ({ value, ...sum })));
  }
}

function addUp(sums: Sums, { size, value }: Grouped, counts: CountsOfGroups): void {
  for (let group = 0; group < size; group++) {
    const all = counts.all[group] as number;
    if (all === 0) continue;
    const [human, unique] = [counts.human[group] as number, counts.unique[group] as number];
    const key = value(group);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { all, human, unique });
    else {
      sum.all += all;
      sum.human += human;
      sum.unique += unique;
    }
  }
}

/** Clicks by the groups in which they count. */
interface Grouped {
  /** The number of groups. */
  readonly size: number;
  readonly value: (group: number) => string | null;
  /** For each click, its group or its set of groups. */
  readonly codes: Uint32Array;
  /** The groups of each set; null if each click is in one group. */
  readonly sets: readonly (readonly number[])[] | null;
}

function columnIn(columns: Columns, field: ColumnField): Column {
  const column = columns.get(field);
  if (column === undefined) throw new TypeError(`The column ${field} was not read.`);
  return column;
}

function groupedBy(key: GroupKey, columns: Columns, tagged: TaggedLinks): Grouped {
  if (key === 'nothing') return { size: 1, value: () => '', codes: new Uint32Array(columnIn(columns, 'bot').codes.length), sets: null };
  const { dictionary, codes } = columnIn(columns, columnOf(key));
  if (key === 'item of type' || 'field' in key)
    return { size: dictionary.size, value: (place) => dictionary.value(place) as string | null, codes, sets: null };
  if ('starts' in key) {
    const value = (period: number) => String(period);
    return { size: key.starts.length + 1, value, codes: replaced(codes, periodsOf(dictionary, key.starts)), sets: null };
  }
  const { tags, setOf, sets } = tagSets(dictionary, tagged);
  return { size: tags.length, value: (group) => tags[group] as string | null, codes: replaced(codes, setOf), sets };
}

function replaced(codes: Uint32Array, by: Uint32Array): Uint32Array {
  const others = new Uint32Array(codes.length);
  for (let click = 0; click < codes.length; click++) others[click] = by[codes[click] as number] as number;
  return others;
}

/** The period of each quarter of an hour: the position, starting at 1, of the last of the `starts` that is not after it; 0 if all are. */
function periodsOf(quarters: Dictionary, starts: readonly string[]): Uint32Array {
  const instants = starts.map((start) => Date.parse(start));
  return Uint32Array.from({ length: quarters.size }, (_, place) => {
    const at = Number(quarters.value(place)) * QUARTER_SECONDS * 1000;
    return instants.findLastIndex((start) => start <= at) + 1;
  });
}

interface TagSets {
  /** The tags, and null for clicks on links without tags and on anything but links. */
  readonly tags: readonly (string | null)[];
  /** The set of each link. */
  readonly setOf: Uint32Array;
  /** The places of the tags of each set. */
  readonly sets: readonly (readonly number[])[];
}

function tagSets(links: Dictionary, tagged: TaggedLinks): TagSets {
  const tags: (string | null)[] = [null];
  const places = new Map<string, number>();
  const sets: (readonly number[])[] = [[0]];
  const setOf = new Uint32Array(links.size);
  uuidsOf(links).match(tagged.uuids, (index, place) => {
    const own = (tagged.tags[index] as readonly string[]).map((tag) => {
      const known = places.get(tag) ?? tags.push(tag) - 1;
      places.set(tag, known);
      return known;
    });
    setOf[place] = sets.push(own) - 1;
  });
  return { tags, setOf, sets };
}

function uuidsOf(links: Dictionary): UuidDictionary {
  invariant(links instanceof UuidDictionary, 'links are stored by uuid');
  return links;
}

/** Clicks that meet the conditions, in the order of the columns. */
interface SelectedClicks {
  readonly length: number;
  /** Their places in the columns. */
  readonly places: Uint32Array;
  /** The number of each one's visitor in the part, from 1; 0 for a click by a program. */
  readonly visitors: Uint32Array;
}

/** Null if no click meets the conditions. */
function selectClicks(columns: Columns, conditions: readonly ClickCondition[], tagged: TaggedLinks): SelectedClicks | null {
  const first = columnIn(columns, 'visitor').codes;
  const bots = columnIn(columns, 'bot').codes;
  let length = first.length;
  const places = new Uint32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  for (const condition of conditions) {
    // The clicks of columns are those that sums include.
    if (condition === 'counted') continue;
    if (condition === 'never') return null;
    const { dictionary, codes } = columnIn(columns, 'tagOf' in condition ? 'link' : condition.field);
    const met = valuesMeeting(condition, dictionary, tagged);
    if (!met.includes(1)) return null;
    let left = 0;
    // Each click is written, and overwritten by the next one if it does not meet the condition: a processor cannot predict which will.
    for (let click = 0; click < length; click++) {
      const place = places[click] as number;
      places[left] = place;
      left += met[codes[place] as number] as number;
    }
    length = left;
  }
  const visitors = new Uint32Array(length);
  let visitor = 0;
  let at = 0;
  for (let click = 0; click < length; click++) {
    const place = places[click] as number;
    while (at <= place) visitor += first[at++] as number;
    visitors[click] = visitor * (1 - (bots[place] as number));
  }
  return { length, places, visitors };
}

/** Returns 1 for each place of the dictionary whose value meets the condition. */
function valuesMeeting(condition: Exclude<ClickCondition, string>, dictionary: Dictionary, { uuids, tags }: TaggedLinks): Uint8Array {
  const met = new Uint8Array(dictionary.size);
  if ('tagOf' in condition) {
    const { tag } = condition;
    if (tag === null) met.fill(1);
    uuidsOf(dictionary).match(uuids, (index, place) => {
      if (tag === null || tags[index]?.includes(tag)) met[place] = Number(tag !== null);
    });
    return met;
  }
  const wanted: readonly ColumnValue[] = 'among' in condition ? condition.among : [condition.value];
  if (condition.field === 'item') {
    const items = new Set(wanted);
    for (let place = 0; place < met.length; place++) met[place] = Number(items.has(itemOf(dictionary.value(place))));
    return met;
  }
  for (const value of wanted) {
    const place = dictionary.place(value);
    if (place !== -1) met[place] = 1;
  }
  return met;
}

function itemOf(value: ColumnValue): string | null {
  return value === null ? null : typedItem(String(value)).item;
}

interface CountsOfGroups {
  readonly all: Uint32Array;
  readonly human: Uint32Array;
  readonly unique: Uint32Array;
}

function countGroups({ length, places, visitors }: SelectedClicks, { size, codes, sets }: Grouped): CountsOfGroups {
  const [all, human, unique] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)];
  /** The last visitor of each group. */
  const last = new Uint32Array(size);
  const count = (group: number, visitor: number) => {
    all[group] = (all[group] as number) + 1;
    if (visitor === 0) return;
    human[group] = (human[group] as number) + 1;
    if (last[group] === visitor) return;
    last[group] = visitor;
    unique[group] = (unique[group] as number) + 1;
  };
  if (sets === null)
    for (let click = 0; click < length; click++) count(codes[places[click] as number] as number, visitors[click] as number);
  else
    for (let click = 0; click < length; click++)
      for (const group of sets[codes[places[click] as number] as number] as readonly number[]) count(group, visitors[click] as number);
  return { all, human, unique };
}
