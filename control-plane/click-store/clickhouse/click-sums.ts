import { CLICK_FILTERS, type ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { ClickCondition, GroupKey } from '../../click-figures/click-groups.js';
import type { Dimension } from '../../click-figures/dimensions.js';
import type { FigureScope } from '../../click-figures/reading/selected-figures.js';
import { FIELDS, type SumsRead } from './sql.js';

/** By what the clicks of a day are added up (`click_sums`), and which of these sums a statement can read in place of clicks. */

const NOTHING = `''`;

/** One way to group clicks, as expressions over their columns. */
interface Grouped {
  readonly subject: string;
  readonly value: string;
}

/** One kind of sums that is stored of a day. */
export interface SummedBy {
  /** A field of clicks, or `day` and `hour`. */
  readonly dimension: string;
  /** Null for `day` and `hour`, whose values are the times when they begin, in milliseconds. */
  readonly groups: Grouped | null;
  /** Whether there are sums for each campaign; otherwise they are for the whole environment. */
  readonly ofCampaigns: boolean;
}

/** Fields by which a campaign's pages break down its clicks. */
const FIELDS_OF_CAMPAIGNS: readonly ClickFilter[] = ['link', 'platform', 'country', 'referrer_host'];

const byField = (ofCampaigns: boolean) => (field: ClickFilter) => ({
  dimension: field,
  // An item is identified together with its type.
  groups: { subject: field === 'item' ? FIELDS.resource_type : NOTHING, value: FIELDS[field] },
  ofCampaigns,
});

export const SUMMED_BY: readonly SummedBy[] = [
  { dimension: 'day', groups: null, ofCampaigns: false },
  { dimension: 'hour', groups: null, ofCampaigns: false },
  ...CLICK_FILTERS.map(byField(false)),
  { dimension: 'day', groups: null, ofCampaigns: true },
  ...FIELDS_OF_CAMPAIGNS.map(byField(true)),
];

/** Returns null if such sums are not stored. */
function kept(read: SumsRead): SumsRead | null {
  return SUMMED_BY.some(({ dimension, ofCampaigns }) => dimension === read.dimension && ofCampaigns === (read.campaign !== ''))
    ? read
    : null;
}

/** How a dimension of the figures is counted from clicks; `summed` names the sums to read instead. */
interface FigureOf extends Grouped {
  readonly where: string;
  readonly summed: Omit<SumsRead, 'campaign'>;
}

const OWN: Grouped = { subject: 'subject', value: 'value' };
const AS_SUBJECT = { subject: 'value', value: NOTHING, where: `value <> ''` };

export const FIGURES: Readonly<Record<Exclude<Dimension, 'hour'>, FigureOf>> = {
  total: { subject: NOTHING, value: NOTHING, where: 'true', summed: { dimension: 'day', subject: NOTHING, value: NOTHING } },
  platform: { subject: NOTHING, value: 'platform', where: 'true', summed: { dimension: 'platform', ...OWN } },
  country: { subject: NOTHING, value: 'country', where: 'true', summed: { dimension: 'country', ...OWN } },
  referrer: { subject: NOTHING, value: 'referrer_host', where: 'true', summed: { dimension: 'referrer_host', ...OWN } },
  campaign: {
    ...{ subject: NOTHING, value: 'campaign', where: `campaign <> ''` },
    summed: { dimension: 'campaign', ...OWN, where: `value <> ''` },
  },
  link: { subject: 'lower(hex(subject_id))', value: NOTHING, where: `kind = 'link'`, summed: { dimension: 'link', ...AS_SUBJECT } },
  type: {
    ...{ subject: 'lower(hex(resource_type_id))', value: NOTHING, where: `kind = 'template'` },
    summed: { dimension: 'resource_type', ...AS_SUBJECT },
  },
  item: {
    ...{ subject: 'lower(hex(resource_type_id))', value: 'item_id', where: `kind = 'template'` },
    summed: { dimension: 'item', ...OWN, where: `subject <> ''` },
  },
  campaign_link: {
    ...{ subject: 'lower(hex(subject_id))', value: NOTHING, where: `kind = 'link' AND campaign <> ''` },
    summed: { dimension: 'link', ...AS_SUBJECT },
  },
};

/** Returns the sums of groups of a dimension. Null if they are not stored. */
export function sumsOfFigures({ link, campaign = '' }: FigureScope, dimension: Exclude<Dimension, 'hour'>): SumsRead | null {
  if (link !== undefined || (dimension === 'campaign_link' && campaign === '')) return null;
  return kept({ campaign, ...FIGURES[dimension].summed });
}

/** Returns the sums of each day or hour, by when it begins. Null if they are not stored. */
export function sumsByTime({ link, campaign = '' }: FigureScope, dimension: Dimension): SumsRead | null {
  const isOfScope = dimension === 'hour' || dimension === (campaign === '' ? 'total' : 'campaign');
  if (link !== undefined || !isOfScope) return null;
  return kept({ campaign, dimension: dimension === 'hour' ? 'hour' : 'day', ...OWN });
}

/**
 * Returns the sums of the groups of clicks that meet the conditions. Null if they are not stored. `byHour` says whether the key has
 * instants that are not the beginning of a day.
 */
export function sumsOfGroups(conditions: readonly ClickCondition[], key: GroupKey, byHour: boolean): SumsRead | null {
  const campaign = campaignOf(conditions);
  if (campaign === null) return null;
  if (key === 'nothing') return kept({ campaign, dimension: 'day', subject: NOTHING, value: NOTHING });
  if (key === 'item of type') return kept({ campaign, dimension: 'item', ...OWN });
  if ('starts' in key) return kept({ campaign, dimension: byHour ? 'hour' : 'day', ...OWN });
  // Sums of items are stored only together with their types.
  if ('tagsOf' in key || key.field === 'item') return null;
  return kept({ campaign, dimension: key.field, ...OWN });
}

/** Returns the campaign to which the conditions restrict clicks; '' if they do not restrict them. Null for other conditions. */
function campaignOf(conditions: readonly ClickCondition[]): string | null {
  const [only, ...others] = conditions.filter((condition) => condition !== 'counted');
  if (only === undefined) return '';
  if (others.length > 0 || typeof only !== 'object' || !('field' in only) || only.field !== 'campaign' || !('value' in only)) return null;
  return only.value === '' ? null : only.value;
}
