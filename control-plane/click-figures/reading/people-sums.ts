import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import type { TypedItem } from '../click-groups.js';
import type { Dimension } from '../dimensions.js';
import { hasFigures } from '../kept-days.js';
import { readAsOf } from './as-of.js';

/** Which clicks are counted; null means no restriction. */
export interface ClicksScope {
  readonly window: StatsWindow;
  /** `uuid` of a link. */
  readonly link: string | null;
  /** Key of a campaign. */
  readonly campaign: string | null;
  /** Resource types of items, by `uuid`. */
  readonly types: readonly string[] | null;
  /** An item of one of `types`, which must not be null if this is given. */
  readonly item: string | null;
  readonly nowMs: number;
}

export interface ClicksOfPeople {
  readonly as_of: string;
  readonly total: number;
  /** By `uuid`. */
  readonly links: ReadonlyMap<string, number>;
  /** By key. */
  readonly campaigns: ReadonlyMap<string, number>;
  /** By `uuid`. */
  readonly types: ReadonlyMap<string, number>;
  /** By `itemKey`. */
  readonly items: ReadonlyMap<string, number>;
}

/** The groups to count clicks of. */
export interface PeopleGroups {
  readonly links: readonly string[];
  readonly campaigns: readonly string[];
  readonly types: readonly string[];
  readonly items: readonly TypedItem[];
}

/** The figures to add up; null means no restriction within the dimension. */
interface Selected {
  readonly dimension: Dimension;
  readonly campaigns: readonly string[] | null;
  readonly subjects: readonly string[] | null;
  readonly values?: readonly string[] | null;
}

/** The key of the sum to which a figure is added, as SQL. */
const KEYS = { campaign: 'campaign', subject: 'subject_id::text', item: `subject_id::text || '/' || value` } as const;

const NONE: ReadonlyMap<string, number> = new Map();
const NO_CAMPAIGN = [''];

/** Returns clicks by people in the scope and in each of the groups, from the figures. Null if the scope goes back further than they do. */
export async function readPeopleSums(snapshot: Queryable, scope: ClicksScope, groups: PeopleGroups): Promise<ClicksOfPeople | null> {
  const { window, link, campaign, types, item, nowMs } = scope;
  if (!hasFigures(window.from, nowMs)) return null;
  const count = async (key: keyof typeof KEYS, { dimension, campaigns, subjects, values = null }: Selected) => {
    const { rows } = await snapshot.query<{ key: string; human: number }>({
      text: `SELECT ${KEYS[key]} AS key, sum(human)::float8 AS human FROM click_figures
             WHERE environment_number = $1 AND day = ANY ($2::date[]) AND dimension = $3::click_dimension
               AND ($4::text[] IS NULL OR campaign = ANY ($4)) AND ($5::uuid[] IS NULL OR subject_id = ANY ($5))
               AND ($6::text[] IS NULL OR value = ANY ($6))
             GROUP BY 1`,
      values: [window.environment_number, daysOf(window), dimension, campaigns, subjects, values],
    });
    return new Map(rows.map(({ key, human }) => [key, human]));
  };
  // A link is not an item, and an item has no campaign.
  const countLinks = async (key: 'campaign' | 'subject', selected: Selected) => (types === null ? await count(key, selected) : NONE);
  const countItems = async (key: 'subject' | 'item', selected: Selected) =>
    link === null && campaign === null ? await count(key, selected) : NONE;
  const ownCampaign = campaign === null ? null : [campaign];
  const ownLink = link === null ? null : [link];
  const ofLinks = link === null ? (campaign === null ? 'total' : 'campaign') : campaign === null ? 'link' : 'campaign_link';
  const ofItems = { dimension: item === null ? 'type' : 'item', campaigns: NO_CAMPAIGN, values: item === null ? null : [item] } as const;
  const total =
    types === null
      ? await count('campaign', { dimension: ofLinks, campaigns: ownCampaign ?? (link === null ? null : NO_CAMPAIGN), subjects: ownLink })
      : await countItems('subject', { ...ofItems, subjects: types });
  return {
    as_of: await readAsOf(snapshot, window),
    total: [...total.values()].reduce((sum, human) => sum + human, 0),
    links: await countLinks('subject', {
      dimension: campaign === null ? 'link' : 'campaign_link',
      campaigns: ownCampaign ?? NO_CAMPAIGN,
      subjects: groups.links,
    }),
    campaigns: await countLinks('campaign', {
      dimension: link === null ? 'campaign' : 'campaign_link',
      campaigns: groups.campaigns,
      subjects: ownLink,
    }),
    types: await countItems('subject', { ...ofItems, subjects: groups.types }),
    items: await countItems('item', {
      dimension: 'item',
      campaigns: NO_CAMPAIGN,
      subjects: [...new Set(groups.items.map(({ type }) => type))],
      values: groups.items.map(({ item }) => item),
    }),
  };
}
