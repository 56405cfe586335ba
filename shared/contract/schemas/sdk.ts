import Type from 'typebox';
import { MATCH_TYPES, OPEN_REASONS } from '../../attribution/outcome.js';
import {
  CLIPBOARD_CHARACTERS_MAX,
  DEVICE_FACT_CHARACTERS_MAX,
  INSTALL_ID_CHARACTERS_MAX,
  PLAY_REFERRER_CHARACTERS_MAX,
  RENDERED_URL_CHARACTERS_MAX,
} from '../../base/limits.js';
import { closedObject, id, nullable, oneOf, plainText, text } from './fields.js';
import { linkCreateSchema, linkSchema } from './link.js';

/** The fields of a link that a publishable key may set. None of them decides where the link leads. */
export const sdkLinkCreateSchema = closedObject(
  {
    deep_link_path: linkCreateSchema.properties.deep_link_path,
    data: linkCreateSchema.properties.data,
    campaign: linkCreateSchema.properties.campaign,
  },
  { description: 'A link to create. Its path is generated, and it leads to the default destinations' },
);

/** A URL of a link or of a template's item. A host decides which of the two it is. */
const shortUrl = (description: string) =>
  Type.String({
    format: 'plain-text',
    minLength: 1,
    maxLength: RENDERED_URL_CHARACTERS_MAX,
    description,
    examples: ['https://go.example.com/spring?ref=mail'],
  });

export const sdkResolveSchema = closedObject(
  { url: shortUrl('The URL that opened the app, as the system passed it on') },
  { description: 'A URL that opened the app' },
);

const openedLink = nullable(
  Type.Object(
    {
      id: linkSchema.properties.id,
      url: linkSchema.properties.url,
      path: linkSchema.properties.path,
      campaign: linkSchema.properties.campaign,
    },
    { description: 'The link; null if it is not a link' },
  ),
);

const openedResource = nullable(
  Type.Object(
    {
      resource_type: text('Key of the resource type', { examples: ['product'] }),
      id: text('The item, decoded from the URL', { examples: ['42'] }),
      template_id: id('tpl_', 'Id of the URL template'),
    },
    { description: 'The item of a URL template; null if it is not one' },
  ),
);

/** What an app receives of a link or an item. */
const deliveredFields = {
  link: openedLink,
  resource: openedResource,
  deep_link_path: nullable(text('In-app route to show', { examples: ['/product/42'] })),
  data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Custom JSON of the link or template',
  }),
  params: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'Query parameters that the short URL passes on; if a name repeats, its first value',
  }),
};

export const sdkResolvedSchema = Type.Object(
  { ...deliveredFields, deep_link_path: text('In-app route to show', { examples: ['/product/42'] }) },
  { description: 'The link or item of a URL' },
);

const deviceFact = (description: string) => Type.Optional(nullable(plainText(description, 1, DEVICE_FACT_CHARACTERS_MAX)));

const device = closedObject(
  {
    os: oneOf(['ios', 'android', 'other'], 'Operating system; iPadOS is `ios`'),
    os_version: deviceFact('Version of the operating system, such as `17.5.1`'),
    model: deviceFact('Model as the system calls it, such as `iPhone15,2` or `Pixel 8`'),
    language: deviceFact('Preferred language as a BCP 47 tag, such as `de-DE`'),
    timezone: deviceFact('IANA time zone, such as `Europe/Berlin`'),
    screen: deviceFact('Screen in physical pixels, such as `1179x2556`'),
  },
  { description: 'What the app knows of its device' },
);

export const sdkOpenSchema = closedObject(
  {
    install_id: plainText('Id of the installation, chosen by the app once and kept', 1, INSTALL_ID_CHARACTERS_MAX),
    first_open: Type.Boolean({ description: 'Whether the installation has never been opened before' }),
    opened_url: Type.Optional(nullable(shortUrl('URL that the system opened the app with'))),
    play_referrer: Type.Optional(
      nullable(
        Type.String({
          format: 'plain-text',
          maxLength: PLAY_REFERRER_CHARACTERS_MAX,
          description: 'What the Play Install Referrer library returned, unchanged',
          examples: ['click_id=clk_01jd4v6xq8e5s0m3k7n9p2r4tw'],
        }),
      ),
    ),
    clipboard: Type.Optional(
      nullable(
        Type.String({
          maxLength: CLIPBOARD_CHARACTERS_MAX,
          description: 'Text of the clipboard, if the user let the app read it. The page that opens the app puts a token there',
        }),
      ),
    ),
    device,
  },
  { description: 'An app was opened' },
);

const reasonHelp = Object.entries(OPEN_REASONS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

export const sdkOpenResultSchema = Type.Object(
  {
    attribution: oneOf(
      ['attributed', 'organic', 'reengaged'],
      '`attributed`: a first open that was matched. `reengaged`: a later open of an installation, through a link. `organic`: neither',
    ),
    match_type: nullable(oneOf(MATCH_TYPES, 'The rule that matched')),
    guaranteed: Type.Boolean({
      description:
        'Whether the match is certain, which means that a click named by the app or its URL was used up. A `probabilistic` match is not certain, and neither is a URL without such a click',
    }),
    matched_factors: Type.Array(Type.String(), {
      description: 'Facts that are the same in the click and the open',
      examples: [['address', 'os_version']],
    }),
    reason: oneOf(Object.keys(OPEN_REASONS), reasonHelp),
    click_id: nullable(text('Id of the click', { examples: ['clk_01jd4v6xq8e5s0m3k7n9p2r4tw'] })),
    ...deliveredFields,
  },
  { description: 'Where an open came from, and what to show' },
);

export type SdkOpenResult = Type.Static<typeof sdkOpenResultSchema>;
export type SdkResolved = Type.Static<typeof sdkResolvedSchema>;
