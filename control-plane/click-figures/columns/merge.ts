import type { Column, ColumnField } from './column.js';
import type { Columns } from './column-count.js';
import { Dictionary } from './dictionary.js';

/**
 * Returns the columns of the clicks of both, in these fields and `visitor`. The clicks of a visitor of both follow each other. Both need the
 * fields, `visitor` and `visitor_hash`. The other may have few clicks in comparison.
 */
export function mergeColumns(one: Columns, other: Columns, fields: readonly ColumnField[]): Columns {
  const order = mergedOrder(one, other);
  const merged = new Map<ColumnField, Column>();
  for (const field of new Set<ColumnField>(['visitor', ...fields]))
    merged.set(field, mergeColumn(columnOf(one, field), columnOf(other, field), order));
  const { codes } = columnOf(merged, 'visitor');
  for (const click of order.notFirst) codes[click] = 0;
  return merged;
}

/** In which order the clicks follow each other: those of the one up to an end, then those of the other up to an end, and so on. */
interface MergedOrder {
  readonly ends: Uint32Array;
  readonly otherEnds: Uint32Array;
  /** The places of clicks that were their visitor's first in the other, and no longer are. */
  readonly notFirst: readonly number[];
}

function mergedOrder(one: Columns, other: Columns): MergedOrder {
  const starts = visitorStarts(one);
  const otherStarts = visitorStarts(other);
  const { dictionary: hashes } = columnOf(one, 'visitor_hash');
  const { dictionary: otherHashes } = columnOf(other, 'visitor_hash');
  const ends = new Uint32Array(otherHashes.size + 1);
  const notFirst: number[] = [];
  let place = 0;
  for (let visitor = 0; visitor < otherHashes.size; visitor++) {
    const hash = otherHashes.value(visitor) as Buffer;
    place = hashes.lowerBound(hash, place);
    const isKnown = hashes.is(place, hash);
    if (isKnown) place++;
    const end = starts[place] as number;
    if (isKnown) notFirst.push(end + (otherStarts[visitor] as number));
    ends[visitor] = end;
  }
  ends[otherHashes.size] = starts[hashes.size] as number;
  // After the last visitor's clicks, the other has none.
  return {
    ends,
    otherEnds: Uint32Array.from(ends, (_, visitor) => otherStarts[Math.min(visitor + 1, otherHashes.size)] as number),
    notFirst,
  };
}

/** Where the clicks of each visitor begin, and where the last one's end. */
function visitorStarts(columns: Columns): Uint32Array {
  const { codes } = columnOf(columns, 'visitor');
  const starts = new Uint32Array(columnOf(columns, 'visitor_hash').dictionary.size + 1);
  let visitor = 0;
  for (let click = 0; click < codes.length; click++) if (codes[click] === 1) starts[visitor++] = click;
  starts[visitor] = codes.length;
  return starts;
}

function columnOf(columns: Columns, field: ColumnField): Column {
  const column = columns.get(field);
  if (column === undefined) throw new TypeError(`Columns without ${field} cannot be merged.`);
  return column;
}

function mergeColumn(one: Column, other: Column, { ends, otherEnds }: MergedOrder): Column {
  const { dictionary, places, otherPlaces } = mergeDictionaries(one.dictionary, other.dictionary);
  const [{ codes: from }, { codes: otherFrom }] = [one, other];
  const codes = new Uint32Array(from.length + otherFrom.length);
  // `visitor_hash` has no codes.
  if (codes.length === 0) return { dictionary, codes };
  let [at, click, otherClick] = [0, 0, 0];
  for (let step = 0; step < ends.length; step++) {
    const end = ends[step] as number;
    const otherEnd = otherEnds[step] as number;
    while (click < end) codes[at++] = places[from[click++] as number] as number;
    while (otherClick < otherEnd) codes[at++] = otherPlaces[otherFrom[otherClick++] as number] as number;
  }
  return { dictionary, codes };
}

interface MergedDictionary {
  readonly dictionary: Dictionary;
  /** The place of each value of the one. */
  readonly places: Uint32Array;
  /** The place of each value of the other. */
  readonly otherPlaces: Uint32Array;
}

/** Returns the values of both in ascending order. Those of the one are copied in runs. */
function mergeDictionaries(one: Dictionary, other: Dictionary): MergedDictionary {
  const hasNull = one.hasNull || other.hasNull;
  const bytes = Buffer.allocUnsafe(one.bytes.length + other.bytes.length);
  const ends = new Uint32Array(one.ends.length + other.ends.length);
  const places = new Uint32Array(one.size);
  const otherPlaces = new Uint32Array(other.size);
  // Null has the place 0 in all of them.
  let next = Number(hasNull);
  let end = 0;
  let copied = Number(one.hasNull);
  const add = (value: Buffer, from: number, until: number) => {
    end += value.copy(bytes, end, from, until);
  };
  const copyUntil = (until: number) => {
    if (copied === until) return;
    const shift = end - one.start(copied);
    add(one.bytes, one.start(copied), one.end(until - 1));
    for (; copied < until; copied++) {
      ends[next - Number(hasNull)] = one.end(copied) + shift;
      places[copied] = next++;
    }
  };
  for (let place = Number(other.hasNull); place < other.size; place++) {
    const value = other.value(place) as Buffer;
    const known = one.lowerBound(value, copied);
    copyUntil(known);
    otherPlaces[place] = next;
    if (one.is(known, value)) continue;
    add(value, 0, value.length);
    ends[next++ - Number(hasNull)] = end;
  }
  copyUntil(one.size);
  return { dictionary: new Dictionary(bytes.subarray(0, end), ends.subarray(0, next - Number(hasNull)), hasNull), places, otherPlaces };
}
