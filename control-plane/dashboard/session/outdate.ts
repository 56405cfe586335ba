import type { Query, QueryClient } from '@tanstack/react-query';

/** Pages of a list that are read again, one after the other, whenever something in it may have changed. */
const PAGES_READ_AGAIN = 20;

/** Whether reading the list again takes too many calls. It shows what it was told by `showChanged`, until the reader loads the page again. */
export function isLong({ state: { data } }: Pick<Query, 'state'>): boolean {
  const { pages } = (data ?? {}) as { readonly pages?: readonly unknown[] };
  return (pages?.length ?? 0) > PAGES_READ_AGAIN;
}

interface Outdated {
  readonly environment: string;
  /** Of the paths of what was read. */
  readonly prefixes: readonly string[];
  /** Whether there are new objects: where they stand in a list is known to the server alone. */
  readonly made: boolean;
}

/** Reads again what is shown, and later what was shown before. A long list with new objects begins at its first page when it is opened next. */
export async function outdate(client: QueryClient, { environment, prefixes, made }: Outdated): Promise<void> {
  const isOutdated = ({ queryKey: [of, path] }: Query) => of === environment && prefixes.some((prefix) => String(path).startsWith(prefix));
  if (made) client.removeQueries({ type: 'inactive', predicate: (query) => isOutdated(query) && isLong(query) });
  await client.invalidateQueries({ predicate: (query) => isOutdated(query) && (made || !isLong(query)) });
}
