import Type from 'typebox';
import { UTM_CHARACTERS_MAX } from '../../base/limits.js';
import { UTM_FIELDS, type UtmField } from '../../records/records.js';
import { closedObject, id, membersOf, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

const CAMPAIGN_STATUSES = ['active', 'ended'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

const utmHelp = (field: UtmField) => `UTM ${field.slice('utm_'.length)} for links that set none`;

const utmOut = membersOf(UTM_FIELDS, (field) => nullable(text(utmHelp(field))));
const utmIn = membersOf(UTM_FIELDS, (field) => Type.Optional(nullable(plainText(utmHelp(field), 1, UTM_CHARACTERS_MAX))));

export const campaignSchema = Type.Object(
  {
    id: id('cmp_', 'Id of the campaign'),
    key: text('Name by which links refer to it', { examples: ['spring'] }),
    name: text('For people'),
    ...utmOut,
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
  ...utmIn,
  starts_at: Type.Optional(nullable(timestamp('When it starts. For information only: it has no effect'))),
  ends_at: Type.Optional(nullable(timestamp('When it ends by itself; later than `starts_at`'))),
};

export const campaignCreateSchema = closedObject(
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
  { description: 'A campaign to make' },
);
export type CampaignCreate = Type.Static<typeof campaignCreateSchema>;

export const campaignPatchSchema = closedObject(
  {
    name: Type.Optional(nameIn),
    ...settableFields,
    status: Type.Optional(oneOf(CAMPAIGN_STATUSES, 'End the campaign, or reactivate it')),
  },
  { description: 'Fields to change. An absent field keeps its value, null clears it. The key cannot change.' },
);
export type CampaignPatch = Type.Static<typeof campaignPatchSchema>;

export const campaignPageSchema = page(campaignSchema, 'A page of campaigns, newest first');
export const campaignListQuerySchema = closedObject({
  ...pageQuery,
  status: Type.Optional(oneOf(CAMPAIGN_STATUSES, 'Only campaigns in this state')),
  key: Type.Optional(plainText('Only the campaign with exactly this key', 1, KEY_CHARACTERS_MAX)),
  search: Type.Optional(plainText('Only campaigns whose key or name contains this text, in any case', 1, NAME_CHARACTERS_MAX)),
});
export const campaignParamsSchema = Type.Object({ campaign: id('cmp_', 'Id of the campaign') });
