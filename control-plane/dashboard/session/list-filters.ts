import { useEffect, useMemo } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import { keepState, keptState } from './kept-states.js';
import { useConnection } from './signed-in.js';

/** Changes some filters. `inPlace` makes no step for `back`: each part of a date that is typed is none. */
type ChangeFilters<Values> = (part: Partial<Values>, inPlace?: boolean) => void;

/**
 * Filters of the list at `path`. They are a part of the address, such as `/campaigns/list/status=ended`: it can be sent to others, and
 * a reload and `back` lead to it again. A filter that is as in `none` is not in it;
 * the filters are the same object for as long as the address and `none` are.
 */
export function useListFilters<Values extends Readonly<Record<keyof Values, string>>>(
  path: string,
  none: Values,
): readonly [Values, ChangeFilters<Values>] {
  const { environment } = useConnection();
  // As it stands in the address bar: `useLocation` of wouter has decoded a part of it, and what is searched for may hold a percent sign.
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

/** Where the way back to the list at `path` leads: to its filters of before. */
export function useLeftList(path: string): string {
  return keptState<string>(useConnection().environment, leftAt(path)) ?? path;
}

function leftAt(path: string): string {
  return `${path}/left`;
}
