import { matchKey } from '../../shared/attribution/match-key.js';
import type { NamedClick, OpenClicks } from '../../shared/attribution/match-open.js';
import { idToUuid } from '../../shared/base/ids.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import * as sql from './sql.js';

const uuidOf = ({ id }: NamedClick): string => idToUuid('click', id) as string;

/** The open clicks of the environment, for the rules to ask. */
export function openClicksOf(database: Queryable, { id, number }: Pick<EnvironmentRecord, 'id' | 'number'>): OpenClicks<sql.OpenClick> {
  return {
    find: (named) => sql.findOpenClick(database, number, uuidOf(named), new Date(named.occurredMs)),
    isUsed: (named) => sql.isClickUsed(database, id, uuidOf(named)),
    async candidates(search, limit) {
      const times = { since: new Date(search.sinceMs), until: new Date(search.untilMs) };
      const keys = await sql.readAddressKeys(database, times.since);
      const matchKeys = keys.map((key) => matchKey(key, search).toString());
      return matchKeys.length === 0 ? [] : sql.listCandidates(database, matchKeys, times, limit);
    },
  };
}
