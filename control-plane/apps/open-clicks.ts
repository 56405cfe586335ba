import { matchKey } from '../../shared/attribution/match-key.js';
import type { ClickSearch, NamedClick, OpenClicks } from '../../shared/attribution/match-open.js';
import { idToUuid } from '../../shared/base/ids.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import * as sql from './sql.js';
import { takeOpenClick } from './take-click.js';

const uuidOf = ({ id }: NamedClick): string => idToUuid('click', id) as string;

/** The open clicks of the environment, as the matching rules need them. */
export function openClicksOf(database: Queryable, { id, number }: Pick<EnvironmentRecord, 'id' | 'number'>): OpenClicks<sql.OpenClick> {
  return {
    find: (named) => sql.findOpenClick(database, number, uuidOf(named), new Date(named.occurredMs)),
    isUsed: (named) => sql.isClickUsed(database, id, uuidOf(named)),
    async candidates(search, limit) {
      const times = { since: new Date(search.sinceMs), until: new Date(search.untilMs) };
      const keys = await matchKeysOf(database, search);
      return keys.length === 0 ? [] : sql.listCandidates(database, keys, times, limit);
    },
  };
}

/** Takes a click for an open. `search` is null if the open has nothing in common with clicks by which they could be searched. */
export async function takeClick(database: Queryable, click: sql.OpenClick, search: ClickSearch | null): Promise<boolean> {
  const sinceMs = search?.sinceMs ?? click.occurred_at.getTime();
  return takeOpenClick(database, click, { sinceMs, matchKeys: search === null ? [] : await matchKeysOf(database, search) });
}

/** Returns a match key for each day that the search covers. */
async function matchKeysOf(database: Queryable, search: ClickSearch): Promise<readonly string[]> {
  const keys = await sql.readAddressKeys(database, new Date(search.sinceMs));
  return keys.map((key) => matchKey(key, search).toString());
}
