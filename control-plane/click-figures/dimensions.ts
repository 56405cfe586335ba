/** Stands for "no link and no type" in `click_figures.subject_id`. */
export const NO_SUBJECT = '00000000-0000-0000-0000-000000000000';

/**
 * Dimensions whose figures are rows. day-count.ts defines what each of them stores in the columns `campaign`, `subject_id` and
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

/** Dimensions of a link or a campaign whose figures of a day share one row, with a line for each value. */
export const BREAKDOWN_DIMENSIONS = ['platform', 'country', 'referrer'] as const;

export type BreakdownDimension = (typeof BREAKDOWN_DIMENSIONS)[number];
