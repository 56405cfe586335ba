import type { ClickFilter } from '../../shared/contract/schemas/clicks-query.js';

/** Stands for "no link and no type" in `click_figures.subject_id`. */
export const NO_SUBJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Dimensions whose figures are rows. day-count/day-count.ts defines what each of them stores in the columns `campaign`, `subject_id` and
 * `value`.
 */
export const DIMENSION_NAMES = [
  'total',
  'hour',
  'platform',
  'country',
  'referrer',
  'campaign',
  'link',
  'type',
  'item',
  'campaign_link',
] as const;

export type Dimension = (typeof DIMENSION_NAMES)[number];

/** The dimension of the figures for each field of a click that has one. */
export const FIELD_DIMENSIONS: Readonly<Partial<Record<ClickFilter, Dimension>>> = {
  platform: 'platform',
  country: 'country',
  referrer_host: 'referrer',
  link: 'link',
  campaign: 'campaign',
  resource_type: 'type',
  item: 'item',
};

/** Fields whose values are in figures, but not the clicks without a value. */
export const FIELDS_WITHOUT_NULL: readonly ClickFilter[] = ['link', 'campaign', 'resource_type', 'item'];

/** Dimensions of a link or a campaign whose figures of a day share one row, with a line for each value. */
export const BREAKDOWN_DIMENSIONS = ['platform', 'country', 'referrer'] as const;

export type BreakdownDimension = (typeof BREAKDOWN_DIMENSIONS)[number];

/** Dimensions whose lists may be long, because the number of links, items, referrers, campaigns and links of a campaign is not limited. */
export const LONG_LISTS = ['link', 'item', 'referrer', 'campaign', 'campaign_link'] as const satisfies readonly Dimension[];

export type LongList = (typeof LONG_LISTS)[number];

/** The same for SQL. */
export const LONG_LIST_NAMES = LONG_LISTS.map((dimension) => `'${dimension}'`).join(', ');

/** Identifies a figure's list within its dimension, as SQL. The items of each type and the links of each campaign are separate lists. */
export const LIST_ID = `CASE dimension WHEN 'item' THEN subject_id::text WHEN 'campaign_link' THEN campaign ELSE '' END`;
