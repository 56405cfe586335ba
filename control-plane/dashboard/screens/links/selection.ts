import { useMemo, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';

/** Links that are chosen from a list, to be changed together. */
export interface Selection {
  readonly links: readonly Link[];
  has(link: Pick<Link, 'id'>): boolean;
  toggle(link: Pick<Link, 'id'>): void;
  /** These alone. */
  choose(links: readonly Pick<Link, 'id'>[]): void;
  /** These no longer. */
  drop(links: readonly Link[]): void;
}

/** A link keeps the state in which it was shown last; one that left the list is chosen no more. */
export function useSelection(shown: readonly Link[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const links = useMemo(() => shown.filter(({ id }) => ids.has(id)), [shown, ids]);
  return {
    links,
    has: ({ id }) => ids.has(id),
    toggle: ({ id }) => setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id])),
    drop: (links) => {
      const dropped = new Set(links.map(({ id }) => id));
      setIds((before) => new Set([...before].filter((id) => !dropped.has(id))));
    },
    choose: (links) => setIds(new Set(links.map(({ id }) => id))),
  };
}
