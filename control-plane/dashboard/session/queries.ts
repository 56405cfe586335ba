import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type ApiError, call, keepIfSame } from '../api/client.js';
import type { Input, ListEndpoint, Output, ReadEndpoint, RowIn, WriteEndpoint } from '../api/contract.js';
import { keepRows } from './keep-rows.js';
import { dropKeyOfWrite, keyOfWrite } from './open-keys.js';
import { isLong, outdate, refreshInterval } from './outdate.js';
import { showChanged } from './show-changed.js';
import { useConnection } from './signed-in.js';

/**
 * Reads and writes of the current environment. Query keys begin with its name, so that the two environments never share a cached response.
 */

interface ReadOptions {
  readonly enabled?: boolean;
  /** Milliseconds between automatic reads, for data that changes by itself. */
  readonly refreshMs?: number | false;
  /** Whether the answer to the last input stays until the next one arrives, as for a search. */
  readonly keepsLast?: boolean;
}

export function useRead<E extends ReadEndpoint>(
  endpoint: E,
  input: Input<E>,
  { enabled = true, refreshMs = false, keepsLast = false }: ReadOptions = {},
): UseQueryResult<Output<E>, ApiError> {
  const { environment, connection } = useConnection();
  return useQuery<Output<E>, ApiError>({
    queryKey: [environment, pathOf(endpoint), input],
    queryFn: ({ signal }) => call(connection, endpoint, input, { signal }),
    enabled,
    refetchInterval: refreshMs,
    structuralSharing: keepIfSame,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  });
}

const ROWS_PER_PAGE = 25;

export interface PagedRows<Row> {
  readonly rows: readonly Row[];
  /** Identifies what was asked for: the list and its filters. */
  readonly asked: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next_cursor: string | null }, string | null>, ApiError>;
}

interface RowsOptions<Row> {
  /** As in `ReadOptions`, or computed from the rows that are shown, if some of them change sooner than others. */
  readonly refreshMs?: number | ((rows: readonly Row[]) => number);
}

/** A list that is read page by page, with its cursor. */
export function useRows<E extends ListEndpoint>(
  endpoint: E,
  input: Input<E>,
  { refreshMs }: RowsOptions<RowIn<E>> = {},
): PagedRows<RowIn<E>> {
  const { environment, connection } = useConnection();
  type Page = { data: RowIn<E>[]; next_cursor: string | null };
  const query = useInfiniteQuery<Page, ApiError, InfiniteData<Page, string | null>, readonly unknown[], string | null>({
    queryKey: [environment, pathOf(endpoint), input, 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === null ? {} : { cursor: pageParam };
      const { query: filters } = input as { readonly query?: object };
      return call(connection, endpoint, { ...input, query: { limit: ROWS_PER_PAGE, ...filters, ...page } } as Input<E>, {
        signal,
      }) as unknown as Promise<Page>;
    },
    initialPageParam: null,
    structuralSharing: (before, after) =>
      keepRows(before as InfiniteData<Page, string | null> | undefined, after as InfiniteData<Page, string | null>),
    getNextPageParam: (last) => last.next_cursor,
    // Otherwise all pages of a list would be read again, one after the other, whenever the user returns to the window.
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= 1,
    refetchOnMount: (query) => !isLong(query),
    refetchOnReconnect: (query) => !isLong(query),
    refetchInterval: (query) => refreshInterval(query, refreshMs),
  });
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return { rows, query, asked: JSON.stringify([endpoint, input]) };
}

/** The most rows that a page of a list can have, so that all choices are read in as few calls as possible. */
const CHOICES_PER_PAGE = 100;

/** All rows of a list, for a field that chooses one of them. The pages are read one after the other. */
export function useAllRows<E extends ListEndpoint>(endpoint: E, input: Input<E>): PagedRows<RowIn<E>> {
  const { query: filters } = input as { readonly query?: object };
  const all = useRows(endpoint, { ...input, query: { limit: CHOICES_PER_PAGE, ...filters } } as Input<E>);
  const { hasNextPage, isFetching, isError, fetchNextPage } = all.query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return all;
}

interface WriteOptions<E extends WriteEndpoint> {
  /** Paths to read again after the write, together with everything below them. */
  readonly outdates: readonly `/${string}`[];
  readonly onDone?: (output: Output<E>) => void;
  /** For a write whose form may no longer be shown. */
  readonly onFailed?: (error: ApiError) => void;
}

/** The `ETag` of the state that the change was based on, or a function that finds it. */
type Tag = string | undefined | (() => Promise<string | undefined>);

/** The input of a call, and the state that the change was based on. A change of an object does not compile without it. */
export type Change<E extends WriteEndpoint> = Input<E> &
  (E extends `POST ${string}` ? { readonly ifMatch?: undefined } : { readonly ifMatch: Tag });

/** Makes a change. A POST carries an idempotency key for its input, so that a retry after a network failure takes effect only once. */
export function useWrite<E extends WriteEndpoint>(
  endpoint: E,
  { outdates, onDone, onFailed }: WriteOptions<E>,
): UseMutationResult<Output<E>, ApiError, Change<E>> {
  const { environment, connection } = useConnection();
  const client = useQueryClient();
  const readAgain = () => void outdate(client, { environment, prefixes: outdates, made: endpoint.startsWith('POST ') });
  return useMutation<Output<E>, ApiError, Change<E>>({
    mutationFn: async (input) => {
      const { ifMatch } = input as { readonly ifMatch?: Tag };
      return call(connection, endpoint, input, {
        ifMatch: typeof ifMatch === 'function' ? await ifMatch() : ifMatch,
        ...(IDEMPOTENT.test(endpoint) ? { idempotencyKey: keyOfWrite(`${environment} ${endpoint}`, input) } : {}),
      });
    },
    onSuccess: (output, input) => {
      dropKeyOfWrite(`${environment} ${endpoint}`, input);
      const path = listOf(endpoint);
      if (endpoint.startsWith('PATCH ')) showChanged(client, { environment, path, changed: [output] });
      if (endpoint.startsWith('DELETE ')) showChanged(client, { environment, path, deleted: [idIn(input)] });
      readAgain();
      onDone?.(output);
    },
    // The API does not store refusals for an idempotency key, and one refusal says that the first attempt is still running, so the key
    // stays for the next attempt. After a 412, the state that was changed elsewhere is read again, and the next attempt is based on it.
    onError: (error) => {
      if (error.status === 412) readAgain();
      onFailed?.(error);
    },
  });
}

const IDEMPOTENT = /^POST (?!\/(links|url-templates)\/test$)/;

/** The path of the list that contains the object named at the end of the endpoint's path. */
function listOf(endpoint: string): string {
  return pathOf(endpoint).replace(/\/\{\w+\}$/, '');
}

/** The id of the object that a call deletes, which is the last parameter of its path. */
function idIn(input: unknown): string {
  const { params } = input as { readonly params: Readonly<Record<string, string>> };
  return Object.values(params).at(-1) ?? '';
}

/** The endpoint's path, as it appears in query keys. */
export function pathOf(endpoint: string): string {
  return endpoint.slice(endpoint.indexOf(' ') + 1);
}
