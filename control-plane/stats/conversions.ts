import { MATCH_TYPES } from '../../shared/attribution/outcome.js';
import { idToUuid } from '../../shared/base/ids.js';
import { CONVERSIONS_LIMIT_DEFAULT, type Conversions, type ConversionsQuery } from '../../shared/contract/schemas/conversions.js';
import { readLogRange } from '../click-figures/log-query.js';
import { readWindow } from '../click-figures/window.js';
import { readClicksOfPeople } from './clicks-of-people.js';
import { type ConversionCount, readConversions } from './conversions-sql.js';
import { checkDays } from './log-bounds.js';
import { readLinkPaths } from './names.js';
import { readStatistics, type StatsSource } from './source.js';

const DAYS_DEFAULT = 30;

interface Asked {
  readonly environmentId: string;
  readonly query: ConversionsQuery;
  readonly keptDays: ConversionDaysKept;
  readonly nowMs: number;
}

/** For how many days the parts of the answer are kept. */
export interface ConversionDaysKept {
  /** CLICK_RETENTION_DAYS. */
  readonly clicks: number;
  /** EVENT_RETENTION_DAYS: opens and tracked events. */
  readonly events: number;
  /** INSTALL_RETENTION_DAYS. */
  readonly installs: number;
}

/** Days are counted as long as all of their parts are there: what is dropped would read as what never was. */
function shortestKept({ clicks, events, installs }: ConversionDaysKept): { readonly kept: string; readonly retentionDays: number } {
  if (events < Math.min(clicks, installs)) return { kept: 'opens and events', retentionDays: events };
  return installs < clicks ? { kept: 'installations', retentionDays: installs } : { kept: 'clicks', retentionDays: clicks };
}

/** What the clicks of the environment have led to: installations, opens and tracked events. */
export function queryConversions(source: StatsSource, { environmentId, query, keptDays, nowMs }: Asked): Promise<Conversions> {
  return readStatistics(source, async (snapshot, reading) => {
    const window = await readWindow(snapshot, environmentId, { from: query.from ?? null, to: query.to ?? null, days: DAYS_DEFAULT }, nowMs);
    checkDays(window, { query, nowMs, ...shortestKept(keptDays) });
    const link = query.link ?? null;
    const campaign = query.campaign ?? null;
    const counts = await readConversions(snapshot, {
      environmentId,
      range: await readLogRange(snapshot, window),
      link,
      campaign,
      limit: query.limit ?? CONVERSIONS_LIMIT_DEFAULT,
    });
    const links = groupsOf(counts, 'link');
    const campaigns = groupsOf(counts, 'campaign');
    const uuids = links.flatMap(({ key }) => idToUuid('link', key) ?? []);
    const scope = { window, link: link === null ? null : idToUuid('link', link), campaign, nowMs };
    const clicks = await readClicksOfPeople(snapshot, reading, scope, {
      links: uuids,
      campaigns: campaigns.map(({ key }) => key),
    });
    const paths = await readLinkPaths(snapshot, environmentId, uuids);
    return {
      from: window.from,
      to: window.to,
      timezone: window.time_zone,
      as_of: clicks.as_of,
      totals: { clicks: clicks.total, ...reachedOf(of(counts, 'total')), organic_installs: sumOf(of(counts, 'total'), 'organic') },
      match_types: MATCH_TYPES.map((match_type) => ({
        match_type,
        installs: sumOf(
          of(counts, 'total').filter((count) => count.match_type === match_type),
          'install',
        ),
      })),
      events: groupsOf(counts, 'event').map(({ key, events, values }) => ({ name: key, count: events, values })),
      campaigns: campaigns.map(({ key, ...rest }) => ({
        campaign: key === '' ? null : key,
        clicks: key === '' ? null : (clicks.campaigns.get(key) ?? 0),
        ...rest,
      })),
      links: links.map(({ key, ...rest }) => {
        const uuid = idToUuid('link', key);
        return {
          link: key === '' ? null : key,
          path: uuid === null ? null : (paths.get(uuid) ?? null),
          clicks: uuid === null ? null : (clicks.links.get(uuid) ?? 0),
          ...rest,
        };
      }),
    };
  });
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

/** The groups of a part, those with most installations first, then those with most of all else. */
function groupsOf(
  counts: readonly ConversionCount[],
  part: 'event' | 'campaign' | 'link',
): readonly (Reached & { readonly key: string })[] {
  const keys = new Map<string, ConversionCount[]>();
  for (const count of of(counts, part)) {
    const own = keys.get(count.key);
    if (own === undefined) keys.set(count.key, [count]);
    else own.push(count);
  }
  return [...keys]
    .map(([key, own]) => ({ key, ...reachedOf(own) }))
    .toSorted((a, b) => b.installs - a.installs || b.opens + b.events - (a.opens + a.events) || (a.key < b.key ? -1 : 1));
}
