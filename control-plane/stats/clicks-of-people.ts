import { CLICK_FIGURES_DAYS } from '../../shared/base/limits.js';
import { dayBefore } from '../click-figures/days.js';
import type { Dimension } from '../click-figures/dimensions.js';
import { countGroups, readLogRange } from '../click-figures/log-query.js';
import { createParameters } from '../click-figures/parameters.js';
import { readAsOf } from '../click-figures/reading.js';
import { daysOf, type StatsWindow } from '../click-figures/window.js';
import type { Queryable } from '../db/database.js';
import { checkLogSize, STORED_WITHIN_MS } from './log-bounds.js';

export interface ClicksScope {
  readonly window: StatsWindow;
  /** `uuid` of the only link that is counted. */
  readonly link: string | null;
  /** Key of the only campaign that is counted. */
  readonly campaign: string | null;
  readonly nowMs: number;
}

export interface ClicksOfPeople {
  readonly as_of: string;
  readonly total: number;
  /** By `uuid`. */
  readonly links: ReadonlyMap<string, number>;
  /** By key. */
  readonly campaigns: ReadonlyMap<string, number>;
}

/** What clicks are counted by. */
interface Groups {
  readonly links: readonly string[];
  readonly campaigns: readonly string[];
}

/** Clicks of people in the scope, and of the links and campaigns that are named: from the sums of the newest days, else from the log. */
export async function readClicksOfPeople(snapshot: Queryable, scope: ClicksScope, groups: Groups): Promise<ClicksOfPeople> {
  const { window, nowMs } = scope;
  if (window.from > dayBefore(nowMs, CLICK_FIGURES_DAYS - 1)) return readSummed(snapshot, scope, groups);
  await checkLogSize(snapshot, [{ window, readings: 3 }]);
  return readLogged(snapshot, scope, groups);
}

async function readSummed(snapshot: Queryable, { window, link, campaign }: ClicksScope, groups: Groups): Promise<ClicksOfPeople> {
  const count = async (
    key: 'campaign' | 'subject_id',
    dimension: Dimension,
    campaigns: readonly string[] | null,
    links: readonly string[] | null,
  ) => {
    const { rows } = await snapshot.query<{ key: string; human: number }>({
      text: `SELECT ${key}::text AS key, sum(human)::float8 AS human FROM click_figures
             WHERE environment_number = $1 AND day = ANY ($2::date[]) AND dimension = $3::click_dimension
               AND ($4::text[] IS NULL OR campaign = ANY ($4)) AND ($5::uuid[] IS NULL OR subject_id = ANY ($5))
             GROUP BY 1`,
      values: [window.environment_number, daysOf(window), dimension, campaigns, links],
    });
    return new Map(rows.map(({ key, human }) => [key, human]));
  };
  const ownCampaign = campaign === null ? null : [campaign];
  const ownLink = link === null ? null : [link];
  const dimension = link === null ? (campaign === null ? 'total' : 'campaign') : campaign === null ? 'link' : 'campaign_link';
  const total = await count('campaign', dimension, ownCampaign ?? (link === null ? null : ['']), ownLink);
  return {
    as_of: await readAsOf(snapshot, window),
    total: [...total.values()].reduce((sum, human) => sum + human, 0),
    links: await count('subject_id', campaign === null ? 'link' : 'campaign_link', ownCampaign ?? [''], groups.links),
    campaigns: await count('campaign', link === null ? 'campaign' : 'campaign_link', groups.campaigns, ownLink),
  };
}

async function readLogged(snapshot: Queryable, { window, link, campaign, nowMs }: ClicksScope, groups: Groups): Promise<ClicksOfPeople> {
  const range = await readLogRange(snapshot, window);
  const count = async (key: string, condition: (add: (value: unknown) => string) => string) => {
    const parameters = createParameters();
    const { add } = parameters;
    const conditions = [
      condition(add),
      ...(link === null ? [] : [`kind = 'link' AND subject_id = ${add(link)}::uuid`]),
      ...(campaign === null ? [] : [`campaign = ${add(campaign)}`]),
    ];
    const rows = await countGroups(snapshot, { range, conditions, key, limit: Number.MAX_SAFE_INTEGER, parameters });
    return new Map(rows.map(({ value, human }) => [value ?? '', human]));
  };
  return {
    as_of: new Date(nowMs - STORED_WITHIN_MS).toISOString(),
    total: (await count(`''`, () => 'true')).get('') ?? 0,
    links: await count('subject_id', (add) => `kind = 'link' AND subject_id = ANY (${add(groups.links)}::uuid[])`),
    campaigns: await count('campaign', (add) => `campaign = ANY (${add(groups.campaigns)}::text[])`),
  };
}
