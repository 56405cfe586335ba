import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../api/client.js';
import { languageOf } from '../language/quoted.js';
import { type Message, message, text, textOf } from '../language/text.js';
import type { PagedRows } from '../session/queries.js';
import { sectionOf } from './addresses.js';
import { Button, ButtonLink } from './button.js';
import { Icon, type IconName } from './icon.js';
import { Page } from './page.js';

/** Placeholders for data that is loading, missing or failed to load. */

export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label={text('Loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={line} />
      ))}
    </div>
  );
}

const FAILED = message('The request failed');
const NOT_FOUND = message('Not found');
const TITLES: Partial<Record<ApiError['code'], Message>> = {
  unreachable: message('The server cannot be reached'),
  unauthorized: message('The key no longer works'),
  insufficient_scope: message('The key is not allowed to see this'),
  rate_limited: message('Too many requests'),
  service_unavailable: message('The service is not available'),
};

export function Failure({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  if (error.code === 'not_found') return <Missing error={error} />;
  return (
    <div className="empty" role="alert">
      <h2>{textOf(TITLES[error.code] ?? FAILED)}</h2>
      <p lang={languageOf(error.message)}>{error.message}</p>
      {error.fields.map(({ pointer, detail }) => (
        <p key={pointer} lang={languageOf(detail)}>
          <code>{pointer}</code> {detail}
        </p>
      ))}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{text('Try again')}</Button>}
    </div>
  );
}

/** Takes the place of a whole screen. The title is the name of the list that leads to it. */
export function FailedScreen({ title, ...failure }: { readonly title: string } & Parameters<typeof Failure>[0]) {
  return (
    <Page title={title}>
      <Failure {...failure} />
    </Page>
  );
}

/** For an object that was not found. It offers the way back to the list, because a retry would not help. */
function Missing({ error }: { readonly error: ApiError }) {
  const [location] = useLocation();
  return (
    <div className="empty" role="alert">
      <h2>{textOf(NOT_FOUND)}</h2>
      <p>
        {error.message} {text('It may have been deleted, or may belong to the other environment.')}
      </p>
      <ButtonLink to={sectionOf(location)}>{text('Back to the list')}</ButtonLink>
    </div>
  );
}

interface AnsweredProps<Data> {
  readonly read: UseQueryResult<Data, ApiError>;
  /** Number of lines of the placeholder. */
  readonly lines: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data once it has been read; until then, a placeholder or the failure. */
export function Answered<Data>({ read: { data, error, refetch }, lines, children }: AnsweredProps<Data>) {
  if (data !== undefined) return children(data);
  return error === null ? <Loading lines={lines} /> : <Failure error={error} onRetry={() => void refetch()} />;
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Takes the place of an empty list and says what to do next. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <div className="empty-icon">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

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
