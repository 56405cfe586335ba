import { useMemo, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';

/** Links that are selected in a list, to be changed together. */
export interface Selection {
  readonly links: readonly Link[];
  has(link: Pick<Link, 'id'>): boolean;
  toggle(link: Pick<Link, 'id'>): void;
  /** Selects only these links. */
  choose(links: readonly Pick<Link, 'id'>[]): void;
  /** Removes these links from the selection. */
  drop(links: readonly Link[]): void;
}

/** A selected link has the state in which it was last shown. A link that leaves the list is no longer selected. */
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
