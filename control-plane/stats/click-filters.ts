import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import { CLICK_FILTERS, type ClickDimension, type ClickFilter, type ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { ClickCondition } from '../click-figures/click-groups.js';
import type { Queryable } from '../db/database.js';
import { readTypeUuids } from './names.js';

/** The conditions of the query's filters. Without conditions all clicks match; a name that the environment does not know matches none. */
export async function readClickFilters(database: Queryable, environmentId: string, query: ClicksQuery): Promise<readonly ClickCondition[]> {
  const types = query.resource_type ? await readTypeUuids(database, environmentId) : new Map<string, string>();
  const given = CLICK_FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]));
  const loggedValue = (name: ClickFilter, value: string): string | null => {
    if (name === 'link') return idToUuid('link', value);
    return name === 'resource_type' ? (types.get(value) ?? null) : value;
  };
  return [
    ...given.map(([name, value]): ClickCondition => {
      if (value === '') return { field: name, value: null };
      const known = loggedValue(name, value);
      return known === null ? 'never' : { field: name, value: known };
    }),
    ...(query.tag === undefined ? [] : [{ tagOf: environmentId, tag: query.tag === '' ? null : query.tag }]),
  ];
}

/** The value of a group as the API shows it; null if there is none. */
export function shownValue(name: ClickDimension, value: string | null, typeKeys: ReadonlyMap<string, string>): string | null {
  if (value === null || value === '') return null;
  if (name === 'link') return uuidToId('link', value);
  return name === 'resource_type' ? (typeKeys.get(uuidToId('resourceType', value)) ?? null) : value;
}
