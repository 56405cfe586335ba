import Type from 'typebox';
import {
  ALIAS_PATH_CHARACTERS_MAX,
  ALIASES_OF_LINK_MAX,
  DEEP_LINK_PATH_CHARACTERS_MAX,
  PATH_CHARACTERS_MAX,
  TAGS_OF_LINK_MAX,
} from '../../base/limits.js';
import { LINK_FIELD_NAMES, LINK_FIELDS, type LinkFieldName, OPTIONAL_LINK_TEXTS } from '../../records/link-fields.js';
import { slotsIn, slotsOut } from './destination-fields.js';
import { closedObject, environmentName, id, membersOf, nullable, oneOf, plainLines, plainText, text, timestamp } from './fields.js';
import { cardInSchema, cardSchema } from './link-card.js';
import { rulesIn, rulesOut } from './link-rules.js';
import { tagName } from './tag.js';

export const LINK_STATUSES = ['active', 'scheduled', 'disabled', 'blocked', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export const LINK_STATUS_HELP =
  '`expired` results from `expires_at` or `max_clicks`, `scheduled` from `active_from`; `blocked` is set by the operator of the service';

const dataObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const customData = () =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters',
    examples: [{ product: 42 }],
  });

/** A link's own destinations, every slot present. */
export const destinationsSchema = Type.Object(slotsOut, {
  description: "The link's own destinations. For a null, the environment's default is used",
});

const destinationsInSchema = closedObject(slotsIn, {
  description:
    "The link's own destinations. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.",
  examples: [{ ios: 'https://apps.apple.com/app/id1', web: 'https://example.com/p/42' }],
});

const aliasHelp = {
  host: "The environment's link host, or a verified domain of it",
  path: 'Any path of a URL, without its leading slash. Slashes, dots and letters of any script are allowed',
};

const aliasSchema = Type.Object({ host: text(aliasHelp.host), path: text(aliasHelp.path) }, { description: 'Another address of a link' });

const aliasInSchema = closedObject({
  host: Type.String({ minLength: 1, maxLength: 253, description: aliasHelp.host }),
  path: plainText(aliasHelp.path, 1, ALIAS_PATH_CHARACTERS_MAX),
});

/** Texts of which only the length is checked. */
const textsOut = membersOf(OPTIONAL_LINK_TEXTS, (name) => nullable(text(LINK_FIELDS[name].help)));

const textsIn = membersOf(OPTIONAL_LINK_TEXTS, (name) => {
  const field = LINK_FIELDS[name];
  const textOf = 'lines' in field ? plainLines : plainText;
  return Type.Optional(nullable(textOf(field.help, 1, field.characters_max)));
});

/** Puts fields in the order in which a reader expects them. */
function ordered<Fields extends Partial<Record<LinkFieldName, Type.TSchema>>>(fields: Fields): Fields {
  return Object.fromEntries(LINK_FIELD_NAMES.flatMap((name) => (name in fields ? [[name, fields[name]]] : []))) as Fields;
}

/** The fields of a link as it is shown. Events have them too. */
export const linkFieldSchemas = {
  ...ordered({
    ...textsOut,
    deep_link_path: text(LINK_FIELDS.deep_link_path.help, { examples: ['/product/42'] }),
    data: nullable(dataObject(LINK_FIELDS.data.help)),
    allow_param_passthrough: Type.Boolean({ description: LINK_FIELDS.allow_param_passthrough.help }),
    destinations: destinationsSchema,
    card: nullable(cardSchema),
    tags: Type.Array(text('Name of a tag'), { description: LINK_FIELDS.tags.help, examples: [['spring', 'print']] }),
    archived: Type.Boolean({ description: LINK_FIELDS.archived.help }),
    aliases: Type.Array(aliasSchema, { description: LINK_FIELDS.aliases.help }),
    expires_at: nullable(timestamp(LINK_FIELDS.expires_at.help)),
    ...rulesOut,
  }),
  has_password: Type.Boolean({ description: 'Whether visitors are asked for a password' }),
};

