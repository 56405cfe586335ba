/** Stands for "no link and no type" in `click_figures.subject_id`. */
export const NO_SUBJECT = '00000000-0000-0000-0000-000000000000';

/** What a figure is of, as its row says it: SQL over the columns of a counted click. */
interface Key {
  readonly subject?: string;
  readonly campaign?: string;
  readonly value?: string;
  /** Which clicks have such a figure; all of them where it is absent. */
  readonly where?: string;
}

const OF_CAMPAIGN = { campaign: 'campaign', where: `campaign <> ''` };
const OF_LINK = { subject: 'subject_id', where: `kind = 'link'` };
const OF_TYPE = { subject: 'resource_type_id', where: `kind = 'template'` };

/** Every dimension that clicks are counted in, and the key of its rows. The type `click_dimension` of the schema has the same names. */
const DIMENSIONS = {
  total: {},
  hour: { value: 'extract(epoch FROM hour_at)::bigint::text' },
  platform: { value: 'platform' },
  country: { value: 'country' },
  referrer: { value: 'referrer_host' },
  campaign: OF_CAMPAIGN,
  link: OF_LINK,
  type: OF_TYPE,
  item: { ...OF_TYPE, value: 'item_id' },
  link_platform: { ...OF_LINK, value: 'platform' },
  link_country: { ...OF_LINK, value: 'country' },
  link_referrer: { ...OF_LINK, value: 'referrer_host' },
  campaign_platform: { ...OF_CAMPAIGN, value: 'platform' },
  campaign_country: { ...OF_CAMPAIGN, value: 'country' },
  campaign_referrer: { ...OF_CAMPAIGN, value: 'referrer_host' },
  campaign_link: { campaign: 'campaign', subject: 'subject_id', where: `kind = 'link' AND campaign <> ''` },
} as const satisfies Readonly<Record<string, Key>>;

export type Dimension = keyof typeof DIMENSIONS;
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly Dimension[];

/** `SELECT` of the keys under which the clicks of `from` count in the dimension, each with its visitor and its counts. */
export function selectKeys(dimension: Dimension, from: string): string {
  const { subject, campaign, value, where }: Key = DIMENSIONS[dimension];
  return `SELECT environment_number, day, '${dimension}'::click_dimension AS dimension, ${subject ?? `'${NO_SUBJECT}'::uuid`} AS subject_id,
      ${campaign ?? `''`} AS campaign, ${value ?? `''`} AS value, visitor_hash, clicks, human, seen
    FROM ${from}${where === undefined ? '' : ` WHERE ${where}`}`;
}
