import Type from 'typebox';
import { UTM_CHARACTERS_MAX } from '../../base/limits.js';
import type { UtmField } from '../../records/records.js';
import { id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

const CAMPAIGN_STATUSES = ['active', 'ended'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

const utmHelp: Record<UtmField, string> = {
  utm_source: 'UTM source of links that set none',
  utm_medium: 'UTM medium of links that set none',
  utm_campaign: 'UTM campaign of links that set none',
  utm_term: 'UTM term of links that set none',
  utm_content: 'UTM content of links that set none',
};

const utmOut = (field: UtmField) => nullable(text(utmHelp[field]));
const utmIn = (field: UtmField) => Type.Optional(nullable(plainText(utmHelp[field], 1, UTM_CHARACTERS_MAX)));

export const campaignSchema = Type.Object(
  {
    id: id('cmp_', 'Id of the campaign'),
    key: text('Name by which links refer to it', { examples: ['spring'] }),
    name: text('For people'),
    utm_source: utmOut('utm_source'),
    utm_medium: utmOut('utm_medium'),
    utm_campaign: utmOut('utm_campaign'),
    utm_term: utmOut('utm_term'),
    utm_content: utmOut('utm_content'),
    status: oneOf(CAMPAIGN_STATUSES, '`ended` from `ends_at` on, or once it was ended'),
    starts_at: nullable(timestamp('When it starts')),
    ends_at: nullable(timestamp('When it ends by itself')),
    created_at: timestamp('When the campaign was made'),
    updated_at: timestamp('When the campaign was last changed'),
  },
  { description: 'A campaign: UTM fields for all links that name it' },
);

export type Campaign = Type.Static<typeof campaignSchema>;

const KEY_CHARACTERS_MAX = 64;
const NAME_CHARACTERS_MAX = 200;
const nameIn = plainText('For people', 1, NAME_CHARACTERS_MAX);

const settableFields = {
  utm_source: utmIn('utm_source'),
  utm_medium: utmIn('utm_medium'),
  utm_campaign: utmIn('utm_campaign'),
  utm_term: utmIn('utm_term'),
  utm_content: utmIn('utm_content'),
  starts_at: Type.Optional(nullable(timestamp('When it starts; for people alone'))),
  ends_at: Type.Optional(nullable(timestamp('When it ends by itself; later than `starts_at`'))),
};

export const campaignCreateSchema = Type.Object(
  {
    key: Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 1,
      maxLength: KEY_CHARACTERS_MAX,
      description: 'Name by which links refer to it; cannot change. Letters, digits, `-` and `_`.',
      examples: ['spring'],
    }),
    name: nameIn,
    ...settableFields,
  },
  { additionalProperties: false, description: 'A campaign to make' },
);
export type CampaignCreate = Type.Static<typeof campaignCreateSchema>;

export const campaignPatchSchema = Type.Object(
  {
    name: Type.Optional(nameIn),
    ...settableFields,
    status: Type.Optional(oneOf(CAMPAIGN_STATUSES, 'End the campaign, or take it up again')),
  },
  { additionalProperties: false, description: 'Fields to change. An absent field keeps its value, null clears it. The key cannot change.' },
);
export type CampaignPatch = Type.Static<typeof campaignPatchSchema>;

export const campaignPageSchema = page(campaignSchema, 'A page of campaigns, newest first');
export const campaignListQuerySchema = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(oneOf(CAMPAIGN_STATUSES, 'Only campaigns in this state')),
    key: Type.Optional(plainText('Only the campaign with exactly this key', 1, KEY_CHARACTERS_MAX)),
    search: Type.Optional(plainText('Only campaigns whose key or name holds this text, in capitals or not', 1, NAME_CHARACTERS_MAX)),
  },
  { additionalProperties: false },
);
export const campaignParamsSchema = Type.Object({ campaign: id('cmp_', 'Id of the campaign') });
