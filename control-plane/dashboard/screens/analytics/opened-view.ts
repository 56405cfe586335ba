import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import type { View, ViewPatch } from '../../../../shared/contract/schemas/view.js';
import type { ApiError } from '../../api/client.js';
import { useLeave } from '../../parts/leave.js';
import { useRead } from '../../session/queries.js';
import { useConnection } from '../../session/signed-in.js';
import { type Asked, lastDays, PATH, parametersOf, readAsked } from './asked.js';

/** What is shown, in the form in which the API stores a view. */
export function viewOf({ range, from, to, interval, by, count, compare, filters }: Asked): Omit<ViewPatch, 'name'> {
  return {
    ...(range === null ? { from, to } : { range }),
    interval,
    breakdown: by,
    measure: count,
    compare,
    filters,
  };
}

function askedOf({ range, from, to, interval, breakdown, measure, compare, filters }: View, timeZone: string): Asked {
  const days = from === null || to === null ? lastDays(range ?? 'last_30_days', timeZone) : { range: null, from, to };
  return { ...days, interval, by: breakdown ?? 'link', count: measure, compare, filters };
}

function isSame(one: Asked, other: Asked): boolean {
  const parts = (asked: Asked) => [...parametersOf(asked)].sort().join();
  return parts(one) === parts(other);
}

/** Returns a function that puts a saved view into the cache. Otherwise the screen would show the old state until the view is read again. */
export function useSavedView(): (view: View) => void {
  const { environment } = useConnection();
  const client = useQueryClient();
  return (view) => client.setQueryData([environment, '/views/{view}', { params: { view: view.id } }], view);
}

/** The view that the address names. */
export interface OpenedView {
  readonly id: string;
  /** Null until it has been read. */
  readonly saved: View | null;
  /** Whether what is shown differs from the saved view. */
  readonly isChanged: boolean;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/** Changes what is asked. With `inPlace`, the browser's history gets no new entry, as for each typed part of a date. */
export type Ask = (asked: Asked, inPlace?: boolean) => void;

interface Analytics {
  /** Null until the view that defines it has been read, and if it could not be read. */
  readonly asked: Asked | null;
  readonly ask: Ask;
  readonly view: OpenedView | null;
  /** Opens a view. Null closes the open one, without changing what is shown. */
  readonly open: (view: string | null) => void;
}

/**
 * The address contains either everything that the user has chosen, or only a view, whose saved state then applies whenever the address is
 * opened. If it contains both, the view is open and has unsaved changes.
 */
export function useAnalytics(timeZone: string): Analytics {
  // The address exactly as in the address bar, because wouter's `useLocation` decodes part of it.
  const [location] = useHashLocation();
  const navigate = useLeave();
  const given = new URLSearchParams(location.slice(PATH.length + 1));
  const id = given.get('view');
  given.delete('view');
  const { data, error, refetch } = useRead('GET /views/{view}', { params: { view: id ?? '' } }, { enabled: id !== null });
  const saved = id === null || data === undefined ? null : data;
  const isAlone = id !== null && [...given].length === 0;
  const asked = !isAlone ? readAsked(given, timeZone) : saved === null ? null : askedOf(saved, timeZone);
  // While a view is read, the previous choices stay on the screen. For a view that was just saved, they are the same.
  const last = useRef<Asked | null>(null);
  if (asked !== null) last.current = asked;
  const before = error === null ? last.current : null;
  // If the view no longer exists, the screen says so and starts without one. If it could not be read, nothing else is shown in its place.
  const shown = asked ?? (error?.code === 'not_found' ? readAsked(given, timeZone) : before);
  const isChanged = !isAlone && saved !== null && asked !== null && !isSame(asked, askedOf(saved, timeZone));
  const go = (view: string | null, next: Asked | null, inPlace = false) => {
    const parameters = next === null ? new URLSearchParams() : parametersOf(next);
    navigate(`${PATH}/${new URLSearchParams([...(view === null ? [] : [['view', view]]), ...parameters])}`, { replace: inPlace });
  };
  return {
    asked: shown,
    ask: (next, inPlace) => go(id, saved !== null && isSame(next, askedOf(saved, timeZone)) ? null : next, inPlace),
    view: id === null ? null : { id, saved, isChanged, error, retry: () => void refetch() },
    open: (view) => go(view, view === null ? shown : null),
  };
}
