import { MATCH_TYPES } from '../../shared/attribution/outcome.js';
import { compareBytes } from '../../shared/base/compare-bytes.js';
import { groupBy } from '../../shared/base/group-by.js';
import { idToUuid } from '../../shared/base/ids.js';
import { CONVERSIONS_LIMIT_DEFAULT, type Conversions, type ConversionsQuery } from '../../shared/contract/schemas/conversions.js';
import { itemKey, readLogRange } from '../click-figures/click-groups.js';
import type { ClicksOfPeople, PeopleGroups } from '../click-figures/reading/people-sums.js';
import type { Queryable } from '../db/database.js';
import { shownDays } from '../local-days/window.js';
import type { Retention } from '../settings.js';
import { readClicksOfPeople } from './clicks-of-people.js';
import { type ConversionCount, readConversions } from './conversions-sql.js';
import { readLinkPaths, readTypeUuids } from './names.js';
import { readWindowAsked } from './query-days.js';
import { readStatistics, type StatsSource } from './source.js';

export const CONVERSIONS_DAYS_DEFAULT = 30;

interface Asked {
  readonly environmentId: string;
  readonly query: ConversionsQuery;
  readonly keptDays: Retention;
  readonly nowMs: number;
}

/** The shortest retention. Only days with all of their parts are counted, because a dropped part would look as if it never existed. */
export function shortestKept({ clicks, events, installs }: Retention): { readonly kept: string; readonly retentionDays: number } {
  if (events < Math.min(clicks, installs)) return { kept: 'opens and events', retentionDays: events };
  return installs < clicks ? { kept: 'installations', retentionDays: installs } : { kept: 'clicks', retentionDays: clicks };
}

/** Counts what the clicks of the environment have led to: installations, opens and tracked events. */
export function queryConversions(source: StatsSource, { environmentId, query, keptDays, nowMs }: Asked): Promise<Conversions> {
  return readStatistics(source, async (snapshot, reading) => {
    const window = await readWindowAsked(snapshot, environmentId, CONVERSIONS_DAYS_DEFAULT, { query, nowMs, ...shortestKept(keptDays) });
    const { link = null, campaign = null, resource_type = null, item = null, limit = CONVERSIONS_LIMIT_DEFAULT } = query;
    const range = await readLogRange(snapshot, window);
    const counts = await readConversions(snapshot, { environmentId, range, link, campaign, resource_type, item, limit });
    const typeUuids = await readTypeUuids(snapshot, environmentId);
    const types = resource_type === null && item === null ? null : typesNamed(typeUuids, resource_type);
    const scope = { window, link: link === null ? null : idToUuid('link', link), campaign, types, item, nowMs };
    const groups = await readGroups(snapshot, counts, { environmentId, typeUuids }, (named) => readClicksOfPeople(reading, scope, named));
    return { ...shownDays(window), ...groups };
  });
}

interface Names {
  readonly environmentId: string;
  /** `uuid` of resource types by their keys. */
  readonly typeUuids: ReadonlyMap<string, string>;
}

/** The types whose items are counted: the one with the key, or all if `key` is null. */
function typesNamed(typeUuids: Names['typeUuids'], key: string | null): readonly string[] {
  if (key === null) return [...typeUuids.values()];
  const uuid = typeUuids.get(key);
  return uuid === undefined ? [] : [uuid];
}

/** Returns the counts by group, with the clicks of each group. */
async function readGroups(
  snapshot: Queryable,
  counts: readonly ConversionCount[],
  { environmentId, typeUuids }: Names,
  readClicks: (named: PeopleGroups) => Promise<ClicksOfPeople>,
): Promise<Omit<Conversions, 'from' | 'to' | 'timezone'>> {
  const total = of(counts, 'total');
  const campaigns = groupsOf(counts, 'campaign');
  const links = groupsOf(counts, 'link').map((group) => ({ ...group, uuid: idToUuid('link', group.key) }));
  const types = groupsOf(counts, 'resource_type').map((group) => ({ ...group, uuid: typeUuids.get(group.key) ?? '' }));
  const items = groupsOf(counts, 'item').map((group) => ({
    ...group,
    named: { type: typeUuids.get(group.type_key) ?? '', item: group.key },
  }));
  const uuids = links.flatMap(({ uuid }) => uuid ?? []);
  const clicks = await readClicks({
    links: uuids,
    campaigns: campaigns.map(({ key }) => key),
    types: types.map(({ uuid }) => uuid),
    items: items.map(({ named }) => named),
  });
  const paths = await readLinkPaths(snapshot, environmentId, uuids);
  return {
    as_of: clicks.as_of,
    totals: { clicks: clicks.total, ...reachedOf(total), organic_installs: sumOf(total, 'organic') },
    match_types: MATCH_TYPES.map((match_type) => ({
      match_type,
      installs: sumOf(
        total.filter((count) => count.match_type === match_type),
        'install',
      ),
    })),
    events: groupsOf(counts, 'event').map(({ key, reached }) => ({ name: key, count: reached.events, values: reached.values })),
    campaigns: campaigns.map(({ key, reached }) => ({
      campaign: key === '' ? null : key,
      clicks: key === '' ? null : (clicks.campaigns.get(key) ?? 0),
      ...reached,
    })),
    links: links.map(({ key, uuid, reached }) => ({
      link: key === '' ? null : key,
      path: uuid === null ? null : (paths.get(uuid) ?? null),
      clicks: uuid === null ? null : (clicks.links.get(uuid) ?? 0),
      ...reached,
    })),
    resource_types: types.map(({ key, uuid, reached }) => ({ resource_type: key, clicks: clicks.types.get(uuid) ?? 0, ...reached })),
    items: items.map(({ key, type_key, named, reached }) => ({
      resource_type: type_key,
      item: key,
      clicks: clicks.items.get(itemKey(named)) ?? 0,
      ...reached,
    })),
  };
}

type Reached = Pick<Conversions['totals'], 'installs' | 'opens' | 'events' | 'values'>;

function of(counts: readonly ConversionCount[], part: ConversionCount['part']): readonly ConversionCount[] {
  return counts.filter((count) => count.part === part);
}

function sumOf(counts: readonly ConversionCount[], what: ConversionCount['what']): number {
  return counts.reduce((sum, count) => (count.what === what ? sum + count.count : sum), 0);
}

function reachedOf(counts: readonly ConversionCount[]): Reached {
  const values = counts.flatMap(({ currency, value }) => (value === null ? [] : [{ currency, sum: value }]));
  return {
    installs: sumOf(counts, 'install'),
    opens: sumOf(counts, 'open'),
    events: sumOf(counts, 'event'),
    values: values.toSorted((a, b) => (a.currency ?? '').localeCompare(b.currency ?? '')),
  };
}

type Group = Pick<ConversionCount, 'key' | 'type_key'> & { readonly reached: Reached };

/** The groups of a part, ordered by installations, and then by opens and events together. */
function groupsOf(counts: readonly ConversionCount[], part: ConversionCount['part']): readonly Group[] {
  const groups = groupBy(of(counts, part), ({ type_key, key }) => `${type_key}/${key}`);
  const reached = [...groups].map(([name, own]) => ({ ...(own[0] as ConversionCount), name, reached: reachedOf(own) }));
  const others = ({ reached: { opens, events } }: Group): number => opens + events;
  return reached.toSorted((a, b) => b.reached.installs - a.reached.installs || others(b) - others(a) || compareBytes(a.name, b.name));
}
