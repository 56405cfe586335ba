/** Stands for "no link and no type" in `click_figures.subject_id`. */
export const NO_SUBJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Every dimension that clicks are counted in, in the order of the type `click_dimension` of the schema. What a figure of it is
 * of, as its row says it in the columns `campaign`, `subject_id` and `value`, is written in day-count.ts.
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
  'link_platform',
  'link_country',
  'link_referrer',
  'campaign_platform',
  'campaign_country',
  'campaign_referrer',
  'campaign_link',
] as const;

export type Dimension = (typeof DIMENSION_NAMES)[number];
