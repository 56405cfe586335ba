import type { Query, QueryClient } from '@tanstack/react-query';

/** How many pages of a list are read again, one after the other, when something in it may have changed. */
const PAGES_READ_AGAIN = 20;

/**
 * Whether reading the list again takes too many calls. Such a list keeps what it shows, with the changes made by `showChanged`, until the
 * user reloads the page.
 */
export function isLong({ state: { data } }: Pick<Query, 'state'>): boolean {
  const { pages } = (data ?? {}) as { readonly pages?: readonly unknown[] };
  return (pages?.length ?? 0) > PAGES_READ_AGAIN;
}

/** Milliseconds until a list is read again by itself; false for never, which is so for long lists. */
export function refreshInterval<Row>(
  query: Pick<Query, 'state'>,
  refreshMs: number | ((rows: readonly Row[]) => number) | undefined,
): number | false {
  if (refreshMs === undefined || isLong(query)) return false;
  const { pages = [] } = (query.state.data ?? {}) as { readonly pages?: readonly { readonly data: readonly Row[] }[] };
  return typeof refreshMs === 'number' ? refreshMs : refreshMs(pages.flatMap(({ data }) => data));
}

interface Outdated {
  readonly environment: string;
  /** Path prefixes of the reads that are out of date. */
  readonly prefixes: readonly string[];
  /** Whether objects were created. Only the server knows their position in a list. */
  readonly made: boolean;
}

/**
 * Reads again at once what is shown now, and the rest when it is shown next. If objects were created, a long list that is not shown is
 * dropped, and starts at its first page when it is opened next.
 */
export async function outdate(client: QueryClient, { environment, prefixes, made }: Outdated): Promise<void> {
  const isOutdated = ({ queryKey: [of, path] }: Query) => of === environment && prefixes.some((prefix) => String(path).startsWith(prefix));
  if (made) client.removeQueries({ type: 'inactive', predicate: (query) => isOutdated(query) && isLong(query) });
  await client.invalidateQueries({ predicate: (query) => isOutdated(query) && (made || !isLong(query)) });
}
