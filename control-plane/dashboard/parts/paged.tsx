import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { counted, text } from '../language/text.js';
import type { PagedRows } from '../session/queries.js';
import { announce } from './announce.js';
import { Button } from './button.js';
import { Failure, Loading } from './states.js';

interface Said {
  /** The order of the rows, for lists that the user can sort. */
  readonly order?: string;
  /** Whether the first rows are the result of a choice of the user too. */
  readonly saysFirst?: boolean;
}

interface PagedProps<Row> extends Said {
  readonly page: PagedRows<Row>;
  readonly empty: ReactNode;
  /** Called instead of reading the next page. */
  readonly onMore?: () => void;
  /**
   * Whether the next page is read when the end of the list comes near. Nothing may follow such a list, because users could not reach it.
   */
  readonly endless?: boolean;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list of pages, with a button that loads more. */
export function Paged<Row>({ page, empty, onMore, endless = false, children, ...said }: PagedProps<Row>) {
  const { rows, query } = page;
  const more = onMore ?? (() => void query.fetchNextPage());
  const end = useNearEnd(endless && query.hasNextPage && !query.isFetching && !query.isError, rows.length, more);
  useCountSaid(page, said);
  if (query.isPending) return <Loading lines={6} />;
  if (query.isError && rows.length === 0) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      {query.isError ? (
        <Failure error={query.error} onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())} />
      ) : null}
      {query.hasNextPage ? (
        // In an endless list, each page has a new element at its end, so that no element moves in front of the user when rows come in.
        <div key={endless ? rows.length : 'end'} className="more" ref={end}>
          <Button onClick={more} busy={query.isFetchingNextPage}>
            {text('Show more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/**
 * Says how many rows there are after the user has chosen other filters or another order, or has asked for more rows. What a screen shows at
 * first is read from its heading on, and what changes by itself would interrupt.
 */
function useCountSaid({ rows: { length }, query, asked }: PagedRows<unknown>, { order, saysFirst = false }: Said): void {
  const { isPending, isError, data, hasNextPage } = query;
  const state = isPending || isError ? null : `${asked} ${data.pages.length}`;
  // A choice may be made before the first rows are there.
  const before = useRef(saysFirst ? '' : (state ?? `${asked} 1`));
  useEffect(() => {
    if (state === null || state === before.current) return;
    before.current = state;
    const count = hasNextPage
      ? counted(length, 'The first result', 'The first {count} results')
      : counted(length, '{count} result', '{count} results');
    announce(length === 0 ? text('Nothing matches') : [count, order].filter(Boolean).join('. '));
  }, [state, length, hasNextPage, order]);
}

/** How far before the end of a list the next page is read: two window heights, so that users who scroll do not see the end. */
const NEAR_PIXELS = 2000;

/** Calls `onNear` when the element comes near the window while `isReady`, at most once for each number of rows. */
function useNearEnd(isReady: boolean, rows: number, onNear: () => void): RefObject<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  const asked = useRef(0);
  useEffect(() => {
    const end = element.current;
    if (!isReady || end === null || asked.current === rows) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting) || asked.current === rows) return;
        asked.current = rows;
        latest.current();
      },
      { rootMargin: `${NEAR_PIXELS}px 0px` },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [isReady, rows]);
  return element;
}

interface RowsProps<Row> extends Said {
  readonly page: PagedRows<Row>;
  readonly empty: ReactNode;
  readonly label: string;
  readonly children: (row: Row) => ReactNode;
}

export function Rows<Row extends { readonly id: string }>({ page, empty, label, children, ...said }: RowsProps<Row>) {
  return (
    <Paged page={page} empty={empty} {...said}>
      {(rows) => (
        <ul className="rows framed" aria-label={label}>
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
    </Paged>
  );
}
