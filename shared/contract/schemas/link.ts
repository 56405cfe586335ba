import Type from 'typebox';
import { DEEP_LINK_PATH_CHARACTERS_MAX, DESTINATION_CHARACTERS_MAX, PATH_CHARACTERS_MAX, UTM_CHARACTERS_MAX } from '../../base/limits.js';
import type { DestinationSlot, UtmField } from '../../records/records.js';
import { environmentName, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

const LINK_STATUSES = ['active', 'disabled', 'blocked', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

const dataObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const customData = () =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters',
    examples: [{ product: 42 }],
  });

const slotHelp: Record<DestinationSlot, string> = {
  ios: 'On iOS: http, https or a custom scheme that an app names in `uri_scheme`',
  android: 'On Android: http, https or a custom scheme that an app names in `uri_scheme`',
  web: 'In a browser: http or https',
  desktop: 'On a desktop: http or https',
  fallback: 'Where no other applies: http or https',
};

const destinationOut = (slot: keyof typeof slotHelp) => nullable(text(slotHelp[slot]));

/** A link's own destinations, every slot present. */
export const destinationsSchema = Type.Object(
  {
    ios: destinationOut('ios'),
    android: destinationOut('android'),
    web: destinationOut('web'),
    desktop: destinationOut('desktop'),
    fallback: destinationOut('fallback'),
  },
  { description: "The link's own destinations; null takes the environment's default" },
);

const destinationIn = (slot: keyof typeof slotHelp) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: DESTINATION_CHARACTERS_MAX, description: slotHelp[slot] })));

const destinationsInSchema = Type.Object(
  {
    ios: destinationIn('ios'),
    android: destinationIn('android'),
    web: destinationIn('web'),
    desktop: destinationIn('desktop'),
    fallback: destinationIn('fallback'),
  },
  {
    additionalProperties: false,
    description:
      "The link's own destinations. In a PATCH a platform that is absent keeps its value and null takes the environment's default again; null in place of the object does so for all five.",
    examples: [{ ios: 'https://apps.apple.com/app/id1', web: 'https://example.com/p/42' }],
  },
);

const utmHelp: Record<UtmField, string> = {
  utm_source: 'UTM source; wins over the campaign',
  utm_medium: 'UTM medium; wins over the campaign',
  utm_campaign: 'UTM campaign; wins over the campaign',
  utm_term: 'UTM term; wins over the campaign',
  utm_content: 'UTM content; wins over the campaign',
};

const utmOut = (field: UtmField) => nullable(text(utmHelp[field]));
const utmIn = (field: UtmField) => Type.Optional(nullable(plainText(utmHelp[field], 1, UTM_CHARACTERS_MAX)));

export const linkSchema = Type.Object(
  {
    id: id('lnk_', 'Id of the link'),
    url: text('The full short URL', { format: 'uri', examples: ['https://go.example.com/spring'] }),
    environment: environmentName,
    path: text('Path on the link host', { examples: ['spring'] }),
    status: oneOf(LINK_STATUSES, '`expired` follows from `expires_at`; `blocked` is set by the operator of the service'),
    deep_link_path: text('In-app route', { examples: ['/product/42'] }),
    data: nullable(dataObject('Custom JSON delivered to the app')),
    campaign: nullable(text('Key of the campaign that gives the UTM defaults')),
    utm_source: utmOut('utm_source'),
    utm_medium: utmOut('utm_medium'),
    utm_campaign: utmOut('utm_campaign'),
    utm_term: utmOut('utm_term'),
    utm_content: utmOut('utm_content'),
    allow_param_passthrough: Type.Boolean({
      description: 'Query parameters added to the short URL are stored with the click and reach the app',
    }),
    destinations: destinationsSchema,
    domain: nullable(text('Custom host the `url` is shown on while it is a verified domain of the environment')),
    expires_at: nullable(timestamp('When the link stops working')),
    created_at: timestamp('When the link was made'),
    updated_at: timestamp('When the link was last changed'),
  },
  { description: 'A short link' },
);

export type Link = Type.Static<typeof linkSchema>;

/** Fields that creation and change share. */
const settableFields = {
  deep_link_path: Type.Optional(
    Type.String({
      format: 'plain-text',
      pattern: '^/',
      minLength: 1,
      maxLength: DEEP_LINK_PATH_CHARACTERS_MAX,
      default: '/',
      description: 'In-app route; starts with `/`',
      examples: ['/product/42'],
    }),
  ),
  data: Type.Optional(customData()),
  campaign: Type.Optional(nullable(plainText('Key of a campaign of the environment', 1, 64))),
  utm_source: utmIn('utm_source'),
  utm_medium: utmIn('utm_medium'),
  utm_campaign: utmIn('utm_campaign'),
  utm_term: utmIn('utm_term'),
  utm_content: utmIn('utm_content'),
  allow_param_passthrough: Type.Optional(
    Type.Boolean({ default: false, description: 'Query parameters added to the short URL are stored with the click and reach the app' }),
  ),
  destinations: Type.Optional(nullable(destinationsInSchema)),
  domain: Type.Optional(nullable(plainText('A verified custom host of the environment, on which `url` is shown', 1, 253))),
  expires_at: Type.Optional(nullable(timestamp('When the link stops working: ISO 8601 with any offset'))),
};

export const linkCreateSchema = Type.Object(
  {
    path: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+$',
        minLength: 1,
        maxLength: PATH_CHARACTERS_MAX,
        description: 'Path on the link host; generated with 7 characters where omitted',
        examples: ['spring'],
      }),
    ),
    ...settableFields,
  },
  { additionalProperties: false, description: 'A link to make' },
);

export type LinkCreate = Type.Static<typeof linkCreateSchema>;

const { deep_link_path, allow_param_passthrough, ...clearable } = settableFields;
const withoutDefault = <Schema extends object>(schema: Schema): Schema => {
  const { default: _, ...rest } = schema as Schema & { default?: unknown };
  return rest as Schema;
};

export const linkPatchSchema = Type.Object(
  {
    ...clearable,
    deep_link_path: Type.Optional(withoutDefault(deep_link_path)),
    allow_param_passthrough: Type.Optional(withoutDefault(allow_param_passthrough)),
    status: Type.Optional(oneOf(['active', 'disabled'], 'Disable the link, or enable it again')),
  },
  {
    additionalProperties: false,
    description: 'Fields to change. An absent field keeps its value, null clears it. The path cannot change.',
  },
);

export type LinkPatch = Type.Static<typeof linkPatchSchema>;

export const linkPageSchema = page(linkSchema, 'A page of links, newest first');

export const linkListQuerySchema = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(oneOf(LINK_STATUSES, 'Only links in this state')),
    campaign: Type.Optional(plainText('Only links of the campaign with this key', 1, 64)),
    path: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+$',
        minLength: 1,
        maxLength: PATH_CHARACTERS_MAX,
        description: 'Only links whose path begins with this',
      }),
    ),
    created_from: Type.Optional(timestamp('Only links made at this time or later')),
    created_to: Type.Optional(timestamp('Only links made at this time or earlier')),
  },
  { additionalProperties: false },
);

export const linkParamsSchema = Type.Object({ link: id('lnk_', 'Id of the link') });
