import { groupBy } from '../../shared/base/group-by.js';

/**
 * Memoizes a function of a list: it is called again only if the list has other elements than the last time with the same first one. A table
 * is built after every change of any environment, and what other environments have stays as it is. Lists must not be empty.
 */
export function memoizeList<Element extends object, Made>(
  make: (elements: readonly Element[]) => Made,
): (elements: readonly Element[]) => Made {
  const known = new WeakMap<Element, { readonly elements: readonly Element[]; readonly made: Made }>();
  return (elements) => {
    const first = elements[0] as Element;
    const before = known.get(first);
    if (before !== undefined && isSame(before.elements, elements)) return before.made;
    const made = make(elements);
    known.set(first, { elements, made });
    return made;
  };
}

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length && one.every((element, place) => element === other[place]);
}

/** Returns the records of each environment, in their order. An environment without any is not included. */
export function byEnvironment<Record extends { readonly environment_number: number }>(
  records: readonly Record[],
): ReadonlyMap<number, readonly Record[]> {
  const known = divided.get(records) as ReadonlyMap<number, readonly Record[]> | undefined;
  if (known !== undefined) return known;
  const lists = groupBy(records, ({ environment_number }) => environment_number);
  divided.set(records, lists);
  return lists;
}

/** By the list, which stays the same object until something in it changes. */
const divided = new WeakMap<readonly object[], ReadonlyMap<number, readonly object[]>>();
