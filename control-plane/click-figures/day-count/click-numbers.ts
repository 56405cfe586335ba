import { DIMENSION_NAMES, type Dimension } from '../dimensions.js';

const place = (dimension: Dimension): number => DIMENSION_NAMES.indexOf(dimension);
export const TOTAL = place('total');
export const HOUR = place('hour');
export const PLATFORM = place('platform');
export const COUNTRY = place('country');
export const REFERRER = place('referrer');
export const CAMPAIGN = place('campaign');
export const LINK = place('link');
export const TYPE = place('type');
export const ITEM = place('item');
export const CAMPAIGN_LINK = place('campaign_link');
// Dimensions that are lines of breakdowns come after those that are rows.
export const LINK_PLATFORM = DIMENSION_NAMES.length;
export const LINK_COUNTRY = LINK_PLATFORM + 1;
export const LINK_REFERRER = LINK_PLATFORM + 2;
export const CAMPAIGN_PLATFORM = LINK_PLATFORM + 3;
export const CAMPAIGN_COUNTRY = LINK_PLATFORM + 4;
export const CAMPAIGN_REFERRER = LINK_PLATFORM + 5;
export const DIMENSIONS = LINK_PLATFORM + 6;

const OF_ALL = [TOTAL, HOUR, PLATFORM, COUNTRY, REFERRER];
const OF_CAMPAIGN = [CAMPAIGN, CAMPAIGN_PLATFORM, CAMPAIGN_COUNTRY, CAMPAIGN_REFERRER];
const OF_LINK = [LINK, LINK_PLATFORM, LINK_COUNTRY, LINK_REFERRER];
const OF_ITEM = [TYPE, ITEM];

/** Dimensions in which a click counts. */
export interface Kind {
  readonly dimensions: readonly number[];
  /** The same as bits: dimension n is bit n. */
  readonly bits: number;
}

function kind(...dimensions: readonly (readonly number[])[]): Kind {
  const all = dimensions.flat();
  return { dimensions: all, bits: all.reduce((bits, dimension) => bits | (1 << dimension), 0) };
}

const LINK_KIND = kind(OF_ALL, OF_LINK);
const LINK_OF_CAMPAIGN_KIND = kind(OF_ALL, OF_LINK, OF_CAMPAIGN, [CAMPAIGN_LINK]);
const ITEM_KIND = kind(OF_ALL, OF_ITEM);
const ITEM_OF_CAMPAIGN_KIND = kind(OF_ALL, OF_ITEM, OF_CAMPAIGN);

/** A click, with its texts as numbers. The object is reused for every click. */
export class ClickNumbers {
  subject = 0;
  item = 0;
  type = 0;
  isLink = false;
  hour = 0;
  platform = 0;
  country = 0;
  referrer = 0;
  campaign = 0;
}

export function kindOf({ isLink, campaign }: ClickNumbers): Kind {
  if (isLink) return campaign === 0 ? LINK_KIND : LINK_OF_CAMPAIGN_KIND;
  return campaign === 0 ? ITEM_KIND : ITEM_OF_CAMPAIGN_KIND;
}

/** What the group belongs to: the number of the link, the type or the campaign; 0 for the groups of the environment. */
export function major(dimension: number, numbers: ClickNumbers): number {
  switch (dimension) {
    case LINK:
    case LINK_PLATFORM:
    case LINK_COUNTRY:
    case LINK_REFERRER:
      return numbers.subject;
    case TYPE:
    case ITEM:
      return numbers.type;
    case CAMPAIGN:
    case CAMPAIGN_PLATFORM:
    case CAMPAIGN_COUNTRY:
    case CAMPAIGN_REFERRER:
    case CAMPAIGN_LINK:
      return numbers.campaign;
    default:
      return 0;
  }
}

/** What distinguishes the group from the other groups of the same link, type, campaign or environment. */
export function minor(dimension: number, numbers: ClickNumbers): number {
  switch (dimension) {
    case HOUR:
      return numbers.hour;
    case PLATFORM:
    case LINK_PLATFORM:
    case CAMPAIGN_PLATFORM:
      return numbers.platform;
    case COUNTRY:
    case LINK_COUNTRY:
    case CAMPAIGN_COUNTRY:
      return numbers.country;
    case REFERRER:
    case LINK_REFERRER:
    case CAMPAIGN_REFERRER:
      return numbers.referrer;
    case ITEM:
      return numbers.item;
    case CAMPAIGN_LINK:
      return numbers.subject;
    default:
      return 0;
  }
}
