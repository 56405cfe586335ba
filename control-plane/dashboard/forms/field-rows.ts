import type { FieldValue, FieldValues } from './field-values.js';

/** Lists of objects within a form: the fields of row 2 of `/ios_apps` are `/ios_apps/2/...`. */

/** Returns the positions of the rows, in order. */
export function rowsOf(values: FieldValues, list: string): readonly number[] {
  const places = new Set<number>();
  for (const field of Object.keys(values)) if (field.startsWith(`${list}/`)) places.add(Number(field.slice(list.length + 1).split('/')[0]));
  return [...places].sort((a, b) => a - b);
}

export function withRow(values: FieldValues, list: string, row: Readonly<Record<string, FieldValue>>): FieldValues {
  const place = rowsOf(values, list).length;
  return { ...values, ...Object.fromEntries(Object.entries(row).map(([member, value]) => [`${list}/${place}/${member}`, value])) };
}

/** Removes a row and moves those after it up, so that their positions are the ones that the API will name. */
export function withoutRow(values: FieldValues, list: string, gone: number): FieldValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      if (!field.startsWith(`${list}/`)) return [[field, value]];
      const [place, ...member] = field.slice(list.length + 1).split('/');
      if (Number(place) === gone) return [];
      const moved = Number(place) > gone ? Number(place) - 1 : Number(place);
      return [[`${list}/${moved}/${member.join('/')}`, value]];
    }),
  );
}
