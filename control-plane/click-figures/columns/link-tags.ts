import { Dictionary } from './dictionary.js';

/** Links that have tags now, and the groups in which their clicks count. Another thread can be sent it. */
export interface LinkTags {
  readonly links: Dictionary;
  /** The tags that occur. Each is a group, by its position starting at 1. Group 0 has links without tags, and anything but links. */
  readonly tags: readonly string[];
  /** The group of each link, or its set of groups, which is numbered after the last group. */
  readonly groupOf: Uint32Array;
  readonly sets: readonly (readonly number[])[];
}

/** `links` are in ascending order, and each has the tags at the same position. */
export function linkTags(links: Dictionary, tagsOf: readonly (readonly string[])[]): LinkTags {
  const tags = [...new Set(tagsOf.flat())];
  const numbers = new Map(tags.map((tag, index) => [tag, index + 1]));
  const sets = new Map<string, readonly number[]>();
  const numbersOfSets = new Map<string, number>();
  const groupOf = Uint32Array.from(tagsOf, (own) => {
    const set = own.map((tag) => numbers.get(tag) as number);
    if (set.length === 1) return set[0] as number;
    const key = set.join();
    if (!sets.has(key)) numbersOfSets.set(key, tags.length + 1 + sets.size);
    sets.set(key, set);
    return numbersOfSets.get(key) as number;
  });
  return { links, tags, groupOf, sets: [...sets.values()] };
}

export const NO_TAGS = linkTags(Dictionary.of([], false), []);

/** Returns whether the link, by its position, has the tag. */
export function hasTag({ tags, groupOf, sets }: LinkTags, tag: string): (link: number) => boolean {
  const wanted = tags.indexOf(tag) + 1;
  if (wanted === 0) return () => false;
  return (link) => {
    const group = groupOf[link] as number;
    return group === wanted || (group > tags.length && (sets[group - tags.length - 1] as readonly number[]).includes(wanted));
  };
}
