import type { LinkCreate } from '../../../../shared/contract/schemas/link.js';
import { PLATFORM_NAMES } from './link-words.js';

/** Every field but destinations and card, whose members have a column each, and `geo`, whose column is JSON. */
const FIELD_COLUMNS: { readonly [Name in Exclude<keyof Required<LinkCreate>, 'destinations' | 'card' | 'geo'>]: `/${Name}` } = {
  path: '/path',
  deep_link_path: '/deep_link_path',
  data: '/data',
  campaign: '/campaign',
  utm_source: '/utm_source',
  utm_medium: '/utm_medium',
  utm_campaign: '/utm_campaign',
  utm_term: '/utm_term',
  utm_content: '/utm_content',
  allow_param_passthrough: '/allow_param_passthrough',
  active_from: '/active_from',
  expires_at: '/expires_at',
  max_clicks: '/max_clicks',
  password: '/password',
  interstitial: '/interstitial',
  domain: '/domain',
  aliases: '/aliases',
  title: '/title',
  tags: '/tags',
  comments: '/comments',
  archived: '/archived',
  created_at: '/created_at',
};

/** Columns of a file of links, named as the API names its fields; destinations by platform. */
export const COLUMNS: Readonly<Record<string, string>> = {
  ...FIELD_COLUMNS,
  ...Object.fromEntries(PLATFORM_NAMES.map((name) => [name, `/destinations/${name}`])),
  card_title: '/card/title',
  card_description: '/card/description',
  card_image_url: '/card/image_url',
  geo: '/geo',
};