export const linkSchema = Type.Object(
  {
    id: id('lnk_', 'Id of the link'),
    url: text('The full short URL', { format: 'uri', examples: ['https://go.example.com/spring'] }),
    environment: environmentName,
    path: text('Path on the link host', { examples: ['spring'] }),
    status: oneOf(LINK_STATUSES, LINK_STATUS_HELP),
    ...linkFieldSchemas,
    created_by: nullable(
      text(
        'Name that the API key had when it created the link; `linkd import` for links that were imported on the command line; null for links that are older than this field',
        {
          examples: ['Newsletter'],
        },
      ),
    ),
    created_at: timestamp('When the link was made'),
    updated_at: timestamp('When the link was last changed'),
  },
  { description: 'A short link' },
);

export type Link = Type.Static<typeof linkSchema>;

/** Fields that creation and change share. */
const settableFields = ordered({
  ...textsIn,
  deep_link_path: Type.Optional(
    Type.String({
      format: 'plain-text',
      pattern: '^/',
      minLength: 1,
      maxLength: DEEP_LINK_PATH_CHARACTERS_MAX,
      default: LINK_FIELDS.deep_link_path.default,
      description: 'In-app route; starts with `/`',
      examples: ['/product/42'],
    }),
  ),
  data: Type.Optional(customData()),
  allow_param_passthrough: Type.Optional(
    Type.Boolean({ default: LINK_FIELDS.allow_param_passthrough.default, description: LINK_FIELDS.allow_param_passthrough.help }),
  ),
  destinations: Type.Optional(nullable(destinationsInSchema)),
  card: Type.Optional(nullable(cardInSchema)),
  tags: Type.Optional(
    nullable(
      Type.Array(tagName, {
        maxItems: TAGS_OF_LINK_MAX,
        uniqueItems: true,
        description: 'Names of tags. They replace those that the link has. A tag is created when it is first used.',
        examples: [['spring', 'print']],
      }),
    ),
  ),
  aliases: Type.Optional(
    nullable(
      Type.Array(aliasInSchema, {
        maxItems: ALIASES_OF_LINK_MAX,
        description:
          'Other addresses of the link. They replace the aliases that it has. A visit to an alias works like a visit to the link, and the click names the alias. An alias takes precedence over the path of another link and over every URL template. An alias of another link is taken (409), and so is the URL of another link, in both cases until 90 days after that link is deleted. The path of that link on another host is free. Different escapings of the same path are equal, and a trailing slash is ignored.',
        examples: [[{ host: 'go.example.com', path: 'sale/2027.html' }]],
      }),
    ),
  ),
  archived: Type.Optional(Type.Boolean({ default: LINK_FIELDS.archived.default, description: LINK_FIELDS.archived.help })),
  expires_at: Type.Optional(nullable(timestamp('When the link stops working: ISO 8601 with any offset'))),
  ...rulesIn,
});

export const linkCreateSchema = closedObject(
  {
    path: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+$',
        minLength: 1,
        maxLength: PATH_CHARACTERS_MAX,
        description: 'Path on the link host. If it is absent, a path of 7 characters is generated',
        examples: ['spring'],
      }),
    ),
    ...settableFields,
    created_at: Type.Optional(
      timestamp('When the link was created at another service, in the past. Only for links that you import from there'),
    ),
  },
  { description: 'A link to make' },
);

export type LinkCreate = Type.Static<typeof linkCreateSchema>;

const { deep_link_path, allow_param_passthrough, archived, ...clearable } = settableFields;
const withoutDefault = <Schema extends object>(schema: Schema): Schema => {
  const { default: _, ...rest } = schema as Schema & { default?: unknown };
  return rest as Schema;
};

export const linkPatchSchema = closedObject(
  {
    ...clearable,
    deep_link_path: Type.Optional(withoutDefault(deep_link_path)),
    allow_param_passthrough: Type.Optional(withoutDefault(allow_param_passthrough)),
    archived: Type.Optional(withoutDefault(archived)),
    status: Type.Optional(oneOf(['active', 'disabled'], 'Disable the link, or enable it again')),
  },
  {
    description: 'Fields to change. An absent field keeps its value, null clears it. The path cannot change.',
  },
);

export type LinkPatch = Type.Static<typeof linkPatchSchema>;

export const linkParamsSchema = Type.Object({ link: id('lnk_', 'Id of the link') });
