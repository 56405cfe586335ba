import type { InfiniteData, QueryClient } from '@tanstack/react-query';

interface Page {
  readonly data: readonly { readonly id?: unknown }[];
}

/**
 * Shows changed objects in the lists at `path` at once: every page of a list is read again after a change, one after the other, which takes
 * its time. What a list says of a row beyond the object, such as its clicks, stays.
 */
export function showChanged(client: QueryClient, environment: string, path: string, objects: readonly unknown[]): void {
  const changed = new Map(objects.map((object) => [(object as { readonly id?: unknown } | undefined)?.id, object as object]));
  changed.delete(undefined);
  if (changed.size === 0) return;
  client.setQueriesData<InfiniteData<Page>>(
    { predicate: ({ queryKey: [of, list, , kind] }) => of === environment && list === path && kind === 'pages' },
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          data: page.data.map((row) => (changed.has(row.id) ? { ...row, ...changed.get(row.id) } : row)),
        })),
      },
  );
}
