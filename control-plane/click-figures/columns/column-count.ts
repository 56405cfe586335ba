import { QUARTER_SECONDS } from '../../local-days/quarters.js';
import type { ClickCondition, CountedGroup, Grouping, GroupKey } from '../click-groups.js';
import { bytesOf, type Column, type ColumnField, valueOfBytes } from './column.js';
import { Dictionary } from './dictionary.js';
import { GroupSums, PartCounts } from './group-sums.js';

/** Links that have tags now. */
export interface TaggedLinks {
  readonly links: Dictionary;
  /** The tags of each, by its place. */
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

const NO_TAGS: TaggedLinks = { links: Dictionary.of([], false), tags: [] };

/** Counts the clicks of parts by each key. A visitor counts once in each group of a part, and no part has visitors of another. */
export class ColumnCount {
  readonly #conditions: readonly ClickCondition[];
  readonly #keys: readonly GroupKey[];
  readonly #tagged: TaggedLinks;
  readonly #sums: readonly GroupSums[];
  readonly #selected = new SelectedClicks();
  #replaced = new Uint32Array(0);

  /** `tagged` is only needed if tags are counted. */
  constructor({ conditions, keys }: ColumnsCounted, tagged = NO_TAGS) {
    this.#conditions = conditions;
    this.#keys = keys;
    this.#tagged = tagged;
    this.#sums = keys.map(() => new GroupSums());
  }

