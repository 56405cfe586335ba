import { CLICK_FIGURES_DAYS } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { dayBefore } from './days.js';
import type { Dimension } from './dimensions.js';
import { readAsOf } from './reading.js';
import { daysOf, type StatsWindow } from './window.js';

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
export interface PeopleGroups {
  readonly links: readonly string[];
  readonly campaigns: readonly string[];
}

/** Clicks of people in the scope, and of the links and campaigns that are named, from the sums of the newest days. Null if the scope goes back farther. */
export async function readPeopleSums(
  snapshot: Queryable,
  { window, link, campaign, nowMs }: ClicksScope,
  groups: PeopleGroups,
): Promise<ClicksOfPeople | null> {
  if (window.from <= dayBefore(nowMs, CLICK_FIGURES_DAYS - 1)) return null;
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
