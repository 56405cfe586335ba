import { useEffect, useMemo } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import { keepState, keptState } from './kept-states.js';
import { useConnection } from './signed-in.js';

/** Changes some filters. With `inPlace`, the browser's history gets no new entry, as for each typed part of a date. */
type ChangeFilters<Values> = (part: Partial<Values>, inPlace?: boolean) => void;

/**
 * Filters of the list at `path`. They are part of the address, such as `/campaigns/list/status=ended`, so that it can be sent to others,
 * and restored by a reload or by the back button. Filters that are equal to those in `none` are left out of the address. The returned
 * filters are the same object for as long as the address and `none` are the same.
 */
export function useListFilters<Values extends Readonly<Record<keyof Values, string>>>(
  path: string,
  none: Values,
): readonly [Values, ChangeFilters<Values>] {
  const { environment } = useConnection();
  // The address exactly as in the address bar. wouter's `useLocation` decodes part of it, which breaks search texts with a percent sign.
  const [location, navigate] = useHashLocation();
  const prefix = `${path}/list/`;
  const isShown = location === path || location.startsWith(prefix);
  useEffect(() => {
    if (isShown) keepState(environment, leftAt(path), location);
  }, [environment, path, isShown, location]);
  const filters = useMemo(() => {
    const given = new URLSearchParams(location.startsWith(prefix) ? location.slice(prefix.length) : '');
    return Object.fromEntries(Object.entries<string>(none).map(([name, value]) => [name, given.get(name) ?? value])) as Values;
  }, [location, prefix, none]);
  const change: ChangeFilters<Values> = (part, inPlace = false) => {
    const members = Object.entries<string>({ ...filters, ...part }).filter(([name, value]) => value !== none[name as keyof Values]);
    navigate(members.length === 0 ? path : `${prefix}${new URLSearchParams(members)}`, { replace: inPlace });
  };
  return [filters, change];
}

/** The address that leads back to the list at `path`, with the filters it had last. */
export function useLeftList(path: string): string {
  return keptState<string>(useConnection().environment, leftAt(path)) ?? path;
}

function leftAt(path: string): string {
  return `${path}/left`;
}