  /** The largest number of groups by one of the keys. */
  get size(): number {
    return Math.max(...this.#sums.map(({ size }) => size));
  }

  add(columns: Columns): void {
    const selected = this.#selected.select(columns, this.#conditions, this.#tagged);
    if (selected === null) return;
    for (const [place, key] of this.#keys.entries()) {
      const grouped = this.#groupedBy(key, columns);
      (this.#sums[place] as GroupSums).addPart(grouped.groups, countGroups(selected, grouped));
    }
  }

  #groupedBy(key: GroupKey, columns: Columns): Grouped {
    if (key === 'nothing') return { groups: WHOLE, codes: null, sets: null };
    const { dictionary, codes } = columnIn(columns, columnOf(key));
    if (key === 'item of type' || 'field' in key) return { groups: dictionary, codes, sets: null };
    if ('starts' in key) {
      const groups = Dictionary.ofTexts(
        Array.from({ length: key.starts.length + 1 }, (_, period) => String(period)),
        false,
      );
      return { groups, codes: this.#replace(codes, periodsOf(dictionary, key.starts)), sets: null };
    }
    const { tags, setOf, sets } = tagSets(dictionary, this.#tagged);
    return { groups: Dictionary.ofTexts(tags, true), codes: this.#replace(codes, setOf), sets };
  }

  /** Returns other codes for the clicks. They are overwritten by the next ones. */
  #replace(codes: Uint32Array, by: Uint32Array): Uint32Array {
    if (this.#replaced.length < codes.length) this.#replaced = new Uint32Array(codes.length);
    const others = this.#replaced;
    for (let click = 0; click < codes.length; click++) others[click] = by[codes[click] as number] as number;
    return others;
  }

  /** Adds groups of other clicks by each key. */
  addGroups(groups: readonly (readonly CountedGroup[])[]): void {
    for (const [place, key] of this.#keys.entries()) {
      const field = fieldOf(key);
      (this.#sums[place] as GroupSums).addGroups(groups[place] ?? [], (value) => bytesOf(field, value));
    }
  }

  /** Returns the groups of each grouping, which are those of the keys, with the most clicks. */
  most(groupings: readonly Grouping[]): readonly (readonly CountedGroup[])[] {
    return groupings.map((grouping, place) => {
      const field = fieldOf(grouping.key);
      return (this.#sums[place] as GroupSums).most(grouping, (bytes) => valueOfBytes(field, bytes));
    });
  }
}

/** A field whose dictionaries have values as the groups of the key have them. */
function fieldOf(key: GroupKey): ColumnField {
  return typeof key === 'object' && 'field' in key ? key.field : 'item';
}

/** Clicks by the groups in which they count. */
interface Grouped {
  readonly groups: Dictionary;
  /** For each click, its group or its set of groups; null if there is one group. */
  readonly codes: Uint32Array | null;
  /** The groups of each set; null if each click is in one group. */
  readonly sets: readonly (readonly number[])[] | null;
}

function columnIn(columns: Columns, field: ColumnField): Column {
  const column = columns.get(field);
  if (column === undefined) throw new TypeError(`The column ${field} was not read.`);
  return column;
}

const WHOLE = Dictionary.ofTexts([''], false);

/** The period of each quarter of an hour: the position, starting at 1, of the last of the `starts` that is not after it; 0 if all are. */
function periodsOf(quarters: Dictionary, starts: readonly string[]): Uint32Array {
  const instants = starts.map((start) => Date.parse(start));
  return Uint32Array.from({ length: quarters.size }, (_, place) => {
    const at = Number(quarters.value(place)?.toString()) * QUARTER_SECONDS * 1000;
    return instants.findLastIndex((start) => start <= at) + 1;
  });
}

interface TagSets {
  readonly tags: readonly string[];
  /** The set of each link. */
  readonly setOf: Uint32Array;
  /** The groups of each set: the tags by their number from 1, and 0 for links without tags and anything but links. */
  readonly sets: readonly (readonly number[])[];
}

function tagSets(links: Dictionary, tagged: TaggedLinks): TagSets {
  const numbers = new Map<string, number>();
  const sets: (readonly number[])[] = [[0]];
  const setOf = new Uint32Array(links.size);
  links.match(tagged.links, (index, place) => {
    const own = (tagged.tags[index] as readonly string[]).map((tag) => {
      const number = numbers.get(tag) ?? numbers.size + 1;
      numbers.set(tag, number);
      return number;
    });
    setOf[place] = sets.push(own) - 1;
  });
  return { tags: [...numbers.keys()], setOf, sets };
}

/** The clicks of a part that meet the conditions, in the order of the columns. It is filled again for each part. */
class SelectedClicks {
  length = 0;
  /** Their places in the columns; null if these are all clicks. */
  places: Uint32Array | null = null;
  /** The number of each one's visitor in the part, from 1; 0 for a click by a program. */
  visitors = new Uint32Array(0);
  #places = new Uint32Array(0);

  /** Returns null if no click meets the conditions. */
  select(columns: Columns, conditions: readonly ClickCondition[], tagged: TaggedLinks): this | null {
    const first = columnIn(columns, 'visitor').codes;
    if (this.visitors.length < first.length) {
      this.visitors = new Uint32Array(first.length);
      this.#places = new Uint32Array(first.length);
    }
    this.length = first.length;
    this.places = null;
    for (const condition of conditions) if (!this.#meet(condition, columns, tagged)) return null;
    this.#number(first, columnIn(columns, 'bot').codes);
    return this;
  }

  #meet(condition: ClickCondition, columns: Columns, tagged: TaggedLinks): boolean {
    // The clicks of columns are those that sums include.
    if (condition === 'counted') return true;
    if (condition === 'never') return false;
    const { dictionary, codes } = columnIn(columns, 'tagOf' in condition ? 'link' : condition.field);
    const met = valuesMeeting(condition, dictionary, tagged);
    if (!met.includes(1)) return false;
    const { length, places } = this;
    const kept = this.#places;
    let left = 0;
    // Each click is written, and overwritten by the next one if it does not meet the condition: a processor cannot predict which will.
    if (places === null)
      for (let place = 0; place < length; place++) {
        kept[left] = place;
        left += met[codes[place] as number] as number;
      }
    else
      for (let click = 0; click < length; click++) {
        const place = places[click] as number;
        kept[left] = place;
        left += met[codes[place] as number] as number;
      }
    this.places = kept;
    this.length = left;
    return true;
  }

  #number(first: Uint32Array, bots: Uint32Array): void {
    const { length, places, visitors } = this;
    let visitor = 0;
    if (places === null) {
      for (let click = 0; click < length; click++) {
        visitor += first[click] as number;
        visitors[click] = visitor * (1 - (bots[click] as number));
      }
      return;
    }
    let at = 0;
    for (let click = 0; click < length; click++) {
      const place = places[click] as number;
      while (at <= place) visitor += first[at++] as number;
      visitors[click] = visitor * (1 - (bots[place] as number));
    }
  }
}

/** Returns 1 for each place of the dictionary whose value meets the condition. */
function valuesMeeting(condition: Exclude<ClickCondition, string>, dictionary: Dictionary, { links, tags }: TaggedLinks): Uint8Array {
  const met = new Uint8Array(dictionary.size);
  if ('tagOf' in condition) {
    const { tag } = condition;
    if (tag === null) met.fill(1);
    dictionary.match(links, (index, place) => {
      if (tag === null || tags[index]?.includes(tag)) met[place] = Number(tag !== null);
    });
    return met;
  }
  const { field } = condition;
  for (const value of 'among' in condition ? condition.among : [condition.value]) {
    const bytes = value === null ? null : bytesOf(field, value);
    if (field === 'item' && bytes !== null) markItems(met, dictionary, bytes);
    else {
      const place = dictionary.place(bytes);
      if (place !== -1) met[place] = 1;
    }
  }
  return met;
}

const SLASH = 0x2f;

/** Marks the items with the id, of any type. */
function markItems(met: Uint8Array, items: Dictionary, id: Buffer): void {
  for (let place = Number(items.hasNull); place < met.length; place++) {
    const from = items.bytes.indexOf(SLASH, items.start(place)) + 1;
    if (items.end(place) - from === id.length && items.bytes.compare(id, 0, id.length, from, items.end(place)) === 0) met[place] = 1;
  }
}

function countGroups(selected: SelectedClicks, { groups: { size }, codes, sets }: Grouped): PartCounts {
  const { length, places, visitors } = selected;
  const counts = new PartCounts(size);
  if (codes === null) for (let click = 0; click < length; click++) counts.add(0, visitors[click] as number);
  else if (sets !== null) countSets(counts, selected, codes, sets);
  else if (places === null) for (let click = 0; click < length; click++) counts.add(codes[click] as number, visitors[click] as number);
  else for (let click = 0; click < length; click++) counts.add(codes[places[click] as number] as number, visitors[click] as number);
  return counts;
}

/** Counts each click in each group of its set. Most sets have one group. */
function countSets(counts: PartCounts, selected: SelectedClicks, codes: Uint32Array, sets: readonly (readonly number[])[]): void {
  const { length, places, visitors } = selected;
  const only = Int32Array.from(sets, (set) => (set.length === 1 ? (set[0] as number) : -1));
  for (let click = 0; click < length; click++) {
    const set = codes[places === null ? click : (places[click] as number)] as number;
    const group = only[set] as number;
    if (group !== -1) counts.add(group, visitors[click] as number);
    else for (const each of sets[set] as readonly number[]) counts.add(each, visitors[click] as number);
  }
}
