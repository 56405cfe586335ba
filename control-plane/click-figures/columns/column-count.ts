import { QUARTER_SECONDS } from '../../local-days/quarters.js';
import type { ClickCondition, CountedGroup, Grouping, GroupKey } from '../click-groups.js';
import { bytesOf, type Column, type ColumnField, valueOfBytes } from './column.js';
import { Dictionary } from './dictionary.js';
import { GroupSums, type PackedSums, PartCounts } from './group-sums.js';
import { hasTag, type LinkTags, NO_TAGS } from './link-tags.js';

export type Columns = ReadonlyMap<ColumnField, Column>;

/** What is counted. Another thread can be sent it. */
export interface ColumnsCounted {
  readonly conditions: readonly ClickCondition[];
  readonly keys: readonly GroupKey[];
  /** Only needed if a condition or a key is about tags. */
  readonly tagged?: LinkTags;
}

/** The columns that are needed to count. */
export function columnsNeeded({ conditions, keys, tagged = NO_TAGS }: ColumnsCounted): readonly ColumnField[] {
  const fields = new Set<ColumnField>(['visitor', 'bot']);
  for (const condition of conditions) if (typeof condition === 'object') fields.add('tagOf' in condition ? 'link' : condition.field);
  for (const key of keys) if (!isOneGroup(key, tagged)) fields.add(columnOf(key));
  return [...fields];
}

/** Whether all clicks are in one group: if no link has tags, none of them has one. */
function isOneGroup(key: GroupKey, { links }: LinkTags): key is 'nothing' | { readonly tagsOf: string } {
  return key === 'nothing' || (typeof key === 'object' && 'tagsOf' in key && links.size === 0);
}

function columnOf(key: Exclude<GroupKey, 'nothing'>): ColumnField {
  if (key === 'item of type') return 'item';
  if ('field' in key) return key.field;
  return 'tagsOf' in key ? 'link' : 'quarter';
}

/** Counts the clicks of parts by each key. A visitor counts once in each group of a part, and no part has visitors of another. */
export class ColumnCount {
  readonly #conditions: readonly ClickCondition[];
  readonly #keys: readonly GroupKey[];
  readonly #tagged: LinkTags;
  readonly #sums: readonly GroupSums[];
  readonly #selected = new SelectedClicks();
  readonly #tagGroups: Dictionary;

  constructor({ conditions, keys, tagged = NO_TAGS }: ColumnsCounted) {
    this.#conditions = conditions;
    this.#keys = keys;
    this.#tagged = tagged;
    this.#tagGroups = Dictionary.ofTexts(tagged.tags, true);
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
    if (isOneGroup(key, this.#tagged)) return { groups: key === 'nothing' ? WHOLE : this.#tagGroups, codes: null, groupOf: null, sets: [] };
    const { dictionary, codes } = columnIn(columns, columnOf(key));
    if (key === 'item of type' || 'field' in key) return { groups: dictionary, codes, groupOf: null, sets: [] };
    if ('starts' in key) return { ...periodsOf(dictionary, key.starts), codes };
    const { links, groupOf: groupOfTagged, sets } = this.#tagged;
    const groupOf = new Uint32Array(dictionary.size);
    dictionary.match(links, (index, place) => {
      groupOf[place] = groupOfTagged[index] as number;
    });
    return { groups: this.#tagGroups, codes, groupOf, sets };
  }

  /** The sums by each key, for another count of the same. This one must not be used any more. */
  packed(): readonly PackedSums[] {
    return this.#sums.map((sums) => sums.packed());
  }

  /** Adds what a count of other parts has packed. */
  async addPacked(packed: readonly PackedSums[]): Promise<void> {
    for (const [place, sums] of packed.entries()) await (this.#sums[place] as GroupSums).addPacked(sums);
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
  /** For each click, the place of its value; null if there is one group. */
  readonly codes: Uint32Array | null;
  /** The group of each value, or its set of groups, which is numbered after the last group; null if values are groups. */
  readonly groupOf: Uint32Array | null;
  readonly sets: readonly (readonly number[])[];
}

function columnIn(columns: Columns, field: ColumnField): Column {
  const column = columns.get(field);
  if (column === undefined) throw new TypeError(`The column ${field} was not read.`);
  return column;
}

const WHOLE = Dictionary.ofTexts([''], false);

/**
 * Groups quarters of an hour by periods. The period of each is the position, starting at 1, of the last of the `starts` that is not after it; 0 if
 * all are.
 */
function periodsOf(quarters: Dictionary, starts: readonly string[]): Omit<Grouped, 'codes'> {
  const instants = starts.map((start) => Date.parse(start));
  const groupOf = Uint32Array.from({ length: quarters.size }, (_, place) => {
    const at = Number(quarters.value(place)?.toString()) * QUARTER_SECONDS * 1000;
    return instants.findLastIndex((start) => start <= at) + 1;
  });
  const periods = Array.from({ length: starts.length + 1 }, (_, period) => String(period));
  return { groups: Dictionary.ofTexts(periods, false), groupOf, sets: [] };
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
  select(columns: Columns, conditions: readonly ClickCondition[], tagged: LinkTags): this | null {
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

  #meet(condition: ClickCondition, columns: Columns, tagged: LinkTags): boolean {
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
        visitor = (visitor + (first[click] as number)) | 0;
        visitors[click] = visitor & ((bots[click] as number) - 1);
      }
      return;
    }
    let at = 0;
    for (let click = 0; click < length; click++) {
      const place = places[click] as number;
      while (at <= place) visitor = (visitor + (first[at++] as number)) | 0;
      visitors[click] = visitor & ((bots[place] as number) - 1);
    }
  }
}

/** Returns 1 for each place of the dictionary whose value meets the condition. */
function valuesMeeting(condition: Exclude<ClickCondition, string>, dictionary: Dictionary, tagged: LinkTags): Uint8Array {
  const met = new Uint8Array(dictionary.size);
  if ('tagOf' in condition) {
    const { tag } = condition;
    if (tag === null) met.fill(1);
    const isTagged = tag === null ? () => false : hasTag(tagged, tag);
    dictionary.match(tagged.links, (link, place) => {
      met[place] = Number(isTagged(link));
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

function countGroups(selected: SelectedClicks, grouped: Grouped): PartCounts {
  const { length, places, visitors } = selected;
  const { groups, codes, groupOf, sets } = grouped;
  const counts = new PartCounts(groups.size);
  if (codes === null) for (let click = 0; click < length; click++) counts.add(0, visitors[click] as number);
  else if (groupOf !== null) countInSets(counts, selected, { codes, groupOf, sets });
  else if (places === null) for (let click = 0; click < length; click++) counts.add(codes[click] as number, visitors[click] as number);
  else for (let click = 0; click < length; click++) counts.add(codes[places[click] as number] as number, visitors[click] as number);
  return counts;
}

type InSets = { readonly [Name in 'codes' | 'groupOf']: Uint32Array } & Pick<Grouped, 'sets'>;

/** Counts each click in the group, or in each group of the set, of its value. */
function countInSets(counts: PartCounts, { length, places, visitors }: SelectedClicks, { codes, groupOf, sets }: InSets): void {
  const { size } = counts;
  for (let click = 0; click < length; click++) {
    const group = groupOf[codes[places === null ? click : (places[click] as number)] as number] as number;
    if (group < size) counts.add(group, visitors[click] as number);
    else for (const each of sets[group - size] as readonly number[]) counts.add(each, visitors[click] as number);
  }
}
