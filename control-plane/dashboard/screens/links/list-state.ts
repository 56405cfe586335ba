import { useEffect, useMemo, useRef, useState } from 'react';
import { message } from '../../language/text.js';
import { keepState, keptState } from '../../session/kept-states.js';
import { useListFilters } from '../../session/list-filters.js';
import type { PagedRows } from '../../session/queries.js';
import { useConnection } from '../../session/signed-in.js';
import { LINK_STATES, type LinkState } from './link-states.js';

/** The fields by which a list can be sorted, with the direction. */
export const ORDERS = {
  newest: { label: message('Newest first'), query: {} },
  oldest: { label: message('Oldest first'), query: { order: 'asc' } },
  name: { label: message('By name'), query: { sort: 'name' } },
  name_desc: { label: message('By name, Z first'), query: { sort: 'name', order: 'desc' } },
  clicks: { label: message('Most clicks'), query: { sort: 'clicks' } },
  clicks_asc: { label: message('Fewest clicks'), query: { sort: 'clicks', order: 'asc' } },
} as const;

export type Order = keyof typeof ORDERS;

/** Deleted links cannot be sorted by clicks. */
export function ordersOf(status: ListState['status']): readonly Order[] {
  const all = Object.keys(ORDERS) as Order[];
  return status === 'deleted' ? all.filter((order) => !('sort' in ORDERS[order].query && ORDERS[order].query.sort === 'clicks')) : all;
}

/** The state of the list. It is part of the address, so that it can be sent to others, and restored by a reload or by the back button. */
export interface ListState {
  readonly search: string;
  readonly status: LinkState | 'archived' | 'deleted' | '';
  readonly campaign: string;
  readonly tag: string;
  readonly order: Order;
  /** The number of pages that are shown. */
  readonly pages: number;
}

export const NO_FILTERS = { search: '', status: '', campaign: '', tag: '' } as const;

const PATH = '/links';
type Given = Readonly<Record<keyof ListState, string>>;

const FIRST_STATE: Given = { ...NO_FILTERS, order: 'newest', pages: '1' };
/** Half a million links, the limit to which a list grows. */
const PAGES_MAX = 10_000;

/** Users may edit an address by hand. Invalid values count as absent. */
function readState({ search, status, campaign, tag, order, pages }: Given): ListState {
  const count = Number(pages);
  const shown = [...LINK_STATES, 'archived' as const, 'deleted' as const].find((name) => name === status) ?? '';
  return {
    search,
    status: shown,
    campaign,
    tag,
    order: ordersOf(shown).find((name) => name === order) ?? 'newest',
    pages: Number.isInteger(count) && count > 1 ? Math.min(count, PAGES_MAX) : 1,
  };
}

/** The name of the state that holds the link that was opened from the list, until the user returns. */
const OPENED = 'links/opened';

interface ListPlace {
  readonly state: ListState;
  /**
   * Changes the state and returns to the first page. With `inPlace`, the browser's history gets no new entry, as for each letter of a
   * search.
   */
  readonly change: (part: Partial<ListState>, inPlace?: boolean) => void;
  /** Remembers the link that was opened. */
  readonly open: (link: string) => void;
}

export function useListState(): ListPlace {
  const { environment } = useConnection();
  const [given, change] = useListFilters(PATH, FIRST_STATE);
  const state = useMemo(() => readState(given), [given]);
  useTop(state);
  return {
    state,
    change: ({ pages = 1, ...part }, inPlace) => change({ ...part, pages: String(pages) }, inPlace),
    open: (link) => keepState(environment, OPENED, link),
  };
}

/**
 * Scrolls to the top when the list starts again. Otherwise a user who was deep in the old list would be near the end of the new one, which
 * would then grow.
 */
function useTop(state: ListState): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (state.pages === 1) window.scrollTo(0, 0);
  }, [state]);
}

/** Reads as many pages as the address says, and scrolls back to the row that the user opened. Returns its id. */
export function useReturn({ rows, query }: PagedRows<{ readonly id: string }>, pages: number): string | null {
  const { environment } = useConnection();
  const read = query.data?.pages.length ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (read > 0 && read < pages && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [read, pages, hasNextPage, isFetching, isError, fetchNextPage]);
  const [opened] = useState(() => keptState<string | null>(environment, OPENED) ?? null);
  const waiting = useRef(opened);
  useEffect(() => {
    if (waiting.current === null || !rows.some(({ id }) => id === waiting.current)) return;
    const row = document.querySelector<HTMLElement>(`[href$="/links/${waiting.current}"]`);
    waiting.current = null;
    keepState(environment, OPENED, null);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
  }, [environment, rows]);
  return opened;
}
