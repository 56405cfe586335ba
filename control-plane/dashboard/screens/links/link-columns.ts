import type { LinkCreate } from '../../../../shared/contract/schemas/link.js';
import { PLATFORM_NAMES } from './link-words.js';

/** Every field except destinations and card, each of whose members has a column of its own. */
const FIELD_COLUMNS: { readonly [Name in Exclude<keyof Required<LinkCreate>, 'destinations' | 'card'>]: true } = {
  path: true,
  deep_link_path: true,
  data: true,
  campaign: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_term: true,
  utm_content: true,
  allow_param_passthrough: true,
  active_from: true,
  expires_at: true,
  max_clicks: true,
  password: true,
  interstitial: true,
  domain: true,
  aliases: true,
  title: true,
  tags: true,
  comments: true,
  archived: true,
  created_at: true,
  geo: true,
};

/** Columns of a file of links, with the names of the API's fields. Destinations are listed by platform. */
export const COLUMNS: readonly string[] = [
  ...Object.keys(FIELD_COLUMNS),
  ...PLATFORM_NAMES,
  ...['card_title', 'card_description', 'card_image_url'],
];
