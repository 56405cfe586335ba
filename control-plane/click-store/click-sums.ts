import { CLICK_FILTERS, type ClickFilter } from '../../shared/contract/schemas/clicks-query.js';
import type { Dimension } from '../click-figures/dimensions.js';
import type { ClickCondition, GroupKey } from '../click-figures/log-query.js';
import type { FigureScope } from '../click-figures/reading.js';
import { FIELDS, type SumsRead } from './clickhouse-sql.js';

/** What the clicks of a day are added up by (`click_sums`), and which of these sums answer a question. */

const NOTHING = `''`;

/** One way to tell clicks apart, as expressions over their columns. */
interface Grouped {
  readonly subject: string;
  readonly value: string;
}

/** Sums of a day. */
export interface SummedBy {
  /** A field of clicks, or `day` and `hour`. */
  readonly dimension: string;
  /** Null for `day` and `hour`, whose values are when they begin, in milliseconds. */
  readonly groups: Grouped | null;
  /** Whether each campaign has sums of its own, or the environment has them. */
  readonly ofCampaigns: boolean;
}

/** What pages of a campaign tell its clicks apart by. */
const FIELDS_OF_CAMPAIGNS: readonly ClickFilter[] = ['link', 'platform', 'country', 'referrer_host'];

const byField = (ofCampaigns: boolean) => (field: ClickFilter) => ({
  dimension: field,
  // An item is one of its type.
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

/** Null if there are no such sums. */
function kept(read: SumsRead): SumsRead | null {
  return SUMMED_BY.some(({ dimension, ofCampaigns }) => dimension === read.dimension && ofCampaigns === (read.campaign !== ''))
    ? read
    : null;
}

/** What a dimension of the figures is of. `summed` says where its sums are. */
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

/** Sums of groups of a dimension. Null if there are none. */
export function sumsOfFigures({ link, campaign = '' }: FigureScope, dimension: Exclude<Dimension, 'hour'>): SumsRead | null {
  if (link !== undefined || (dimension === 'campaign_link' && campaign === '')) return null;
  return kept({ campaign, ...FIGURES[dimension].summed });
}

/** Sums of each day or hour, by when it begins. Null if there are none. */
export function sumsByTime({ link, campaign = '' }: FigureScope, dimension: Dimension): SumsRead | null {
  const isOfScope = dimension === 'hour' || dimension === (campaign === '' ? 'total' : 'campaign');
  if (link !== undefined || !isOfScope) return null;
  return kept({ campaign, dimension: dimension === 'hour' ? 'hour' : 'day', ...OWN });
}

/**
 * Sums of the groups of clicks that the conditions let through. Null if there are none. `byHour` says whether the instants of a key are more than
 * the beginnings of days.
 */
export function sumsOfGroups(conditions: readonly ClickCondition[], key: GroupKey, byHour: boolean): SumsRead | null {
  const campaign = campaignOf(conditions);
  if (campaign === null) return null;
  if (key === 'nothing') return kept({ campaign, dimension: 'day', subject: NOTHING, value: NOTHING });
  if (key === 'item of type') return kept({ campaign, dimension: 'item', ...OWN });
  if ('starts' in key) return kept({ campaign, dimension: byHour ? 'hour' : 'day', ...OWN });
  // Its sums are those of items of types.
  if ('tagsOf' in key || key.field === 'item') return null;
  return kept({ campaign, dimension: key.field, ...OWN });
}

/** The campaign that alone has the clicks, '' for the whole environment. Null for other conditions. */
function campaignOf(conditions: readonly ClickCondition[]): string | null {
  const [only, ...others] = conditions.filter((condition) => condition !== 'counted');
  if (only === undefined) return '';
  if (others.length > 0 || typeof only !== 'object' || !('field' in only) || only.field !== 'campaign' || !('value' in only)) return null;
  return only.value === '' ? null : only.value;
}
