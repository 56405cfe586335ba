import type { InfiniteData, QueryClient } from '@tanstack/react-query';

interface Page {
  readonly data: readonly { readonly id?: unknown }[];
}

interface Changes {
  readonly environment: string;
  /** Path of the lists. */
  readonly path: string;
  readonly changed?: readonly unknown[];
  readonly deleted?: readonly string[];
}

/**
 * Shows changes and deletions of objects in lists at once. After a change, every page of a list is read again, one after the other, which
 * takes time, and long lists are not read again at all. Members that a list adds to an object, such as its clicks, keep their values.
 */
export function showChanged(client: QueryClient, { environment, path, changed = [], deleted = [] }: Changes): void {
  const now = new Map(changed.map((object) => [(object as { readonly id?: unknown } | undefined)?.id, object as object]));
  now.delete(undefined);
  const gone = new Set<unknown>(deleted);
  if (now.size === 0 && gone.size === 0) return;
  client.setQueriesData<InfiniteData<Page>>(
    { predicate: ({ queryKey: [of, list, , kind] }) => of === environment && list === path && kind === 'pages' },
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) =>
          page.data.some(({ id }) => now.has(id) || gone.has(id))
            ? {
                ...page,
                data: page.data.filter(({ id }) => !gone.has(id)).map((row) => (now.has(row.id) ? { ...row, ...now.get(row.id) } : row)),
              }
            : page,
        ),
      },
  );
}
