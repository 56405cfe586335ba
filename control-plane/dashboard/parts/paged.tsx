import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { text } from '../language/text.js';
import type { PagedRows } from '../session/queries.js';
import { Button } from './button.js';
import { Failure, Loading } from './states.js';

interface PagedProps<Row> {
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
export function Paged<Row>({ page: { rows, query }, empty, onMore, endless = false, children }: PagedProps<Row>) {
  const more = onMore ?? (() => void query.fetchNextPage());
  const end = useNearEnd(endless && query.hasNextPage && !query.isFetching && !query.isError, rows.length, more);
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

interface RowsProps<Row> {
  readonly page: PagedRows<Row>;
  readonly empty: ReactNode;
  readonly label: string;
  readonly children: (row: Row) => ReactNode;
}

export function Rows<Row extends { readonly id: string }>({ page, empty, label, children }: RowsProps<Row>) {
  return (
    <Paged page={page} empty={empty}>
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
