import { idToUuid } from '../../shared/base/ids.js';
import { CLICK_DIMENSIONS, type ClickMeasure, type ClicksAnswer } from '../../shared/contract/schemas/clicks-query.js';
import type { SharedView } from '../../shared/contract/schemas/view.js';
import { addCounts, compareCounts, countsOf } from '../click-figures/counts.js';
import type { Queryable } from '../db/database.js';
import { asRefusal, refuse } from '../http/problems.js';
import { readLinkPaths } from '../stats/names.js';
import { queryClicks } from '../stats/query-clicks.js';
import type { StatsSource } from '../stats/source.js';
import { clicksQueryOf } from './rules.js';
import type { SharedViewRow } from './share-sql.js';
import type { ViewQuery } from './view-row.js';

interface Counting {
  /** CLICK_RETENTION_DAYS. */
  readonly retentionDays: number;
  readonly nowMs: number;
}

/** Counts what the view shows to the public: no ids, and links by their paths. */
export async function countSharedView(source: StatsSource, row: SharedViewRow, { retentionDays, nowMs }: Counting): Promise<SharedView> {
  const { environment_id, name, query: view } = row;
  const query = clicksQueryOf(view, row.time_zone, nowMs);
  if (query.from > query.to)
    throw refuse('conflict', `The first day of this view, ${query.from}, is in the future: there are no clicks to count until then.`);
  const answer = await queryClicks(source, { environmentId: environment_id, query, retentionDays, nowMs }).catch((error: unknown) => {
    throw asRefusal(error)?.code === 'validation_failed' ? uncountable() : error;
  });
  return {
    name,
    from: answer.from,
    to: answer.to,
    timezone: answer.timezone,
    as_of: answer.as_of,
    interval: query.interval as SharedView['interval'],
    measure: view.measure,
    filters: await shownFilters(source.database, environment_id, view.filters),
    totals: answer.totals,
    previous: answer.previous,
    series: answer.series,
    breakdown_by: view.breakdown,
    breakdown: shownGroups(answer.breakdown, view.breakdown === 'link', view.measure),
  };
}

/** Shows links by their paths. Links that no longer exist are in one group with clicks on anything that is not a link. */
function shownGroups(groups: ClicksAnswer['breakdown'], isOfLinks: boolean, measure: ClickMeasure): SharedView['breakdown'] {
  if (!isOfLinks) return groups.map(({ value, resource_type, ...counts }) => ({ value, resource_type, ...countsOf(counts) }));
  const others = groups.filter(({ name }) => name === null);
  const named = groups
    .filter(({ name }) => name !== null)
    .map(({ name, ...counts }) => ({ value: name, resource_type: null, ...countsOf(counts) }));
  return others.length === 0
    ? named
    : [...named, { value: null, resource_type: null, ...addCounts(others) }].sort((one, other) => compareCounts(measure, one, other));
}

/** Replaces a refusal that names fields of a query, because the reader has not written the query. */
function uncountable() {
  return refuse(
    'conflict',
    'The clicks of these days cannot be counted: there are too many of them, or they are no longer kept. The owner of the view can choose other days.',
  );
}

async function shownFilters(database: Queryable, environmentId: string, filters: ViewQuery['filters']): Promise<SharedView['filters']> {
  const linkId = idToUuid('link', filters.link ?? '');
  const paths = linkId === null ? new Map<string, string>() : await readLinkPaths(database, environmentId, [linkId]);
  return CLICK_DIMENSIONS.flatMap((filter) => {
    const value = filters[filter];
    if (value === undefined) return [];
    return [{ filter, value: value === '' ? null : filter === 'link' ? (paths.get(linkId ?? '') ?? null) : value }];
  });
}
