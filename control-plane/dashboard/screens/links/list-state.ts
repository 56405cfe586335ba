import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { message } from '../../language/text.js';
import { keepState, keptState } from '../../session/kept-states.js';
import type { PagedRows } from '../../session/queries.js';
import { useConnection } from '../../session/signed-in.js';
import { LINK_STATES, type LinkState } from './link-states.js';

/** By what a list is sorted, and in which direction. */
export const ORDERS = {
  newest: { label: message('Newest first'), query: {} },
  oldest: { label: message('Oldest first'), query: { order: 'asc' } },
  name: { label: message('By name'), query: { sort: 'name' } },
  name_desc: { label: message('By name, Z first'), query: { sort: 'name', order: 'desc' } },
  clicks: { label: message('Most clicks'), query: { sort: 'clicks' } },
  clicks_asc: { label: message('Fewest clicks'), query: { sort: 'clicks', order: 'asc' } },
} as const;

export type Order = keyof typeof ORDERS;

/** What a reader sees of the list. It is a part of the address: it can be sent to others, and a reload and `back` lead to it again. */
export interface ListState {
  readonly search: string;
  readonly status: LinkState | 'archived' | '';
  readonly campaign: string;
  readonly tag: string;
  readonly order: Order;
  /** Pages that are shown. */
  readonly pages: number;
}

export const NO_FILTERS = { search: '', status: '', campaign: '', tag: '' } as const;

const PATH = '/links';
/** Not an id of a link, nor the name of another screen. */
const PREFIX = `${PATH}/list/`;
const PAGES_MAX = 1000;

function readState(location: string): ListState {
  const given = new URLSearchParams(location.startsWith(PREFIX) ? location.slice(PREFIX.length) : '');
  const status = given.get('status');
  const pages = Number(given.get('pages') ?? 1);
  return {
    search: given.get('search') ?? '',
    status: [...LINK_STATES, 'archived' as const].find((name) => name === status) ?? '',
    campaign: given.get('campaign') ?? '',
    tag: given.get('tag') ?? '',
    order: (Object.keys(ORDERS) as Order[]).find((name) => name === given.get('order')) ?? 'newest',
    pages: Number.isInteger(pages) && pages > 1 ? Math.min(pages, PAGES_MAX) : 1,
  };
}

function addressOf({ order, pages, ...filters }: ListState): string {
  const members = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams([
    ...members,
    ...(order === 'newest' ? [] : [['order', order] as [string, string]]),
    ...(pages === 1 ? [] : [['pages', String(pages)] as [string, string]]),
  ]);
  return members.length === 0 && order === 'newest' && pages === 1 ? PATH : `${PREFIX}${query}`;
}

/** The list as it was shown last, and the link that was opened from it; by environment. */
interface LeftList {
  readonly address: string;
  readonly link: string | null;
}

const LEFT = 'links/left';
const leftList = (environment: string) => keptState<LeftList>(environment, LEFT);
const leaveList = (environment: string, list: LeftList) => keepState(environment, LEFT, list);

/** Where the way back from a link leads. */
export function useListAddress(): string {
  return leftList(useConnection().environment)?.address ?? PATH;
}

interface ListPlace {
  readonly state: ListState;
  /** Changes the state, and begins with its first page again. `inPlace` makes no step for `back`: each letter of a search is none. */
  readonly change: (part: Partial<ListState>, inPlace?: boolean) => void;
  /** Remembers the link that is opened. */
  readonly open: (link: string) => void;
}

export function useListState(): ListPlace {
  const { environment } = useConnection();
  const [location, navigate] = useLocation();
  const state = useMemo(() => readState(location), [location]);
  useEffect(() => {
    if (location === PATH || location.startsWith(PREFIX))
      leaveList(environment, { address: location, link: leftList(environment)?.link ?? null });
  }, [environment, location]);
  return {
    state,
    change: (part, inPlace = false) => navigate(addressOf({ ...state, pages: 1, ...part }), { replace: inPlace }),
    open: (link) => leaveList(environment, { address: location, link }),
  };
}

/** Reads as many pages as the address says, and brings the reader back to the row that they opened. Returns its id. */
export function useReturn({ rows, query }: PagedRows<{ readonly id: string }>, pages: number): string | null {
  const { environment } = useConnection();
  const read = query.data?.pages.length ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (read > 0 && read < pages && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [read, pages, hasNextPage, isFetching, isError, fetchNextPage]);
  const [opened] = useState(() => leftList(environment)?.link ?? null);
  const waiting = useRef(opened);
  useEffect(() => {
    if (waiting.current === null || !rows.some(({ id }) => id === waiting.current)) return;
    const row = document.querySelector<HTMLElement>(`[href$="/links/${waiting.current}"]`);
    waiting.current = null;
    leaveList(environment, { address: leftList(environment)?.address ?? PATH, link: null });
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
  }, [environment, rows]);
  return opened;
}
